"""How the scores of the queries are spread: small columns for each system, with its percentiles."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from annotator.report.figures.drawing import (
    RIGHT,
    Figure,
    Scale,
    box,
    grid,
    label,
    label_width,
    mark,
)
from annotator.text.markup import Markup, element
from annotator.text.numbers import plain
from annotator.text.plural import counted

_ROW, _TALL, _TOP = 38, 28, 6


class Spread(NamedTuple):
    """One row: how many queries fall into each of the equal bins from 0 to ``top``.

    ``ticks`` are values to be marked, each with its name.
    """

    name: str
    counts: Sequence[int]
    top: float
    ticks: Sequence[tuple[str, float]]


def draw_spread(key: str, title: str, finding: str, rows: Sequence[Spread]) -> Figure:
    """Draw rows from top to bottom on one scale."""
    left = label_width([one.name for one in rows])
    along = Scale(0.0, max((one.top for one in rows), default=1.0), left, RIGHT)
    most = max((count for one in rows for count in one.counts), default=1) or 1
    bottom = _TOP + _ROW * len(rows)
    marks = [grid(along, _TOP, bottom)]
    for at, one in enumerate(rows):
        marks.append(_row(one, along, most, _TOP + _ROW * (at + 1) - 4, left))
    return Figure(key, title, finding, bottom + 24, marks)


def _row(one: Spread, along: Scale, most: int, base: float, left: float) -> Markup:
    parts = list[Markup]()
    wide = one.top / len(one.counts)
    for at, count in enumerate(one.counts):
        if count:
            first, last, tall = along(at * wide), along((at + 1) * wide), count / most * _TALL
            parts.append(
                mark(
                    "path",
                    f"{one.name}: {counted(count, 'query', 'queries')} from "
                    f"{plain(at * wide)} to {plain((at + 1) * wide)}",
                    d=box(first + 1, base - tall, last - first - 2, tall),
                )
            )
    parts = [
        label(one.name, left - 8, base - _TALL / 2 + 4),
        element("g", *parts, class_="one v4"),
    ]
    line = f"M{left:.1f} {base:.1f}H{RIGHT:.1f}"
    parts.append(element("path", class_="axis", d=line))
    for said, value in one.ticks:
        x = along(value)
        shape = f"M{x - 4:.1f} {base - _TALL:.1f}h8l-4 6zm4 6V{base:.1f}"
        parts.append(mark("path", f"{one.name}: {said}", class_="hollow", d=shape))
    return element("g", *parts)
