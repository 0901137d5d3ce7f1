"""The look of a page: every text can be read on every ground, in light and dark and in print."""

from __future__ import annotations

import re
from importlib.resources import files

import pytest

from annotator.report.figures.drawing import LEVELS
from tests.report.contrast import contrast

LOOK = files("annotator.report.page").joinpath("page.css").read_text("utf-8")
WHERE = {"light": "", "dark": "@media(prefers-color-scheme:dark){", "print": "@media print{"}
Colour = tuple[float, float, float]


def colours(where: str) -> dict[str, Colour]:
    """The named colours of one medium."""
    rules = LOOK.split(f"{WHERE[where]}:root{{")[1].split("}")[0]
    return {key: colour(value) for key, value in re.findall(r"--(\w+):([^;}]+)", rules)}


def colour(text: str) -> Colour:
    """A colour out of ``#123``, ``#112233`` or ``1 2 3``."""
    if not text.startswith("#"):
        red, green, blue = map(float, text.split())
        return red, green, blue
    digits = text[1:] if len(text) == 7 else "".join(2 * one for one in text[1:])
    red, green, blue = (float(int(digits[at : at + 2], 16)) for at in (0, 2, 4))
    return red, green, blue


def mixed(top: Colour, share: float, ground: Colour) -> Colour:
    """A colour through which the ground shows."""
    red, green, blue = (
        share * one + (1 - share) * other for one, other in zip(top, ground, strict=True)
    )
    return red, green, blue


@pytest.mark.parametrize("where", WHERE)
def test_texts_are_readable_on_every_ground(where: str) -> None:
    found = colours(where)
    for text in ("ink", "soft"):
        for ground in ("ground", "wash"):
            assert contrast(found[text], found[ground]) >= 4.5, (text, ground)


@pytest.mark.parametrize("where", WHERE)
def test_numbers_are_readable_on_every_shade_and_on_the_lines_of_its_hatching(where: str) -> None:
    found = colours(where)
    shares = dict(re.findall(r"\.h(\d)\{background-color:rgb\(var\(--shade\)/([\d.]+)\)\}", LOOK))
    [line] = re.findall(r"rgb\((\d+ \d+ \d+)/([\d.]+)\) 4px", LOOK)
    assert len(shares) == LEVELS
    for share in shares.values():
        shaded = mixed(found["shade"], float(share), found["ground"])
        assert contrast(found["ink"], shaded) >= 4.5, share
        assert contrast(found["ink"], mixed(colour(line[0]), float(line[1]), shaded)) >= 4.5, share
