"""Two systems query by query: a bar up where the first is better, down where the second is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from annotator.report.figures.drawing import RIGHT, Figure, Scale, box, mark, scale
from annotator.text.markup import Markup, element, joined
from annotator.text.numbers import COARSE, decimal

_TOP, _TALL, _LEFT = 20, 180, 52


class Bar(NamedTuple):
    """One query: the difference, how far it may reach, and whether it is ``open``."""

    says: str
    value: float
    reach: tuple[float, float] | None
    open: bool


def draw_differences(
    key: str, title: str, finding: str, names: tuple[str, str], bars: Sequence[Bar]
) -> Figure:
    """Draw bars from left to right."""
    ends = [end for one in bars if one.reach for end in one.reach]
    upright = scale([0.0, *(one.value for one in bars), *ends], _TOP + _TALL, _TOP)
    wide = (RIGHT - _LEFT) / max(len(bars), 1)
    marks: list[Markup] = [_axis(upright, names)]
    marks += [_bar(one, upright, _LEFT + wide * at, wide) for at, one in enumerate(bars)]
    reaches = [
        f"M{_LEFT + wide * (at + 0.5):.1f} {upright(one.reach[0]):.1f}V{upright(one.reach[1]):.1f}"
        for at, one in enumerate(bars)
        if one.reach and one.open
    ]
    marks.append(element("path", class_="reach", d="".join(reaches)))
    marks.append(element("path", class_="axis", d=f"M{_LEFT} {upright(0.0):.1f}H{RIGHT}"))
    return Figure(key, title, finding, _TOP + _TALL + 24, marks)


def _axis(upright: Scale, names: tuple[str, str]) -> Markup:
    ticks = upright.ticks()
    lines = "".join(f"M{_LEFT} {upright(one):.1f}H{RIGHT}" for one in ticks)
    texts = [
        element("text", decimal(one, COARSE), class_="soft end", x=_LEFT - 6, y=upright(one) + 4)
        for one in ticks
    ]
    first, second = (f"{one} better" for one in names)
    return joined(
        element("path", class_="grid", d=lines),
        *texts,
        element("text", f"\N{UPWARDS ARROW} {first}", class_="ink", x=_LEFT, y=12),
        element(
            "text", f"\N{DOWNWARDS ARROW} {second}", class_="ink end", x=RIGHT, y=_TOP + _TALL + 18
        ),
    )  # fmt: skip


def _bar(one: Bar, upright: Scale, x: float, wide: float) -> Markup:
    up, zero, end = one.value >= 0, upright(0.0), upright(one.value)
    tall = max(abs(end - zero), 1.0)
    which = "one" if up else "two"
    look = {"fill": f"url(#open-{which})"} if one.open else {"class_": which}
    gap = min(1.0, wide / 4)
    shape = box(x + gap, min(zero, end) if tall > 1 else zero - 0.5, wide - 2 * gap, tall)
    return mark("path", one.says, **look, d=shape)
