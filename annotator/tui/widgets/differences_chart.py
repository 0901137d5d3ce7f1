"""The differences of all queries at a glance: a bar a query, from the greatest to the least."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, copysign
from typing import ClassVar, NamedTuple

import numpy as np
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import Static
from textual_plot import AxisFormatter, HiResMode, PlotWidget

from annotator.results.comparisons import QueryDifference
from annotator.text.numbers import COARSE, signed

MARGIN = 7
"""Cells to the left of the frame, for the numbers of the axis."""
FRAME = 2
"""Cells that the frame takes of the width, and of the height."""
FINEST = 4
"""Dots down a cell at most."""
WIDEST = 6
"""Cells of a bar at most, with the gap beside it."""


class Bars(NamedTuple):
    """What is drawn, from the greatest to the least.

    Attributes
    ----------
    heights
        First minus second.
    settled
        Whether no further label can change it.
    pooled
        How many queries are behind a bar at most; the bar is their mean.
    """

    heights: tuple[float, ...]
    settled: tuple[bool, ...]
    pooled: int


def bars_of(queries: Sequence[QueryDifference], most: int) -> Bars:
    """The differences in at most so many bars; the undefined are left out."""
    known = [(one.estimate, one.value is not None) for one in queries if one.estimate is not None]
    known.sort(key=lambda pair: -pair[0])
    groups = np.array_split(np.arange(len(known)), min(len(known), most) or 1)
    shown = [[known[at] for at in group] for group in groups if len(group)]
    return Bars(
        tuple(sum(height for height, _ in group) / len(group) for group in shown),
        tuple(all(settled for _, settled in group) for group in shown),
        max(map(len, shown), default=0),
    )


class EndsAxis(AxisFormatter):
    """Labels of the greatest and the least and of 0, each by the place of its tick."""

    def __init__(self, values: dict[float, float]) -> None:
        self._values = values

    def get_ticks(self, min_: float, max_: float, max_ticks: int = 3) -> list[float]:
        """The places."""
        return list(self._values)

    def get_labels_for_ticks(self, ticks: Sequence[float]) -> list[str]:
        """The numbers with their signs."""
        values = [self._values[tick] for tick in ticks]
        return [signed(value, COARSE) if value else "0" for value in values]


class Overview(Vertical):
    """The chart below a line that says what it shows; nothing where no difference is defined."""

    def __init__(self, queries: Sequence[QueryDifference], *, id: str | None = None) -> None:  # noqa: A002 -- Textual's own name
        super().__init__(id=id)
        self._queries = queries
        if all(one.estimate is None for one in queries):
            self.display = False

    def compose(self) -> ComposeResult:
        """Title and chart."""
        yield Static(id="chart-title", markup=False)
        yield DifferencesChart(self._queries)

    def on_resize(self) -> None:
        """Show what there is room for."""
        shown = self.query_one(DifferencesChart).fit(self.size.width)
        settled = sum(one.value is not None for one in self._queries)
        undefined = sum(one.estimate is None for one in self._queries)
        pooled = f"Means of up to {shown.pooled:,} queries"
        parts = [
            pooled if shown.pooled > 1 else "First minus second by query",
            f"█ {settled} settled",
            f"⣿ {len(self._queries) - settled - undefined} not settled",
            f"{undefined} undefined" if undefined else "",
        ]
        self.query_one("#chart-title", Static).update(" · ".join(filter(None, parts)))


class DifferencesChart(PlotWidget, can_focus=False, inherit_bindings=False):
    """A chart to look at: it takes no keys, and the wheel does nothing to it.

    What is settled is solid; what is not is dotted, and in the accent.
    """

    ALLOW_SELECT = False
    COMPONENT_CLASSES: ClassVar[set[str]] = {"chart--settled", "chart--open", "chart--zero"}
    DEFAULT_CSS = """
    DifferencesChart {
        height: 1fr;
        & > .plot--axis { color: $panel; }
        & > .plot--tick { color: $text-muted; text-style: none; }
        & > .chart--settled { color: $foreground; }
        & > .chart--open { color: $text-accent; }
        & > .chart--zero { color: $text-muted; }
    }
    """

    def __init__(self, queries: Sequence[QueryDifference]) -> None:
        super().__init__(allow_pan_and_zoom=False)
        self._queries = queries
        self._bars = bars_of(queries, 1)
        self.set_xticks([])

    def on_mount(self) -> None:
        """No room for labels that there are not."""
        self.margin_top = self.margin_bottom = 0
        self.margin_left = MARGIN

    def fit(self, width: int) -> Bars:
        """Be as wide as the bars, and at most so many cells; give what is shown."""
        room = max(1, width - MARGIN - FRAME)
        self._bars = bars_of(self._queries, room)
        count = max(1, len(self._bars.heights))
        self.styles.width = MARGIN + FRAME + count * min(WIDEST, room // count)
        self._draw()
        return self._bars

    def on_resize(self) -> None:
        """Fill the frame anew."""
        self._draw()

    def notify_style_update(self) -> None:
        """Follow the theme, once the parts have their new styles too."""
        super().notify_style_update()
        if self.is_mounted:
            self.call_later(self._draw)

    def _draw(self) -> None:
        room, rows = self.size.width - MARGIN - FRAME, self.size.height - FRAME
        heights = self._bars.heights
        if rows < 2 or not 0 < len(heights) <= room:
            return
        self.clear()
        unit, below = scale_of(heights, rows)
        self.set_xlimits(0, room)
        self.set_ylimits(-unit * below, unit * (rows - below))
        self.set_y_formatter(EndsAxis(_ticks(heights, unit)))
        # In the lowest dots of the row that ends at 0, so that bars of both signs begin beside it.
        self.plot([0, room], [unit / 8] * 2, self._style("zero"), HiResMode.BRAILLE)
        step = room // len(heights)
        for mark in MARKS:
            chosen = [at for at, one in enumerate(self._bars.settled) if one is mark.settled]
            dots = [dot for at in chosen for dot in mark.dots(at * step, step, heights[at] / unit)]
            if dots:
                x, y = np.array(dots).T
                style = self._style(mark.style)
                self.scatter(x, y * unit, marker_style=style, hires_mode=mark.mode)

    def _style(self, part: str) -> str:
        return str(self.get_component_rich_style(f"chart--{part}"))


class Mark(NamedTuple):
    """How a bar is filled: with so many dots across and down each cell.

    The plot's own bars spill over by a dot where they are lower than a row.
    """

    settled: bool
    style: str
    mode: HiResMode
    across: int
    down: int

    def dots(self, left: int, step: int, rows: float) -> list[tuple[float, float]]:
        """The middles of a bar's dots, in cells from the left and rows from 0.

        A difference that is not 0 has a dot at least; a cell is left free beside a bar if it can.
        """
        high = round(abs(rows) * self.down) or int(rows != 0)
        sign = 1 if rows > 0 else -1
        wide = max(1, step - 1) * self.across
        return [
            (left + (x + 0.5) / self.across, sign * (y + 0.5) / self.down)
            for x in range(wide)
            for y in range(high)
        ]


MARKS = (
    Mark(True, "settled", HiResMode.HALFBLOCK, 1, 2),
    Mark(False, "open", HiResMode.BRAILLE, 2, FINEST),
)


def scale_of(heights: Sequence[float], rows: int) -> tuple[float, int]:
    """What a row stands for, and how many are below 0: at least one on each side, 0 between two."""
    high, low = max(0.0, *heights), max(0.0, *(-one for one in heights))
    return min((max(high / (rows - below), low / below) or 1.0, below) for below in range(1, rows))


def _ticks(heights: Sequence[float], unit: float) -> dict[float, float]:
    """The greatest and the least, each in the middle of the row its bar ends in, and 0."""
    ticks = {unit / 2: 0.0}
    for end in (max(heights), min(heights)):
        if rows := ceil(round(abs(end) / unit * FINEST) / FINEST):
            ticks.setdefault(copysign(rows - 0.5, end) * unit, end)
    return ticks
