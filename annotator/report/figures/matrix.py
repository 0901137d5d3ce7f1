"""Every system against every other: who is ahead, by how much, and how surely."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from annotator.report.figures.drawing import RIGHT, Figure, box, label, label_width, mark
from annotator.text.markup import Markup, element, joined

_ROW, _TOP, _WIDEST = 26, 22, 86
_LETTERS = 6.4
SURE, LIKELY, EVEN, OPEN = "sure", "likely", "even", "open"
"""How much is known of a pair: nothing can change it, it is credible, there is none, or nothing."""


class Verdict(NamedTuple):
    """One cell: the row minus the column in a few characters and in words.

    ``ahead`` says whether the row is; ``known`` is one of the four words above.
    """

    short: str
    says: str
    ahead: bool
    known: str


def draw_matrix(
    key: str,
    title: str,
    finding: str,
    names: Sequence[str],
    cells: Mapping[tuple[str, str], Verdict],
) -> Figure:
    """Draw rows minus columns, both in the order of ``names``; columns are numbered as the rows."""
    numbered = [f"{at} {name}" for at, name in enumerate(names, start=1)]
    left = label_width(numbered)
    wide = min(_WIDEST, (RIGHT - left) / max(len(names), 1))
    marks, drawn = list[Markup](), list[Markup]()
    for at in range(len(names)):
        x = left + wide * (at + 0.5)
        marks.append(element("text", str(at + 1), class_="soft middle", x=x, y=_TOP - 8))
    for at, row in enumerate(names):
        y = _TOP + _ROW * at
        marks.append(label(numbered[at], left - 8, y + 17))
        for place, column in enumerate(names):
            if (one := cells.get((row, column))) is not None:
                drawn.append(_cell(one, left + wide * place, y, wide))
    marks.append(element("g", *drawn, class_="text ink"))
    return Figure(key, title, finding, _TOP + _ROW * len(names) + 6, marks)


def _cell(one: Verdict, x: float, y: float, wide: float) -> Markup:
    shape = box(x, y, wide - 2, _ROW - 2)
    side = "one" if one.ahead else "two"
    looks = {SURE: f"{side} v2", LIKELY: f"{side} v0", EVEN: "ground", OPEN: "ground"}
    dashes = "3 2" if one.known == OPEN else None
    look = looks[one.known] + (" grid" if dashes else "")
    cell = mark("path", one.says, class_=look, stroke_dasharray=dashes, d=shape)
    if len(one.short) * _LETTERS > wide:
        return cell
    middle = x + wide / 2 - 1
    return joined(cell, element("text", one.short, x=middle, y=y + 16))
