"""Figures as files: SVG, which needs nothing, or PNG and PDF, which CairoSVG draws."""

from __future__ import annotations

from enum import StrEnum

from annotator.errors import UsageError
from annotator.report.figures.drawing import Figure

SCALE = 2
"""Pixels of a PNG to one of the figure: sharp in print."""


class Picture(StrEnum):
    """The kinds of files, by their suffix."""

    SVG = "svg"
    PNG = "png"
    PDF = "pdf"


def picture(figure: Figure, kind: Picture) -> bytes:
    """The content of a file with one figure, on white where it is no SVG.

    Raises
    ------
    UsageError
        If it takes a library that is not installed.
    """
    svg = figure.alone().encode()
    if kind is Picture.SVG:
        return svg
    try:
        import cairosvg
    except (ImportError, OSError) as error:  # OSError: without the library of Cairo itself
        raise UsageError(
            f"{kind.upper()} is drawn by a library: pip install 'pool-annotator[figures]', and "
            "Cairo (libcairo2) of your system; SVG needs neither"
        ) from error
    draw = {Picture.PNG: cairosvg.svg2png, Picture.PDF: cairosvg.svg2pdf}[kind]
    drawn: bytes = draw(bytestring=svg, scale=SCALE, background_color="white")
    return drawn
