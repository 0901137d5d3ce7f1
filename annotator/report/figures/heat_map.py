"""Every system on every query: a cell's shade is its score, its hatching what is not judged."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from annotator.report.figures.drawing import (
    LEVELS,
    RIGHT,
    Figure,
    box,
    label,
    label_width,
    mark,
    shade,
)
from annotator.text.markup import Markup, element, written

_ROW, _TOP = 20, 4


class Cell(NamedTuple):
    """One score as a share of the highest, None where there is none; whether it is ``open``."""

    says: str
    share: float | None
    open: bool


def draw_heat_map(
    key: str, title: str, finding: str, rows: Sequence[tuple[str, Sequence[Cell]]], below: str
) -> Figure:
    """Draw rows of cells; ``below`` says what the columns are."""
    left = label_width([name for name, _ in rows])
    columns = max((len(cells) for _, cells in rows), default=0) or 1
    wide, bottom = (RIGHT - left) / columns, _TOP + _ROW * len(rows)
    marks: list[Markup] = []
    for at, (name, cells) in enumerate(rows):
        y = _TOP + _ROW * at
        marks.append(label(name, left - 8, y + 14))
        places = [left + wide * (place + 0.5) for place in range(len(cells))]
        row = [_mark(one, x, y) for one, x in zip(cells, places, strict=True)]
        marks.append(element("g", *row, class_="s", stroke_width=wide - 1))
    marks.append(element("text", below, class_="soft", x=left, y=bottom + 14))
    marks += _legend(left, bottom + 22)
    return Figure(key, title, finding, bottom + 56, marks)


def _mark(one: Cell, x: float, y: float) -> Markup:
    """A cell, drawn as a line as wide as a column: the shortest there is."""
    path = f"M{written(x)} {y}v{_ROW - 1}"
    if one.share is None:
        return mark("path", one.says, class_="v0", stroke_dasharray="1 2", d=path)
    level = shade(one.share)
    if one.open:
        return mark("path", one.says, stroke=f"url(#open{level})", d=path)
    return mark("path", one.says, class_=f"v{level}", d=path)


def _legend(left: float, y: float) -> list[Markup]:
    """Shades from 0 to 1, hatching, and the empty cell."""
    squares = [
        element("path", class_=f"one v{level}", d=box(left + 14 * level, y, 13, 13))
        for level in range(LEVELS)
    ]
    after = left + 14 * LEVELS + 6
    return [
        *squares,
        element("text", "0 to the highest", class_="soft", x=after, y=y + 11),
        element("path", fill="url(#open3)", d=box(after + 108, y, 13, 13)),
        element("text", "not all judged", class_="soft", x=after + 127, y=y + 11),
        element(
            "path",
            class_="s v0",
            stroke_width=13,
            stroke_dasharray="1 2",
            d=f"M{after + 229:.1f} {y:.1f}v13",
        ),
        element("text", "undefined", class_="soft", x=after + 241, y=y + 11),
    ]
