"""How the queries' scores are spread, as small bars a terminal can show."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

import numpy as np

from annotator.report.tables import Cell, Format, name, render
from annotator.results.scores import MeasureScore
from annotator.text.numbers import COARSE, decimal, mark_of, plain

BINS = 10
LEVELS = "▁▂▃▅▇"
LONGEST = 40


class Bars(StrEnum):
    """How histograms are drawn: not at all, with block characters, or with ``#`` alone."""

    NONE = "none"
    BLOCKS = "blocks"
    PLAIN = "plain"


def write_distribution(ranked: Sequence[tuple[str, MeasureScore]], form: Format, bars: Bars) -> str:
    """Write least, percentiles and greatest of each system, and draw its histogram, if asked to.

    A query counts with its value, else with what is expected, else zero-filled.
    """
    drawn_small = bars is Bars.BLOCKS
    points = [_points(score) for _, score in ranked]
    counts, top = histogram(ranked)
    rows: list[list[Cell]] = []
    for (system, score), own, bins in zip(ranked, points, counts, strict=True):
        summary = score.summary
        mark = mark_of(summary)
        ends = (min(own), max(own)) if own else (None, None)
        numbers = [ends[0], summary.p10, summary.p25, summary.median, summary.p75, ends[1]]
        drawn = [_bars(bins)] if drawn_small else []
        rows.append([name(system), *drawn, *(decimal(number, mark=mark) for number in numbers)])
    shape = [f"0 to {plain(top)}"] if drawn_small else []
    headers = ["system", *shape, "min", "p10", "p25", "median", "p75", "max"]
    text = render(headers, rows, form, align="l" * (1 + len(shape)) + "r" * 6)
    if bars is not Bars.PLAIN:
        return text
    blocks = [
        _plain(name(system), bins, top) for (system, _), bins in zip(ranked, counts, strict=True)
    ]
    return "\n".join([text, *blocks])


def histogram(ranked: Sequence[tuple[str, MeasureScore]]) -> tuple[list[list[int]], float]:
    """How many queries of each system fall into each of the equal bins from 0 to the greatest."""
    points = [_points(score) for _, score in ranked]
    top = max([1.0, *(max(one) for one in points if one)])
    return [np.histogram(one, BINS, (0.0, top))[0].tolist() for one in points], top


def _points(score: MeasureScore) -> list[float]:
    return [one.point for one in score.per_query if one.point is not None]


def _bars(bins: Sequence[int]) -> str:
    """One character a bin, blank where no query falls."""
    most = max(max(bins), 1)
    return "".join(LEVELS[-(-count * len(LEVELS) // most) - 1] if count else "·" for count in bins)


def _plain(system: str, bins: Sequence[int], top: float) -> str:
    most = max(max(bins), 1)
    lines = [f"{system}"]
    for at, count in enumerate(bins):
        ends = f"{decimal(top * at / BINS, COARSE)}-{decimal(top * (at + 1) / BINS, COARSE)}"
        lines.append(f"  {ends}  {'#' * -(-count * LONGEST // most)} {count}".rstrip())
    return "\n".join(lines) + "\n"
