"""Two systems query by query: what is certain, and a bar for each difference."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import Static

from annotator.report.answer import plain_sentence
from annotator.report.verdicts import loose
from annotator.results.comparisons import Compared, QueryDifference
from annotator.text.numbers import BRIEF, COARSE, decimal, mark_of, span
from annotator.text.safe import one_line
from annotator.tui.bar_charts import difference
from annotator.tui.screens.base import BaseScreen
from annotator.tui.widgets.key_line import KeyLine
from annotator.tui.widgets.rows_view import RowsView

BAR = 41
"""Cells of the bars at most, so that their middle is one of them."""
BESIDE = 50
"""Cells of the other columns."""


class CompareScreen(BaseScreen[None]):
    """First minus second, the largest difference first; opening a query shows its rankings."""

    AUTO_FOCUS = "RowsView"
    VERTICAL_BREAKPOINTS = [(0, "-tiny"), (16, "-low"), (22, "-high"), (32, "-tall")]  # noqa: RUF012 -- as Screen declares it
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (60, "-wide")]  # noqa: RUF012
    CONTEXT = "comparison"
    KEYED = (RowsView,)
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("s", "sort", "Sort", id="compare.sort",
                tooltip="Sort by size, by sign, or as queries come"),
        Binding("escape,c", "leave", "Back", id="screen.leave", tooltip="Back to the scores"),
        Binding("question_mark", "app.help", "Help", id="app.help", tooltip="All keys"),
    ]  # fmt: skip

    def __init__(
        self,
        compared: Compared,
        detail: Callable[[str], str],
        rankings: Callable[[str], None],
    ) -> None:
        super().__init__()
        self._compared = compared
        self._detail = detail
        self._rankings = rankings
        self._sort = 0
        self._shown: list[QueryDifference] = []

    def compose(self) -> ComposeResult:
        """The verdict, all differences in a chart, then a row a query."""
        # Only here: a plot takes a while to load, and most sessions never draw one.
        from annotator.tui.widgets.differences_chart import Overview

        yield Static(id="heading", markup=False)
        yield Static(id="verdict", markup=False)
        yield Overview(self._compared.queries, id="overview")
        yield RowsView(id="differences")
        yield Static(id="detail", markup=False)
        yield KeyLine()

    def on_mount(self) -> None:
        """Show what was found."""
        one = self._compared
        first, second = one_line(one.first, 40), one_line(one.second, 40)
        self.query_one("#heading", Static).update(f" {one.result.measure} · {first} - {second}")
        self.query_one("#verdict", Static).update(f"{plain_sentence(one)}\n{_numbers(one)}")
        self._draw()

    def _draw(self) -> None:
        keys = [_by_size, _by_sign, None]
        names = ["largest first", "won first", "in order"]
        key = keys[self._sort]
        self._shown = list(self._compared.queries)
        if key is not None:
            self._shown.sort(key=key)
        most = max((abs(one.estimate or 0) for one in self._shown), default=0) or 1
        bar = max(9, min(BAR, (self.size.width - BESIDE) | 1))
        self.query_one(RowsView).show(
            [
                "query",
                "difference",
                f"{names[self._sort]} (bars to {decimal(most, COARSE)})",
                "bounds",
                "flags",
            ],
            [_row(one, most, bar) for one in self._shown],
            right=(1, 3),
            flexible=(4, 0),
            bars=(2,),
        )

    def on_resize(self) -> None:
        """Make the bars as long as there is room for."""
        self._draw()

    def on_screen_resume(self) -> None:
        """Say anew what may have changed: whether rankings have been seen."""
        for rows in self.query(RowsView):
            rows.watch_cursor()

    def on_rows_view_moved(self, message: RowsView.Moved) -> None:
        """Show the text of the query under the cursor, and what to open it does."""
        text = self._detail(self._shown[message.row].query)
        self.query_one("#detail", Static).update(text)

    def on_rows_view_chosen(self, message: RowsView.Chosen) -> None:
        """Show the rankings of a query."""
        self._rankings(self._shown[message.row].query)

    def action_sort(self) -> None:
        """Sort in the next way."""
        self._sort = (self._sort + 1) % 3
        self._draw()

    def action_leave(self) -> None:
        """Back to the scores."""
        self.dismiss(None)


def _numbers(one: Compared) -> str:
    """What the answer rests on, in one line."""
    result = one.result
    said = [f"{one.verdict}"]
    if result.value is None and result.expected is not None and result.expected95 is not None:
        said.append(
            f"expected {decimal(result.expected, BRIEF)} in {span(*result.expected95, BRIEF)} (95%)"
        )
    said.append(f"certain {span(result.lower, result.upper, BRIEF)}{loose(one)}")
    return " · ".join(said)


def _by_size(one: QueryDifference) -> float:
    return -abs(one.estimate or 0)


def _by_sign(one: QueryDifference) -> float:
    return -(one.estimate or 0)


def _row(one: QueryDifference, most: float, bar: int) -> list[str]:
    size = None if one.estimate is None else one.estimate / most
    return [
        one.query,
        decimal(one.estimate, BRIEF, mark=mark_of(one)),
        difference(size, bar),
        span(one.lower, one.upper, BRIEF),
        one.flags,
    ]
