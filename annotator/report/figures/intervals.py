"""A dot for each system, the interval of what is expected, and the bounds of what is possible."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from annotator.report.figures.drawing import (
    RIGHT,
    Figure,
    Scale,
    grid,
    label,
    label_width,
    mark,
    scale,
)
from annotator.text.markup import Markup, element

_ROW, _TOP = 24, 8


class Interval(NamedTuple):
    """One row: a point, the 95% interval of it, and its bounds; None where there is none.

    ``says`` is the row in words. A point that is ``sure`` is a full dot.
    """

    name: str
    says: str
    point: float | None
    likely: tuple[float, float] | None
    bounds: tuple[float, float] | None
    sure: bool


def draw_intervals(key: str, title: str, finding: str, rows: Sequence[Interval]) -> Figure:
    """Draw rows from top to bottom on one scale."""
    known = [one.point for one in rows if one.point is not None]
    ends = [end for one in rows for pair in (one.likely, one.bounds) if pair for end in pair]
    left = label_width([one.name for one in rows])
    along, bottom = scale([*known, *ends], left, RIGHT), _TOP + _ROW * len(rows)
    marks = [grid(along, _TOP, bottom)]
    for at, one in enumerate(rows):
        marks.append(_row(one, along, _TOP + _ROW * (at + 0.5), left))
    return Figure(key, title, finding, bottom + 24, marks)


def _row(one: Interval, along: Scale, y: float, left: float) -> Markup:
    parts: list[Markup] = [element("title", one.says), label(one.name, left - 8, y + 4)]
    if one.bounds:
        low, high = map(along, one.bounds)
        caps = f"M{low:.1f} {y - 4:.1f}v8m0-4H{high:.1f}m0-4v8"
        parts.append(element("path", class_="reach", d=caps))
    if one.likely and one.likely[0] < one.likely[1]:
        low, high = map(along, one.likely)
        parts.append(element("path", class_="range", d=f"M{low:.1f} {y:.1f}H{high:.1f}"))
    if one.point is not None:
        look = "one" if one.sure else "hollow"
        parts.append(mark("circle", one.says, class_=look, cx=along(one.point), cy=y, r=5))
    return element("g", *parts)
