"""What every figure is made of: marks with their values as titles, scales, colours, hatching."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from annotator.text.markup import Markup, element, joined, written
from annotator.text.numbers import decimal
from annotator.text.safe import one_line

WIDTH = 640
"""Of every figure, in pixels where it has room; it shrinks with the page."""
RIGHT = WIDTH - 18
LEVELS = 8
"""Shades of a colour, from pale to full."""
_LONGEST = 26
_LETTER = 7.2  # pixels that a letter takes on average, in the type of _STYLE

_COLOURS = {
    ".ink": ("fill", "#1b1b1b", "#ececec"),
    ".soft": ("fill", "#595959", "#b8b8b8"),
    ".grid": ("stroke", "#d4d4d4", "#454545"),
    ".axis,.hollow,.reach": ("stroke", "#1b1b1b", "#ececec"),
    ".one": ("fill", "#1f5fa8", "#7db3f0"),
    ".two": ("fill", "#b3500c", "#f0a35e"),
    ".range,.s": ("stroke", "#1f5fa8", "#7db3f0"),
    ".ground,.hollow": ("fill", "#ffffff", "#1b1b1b"),
}
_STYLE = (
    ".figure{font:12px system-ui,sans-serif}"
    ".axis,.grid,.reach{stroke-width:1;fill:none}.range{stroke-width:5;opacity:.55}"
    ".hollow{stroke-width:1.5}.end{text-anchor:end}.middle{text-anchor:middle}"
    ".text text{text-anchor:middle;pointer-events:none}"
    + "".join(
        f".v{level}{{fill-opacity:{share};stroke-opacity:{share}}}"
        for level in range(LEVELS)
        for share in [decimal((level + 1) / LEVELS, 3)]
    )
)


def _colours(which: int) -> str:
    return "".join(
        f"{','.join(f'.figure {one}' for one in names.split(','))}{{{said[0]}:{said[which]}}}"
        for names, said in _COLOURS.items()
    )


STYLE = (
    f"{_STYLE}{_colours(1)}@media(prefers-color-scheme:dark){{{_colours(2)}}}"
    f"@media print{{{_colours(1)}}}"
    "@media(forced-colors:active){.figure text{fill:CanvasText}"
    ".figure .axis,.figure .reach,.figure .grid{stroke:CanvasText}}"
)
"""The look of all figures, once for a page."""


def _hatch(key: str, *inside: Markup) -> Markup:
    lines = element("path", class_="reach", d="M-1 1l2-2M0 5l5-5M4 6l2-2")
    units = {"patternUnits": "userSpaceOnUse"}
    return element("pattern", *inside, lines, id=key, width=5, height=5, **units)


def _square(look: str) -> Markup:
    return element("path", class_=look, d="M0 0h5v5h-5z")


HATCHES = element(
    "defs",
    *(_hatch(f"open{level}", _square(f"one v{level}")) for level in range(LEVELS)),
    _hatch("open-one", _square("one v2")),
    _hatch("open-two", _square("two v2")),
)
"""The hatching of what is not known for sure, by its shade; once for a page."""


@dataclass(frozen=True)
class Figure:
    """A drawing with its name in files, its title, and what it shows in one sentence."""

    key: str
    title: str
    finding: str
    height: float
    marks: Sequence[Markup]

    def inline(self) -> Markup:
        """It as a part of a page, which has :data:`STYLE` and :data:`HATCHES` once."""
        return self._svg()

    def alone(self) -> str:
        """It as a file of its own."""
        return f'<?xml version="1.0" encoding="UTF-8"?>\n{self._svg(own=True)}\n'

    def _svg(self, *, own: bool = False) -> Markup:
        title, finding = f"{self.key}-title", f"{self.key}-finding"
        look = [element("style", Markup(STYLE)), HATCHES] if own else []
        size: dict[str, Any] = {"xmlns": "http://www.w3.org/2000/svg"} if own else {}
        size |= {"viewBox": f"0 0 {WIDTH} {self.height:.0f}", "width": WIDTH, "height": self.height}
        return element(
            "svg",
            element("title", self.title, id=title),
            element("desc", self.finding, id=finding),
            *look,
            *self.marks,
            class_="figure",
            role="img",
            aria_labelledby=f"{title} {finding}",
            **size,
        )


@dataclass(frozen=True)
class Scale:
    """From values to pixels."""

    low: float
    high: float
    first: float
    last: float

    def __call__(self, value: float) -> float:
        """The place of a value, at the edge where it lies outside."""
        share = (min(max(value, self.low), self.high) - self.low) / (self.high - self.low)
        return self.first + share * (self.last - self.first)

    def ticks(self) -> list[float]:
        """Round values, at most nine of them."""
        step = _step(self.high - self.low)
        count = round((self.high - self.low) / step)
        return [self.low + at * step for at in range(count + 1)]


def scale(values: Sequence[float], first: float, last: float) -> Scale:
    """A scale with round ends around all values; that of scores from 0 to 1 where there is none."""
    low, high = (min(values), max(values)) if values else (0.0, 1.0)
    step = _step(max(high - low, 0.05))
    low, high = math.floor(low / step + 1e-9) * step, math.ceil(high / step - 1e-9) * step
    return Scale(low, high if high > low else low + step, first, last)


def _step(reach: float) -> float:
    """The least of 1, 2 and 5 times a power of ten that goes eight times at most into a reach."""
    ten = 10.0 ** math.floor(math.log10(reach / 8))
    return next(ten * one for one in (1, 2, 5, 10) if ten * one * 8.001 >= reach)


def label_width(labels: Sequence[str]) -> float:
    """How much room labels take at the left."""
    return 16 + _LETTER * max((len(one_line(one, _LONGEST)) for one in labels), default=0)


def label(text: str, x: float, y: float, look: str = "ink end") -> Markup:
    """A name beside a row, cut where it is too long."""
    return element("text", one_line(text, _LONGEST), class_=look, x=x, y=y)


def mark(name: str, title: str, **attributes: str | float | None) -> Markup:
    """A shape that says what it stands for."""
    return element(name, element("title", one_line(title)), **attributes)


def box(x: float, y: float, width: float, height: float) -> str:
    """The path of a rectangle: shorter than the tag."""
    left, top, wide, tall, back = map(written, (x, y, width, height, -width))
    return f"M{left} {top}h{wide}v{tall}h{back}z"


def grid(along: Scale, top: float, bottom: float, digits: int = 2) -> Markup:
    """Upright lines at round values, and the values below."""
    ticks = along.ticks()
    lines = "".join(f"M{along(one):.1f} {top:.1f}V{bottom:.1f}" for one in ticks)
    texts = [
        element("text", decimal(one, digits), class_="soft middle", x=along(one), y=bottom + 16)
        for one in ticks
    ]
    return joined(element("path", class_="grid", d=lines), *texts)


def shade(share: float) -> int:
    """The shade of a share of 0..1."""
    return min(max(int(share * LEVELS), 0), LEVELS - 1)
