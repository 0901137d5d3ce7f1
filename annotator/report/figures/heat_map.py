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
from annotator.text.markup import Markup, element

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
        marks += [
            mark("path", one.says, **_look(one), d=box(left + wide * place, y, wide - 1, _ROW - 1))
            for place, one in enumerate(cells)
        ]
    marks.append(element("text", below, class_="soft", x=left, y=bottom + 14))
    marks += _legend(left, bottom + 22)
    return Figure(key, title, finding, bottom + 56, marks)


def _look(one: Cell) -> dict[str, str]:
    if one.share is None:
        return {"class_": "grid"}
    level = shade(one.share)
    return {"fill": f"url(#open{level})"} if one.open else {"class_": f"one v{level}"}


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
        element("path", class_="grid", d=box(after + 222, y, 13, 13)),
        element("text", "undefined", class_="soft", x=after + 241, y=y + 11),
    ]
