"""The scoreboard: never a number without its flag, never the mean alone."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.widgets import Footer, Static

from annotator.sanitise import one_line
from annotator.scoring.board import Board
from annotator.scoring.table import MeasureScore, Method, QueryScore, SystemScore
from annotator.tui.bars import interval, percent
from annotator.tui.widgets.rows_view import RowsView
from annotator.tui.workplace import Workplace

BAR = 20
WIDE = 110


class ScoresScreen(Screen[str | None]):
    """Every system on one measure at a time; opening one shows its worst queries.

    Gives the id of a query to go to.
    """

    AUTO_FOCUS = "#scores"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("m", "next_measure", "Measure", id="scores.measure", tooltip="The next measure"),
        Binding("escape,b", "leave", "Back", id="screen.leave", tooltip="Back"),
        Binding("question_mark", "app.help", "Help", id="app.help", tooltip="All keys"),
    ]

    def __init__(self, workplace: Workplace, live: tuple[Board, Method] | None) -> None:
        super().__init__()
        self._work = workplace
        self._live = live
        self._measure = -1
        self._table: tuple[SystemScore, ...] = ()
        self._order: list[int] = []
        self._system: int | None = None

    def compose(self) -> ComposeResult:
        """What is shown, the systems or the queries of one, and the method."""
        yield Static(id="heading", markup=False)
        yield RowsView(id="scores")
        yield Static(id="method", markup=False)
        yield Footer(compact=True, show_command_palette=False)

    def on_mount(self) -> None:
        """Show what there is."""
        self.show(self._live)

    def show(self, live: tuple[Board, Method] | None) -> None:
        """Show a scoreboard, or that it is being read."""
        self._live = live
        if live is None:
            self.query_one("#heading", Static).update(" Scores · reading the rankings …")
            return
        self._table = live[0].table()
        self._draw()

    def _draw(self) -> None:
        if self._live is None:
            return
        board, method = self._live
        totals = self._work.session.totals
        now = replace(method, pooled_judged=totals.judged, pooled_pairs=totals.pooled)
        self.query_one("#method", Static).update(one_line(now.line()))
        measure = str(board.measures[self._measure])
        if self._system is None:
            self.query_one("#heading", Static).update(f" Scores · {measure}")
            self._draw_systems(measure)
        else:
            name = board.systems[self._system]
            score = self._table[self._system].measures[self._measure]
            said = [one_line(name, 60), measure, *score.flags(), "worst queries first"]
            self.query_one("#heading", Static).update(" " + " · ".join(said))
            self._draw_queries(score)

    def _draw_systems(self, measure: str) -> None:
        scores = [system.measures[self._measure] for system in self._table]
        self._order = sorted(range(len(scores)), key=lambda at: -(_point(scores[at]) or -1))
        rows = [_system_row(self._table[at].system, scores[at]) for at in self._order]
        headings = [
            "system",
            measure,
            "bounds",
            "judged",
            "p10",
            "median",
            "flags",
            "0 ────────────── 1",
        ]
        columns = len(headings) if self.size.width >= WIDE else len(headings) - 1
        self.query_one("#scores", RowsView).show(
            headings[:columns],
            [row[:columns] for row in rows],
            right=(1, 2, 3, 4, 5),
            flexible=(6, 0),
        )

    def _draw_queries(self, score: MeasureScore) -> None:
        self.query_one("#scores", RowsView).show(
            ["query", score.measure, "bounds", "unjudged", "0 ────────────── 1"],
            [_query_row(one) for one in score.worst],
            right=(1, 2, 3),
        )

    def on_resize(self) -> None:
        """A wider screen has room for more columns."""
        if self._table:
            self._draw()

    def on_rows_view_chosen(self, message: RowsView.Chosen) -> None:
        """Show the worst queries of a system; go to a query."""
        if self._system is None:
            if self._order:
                self._system = self._order[message.row]
                self._draw()
                self.query_one(RowsView).cursor = 0
        else:
            score = self._table[self._system].measures[self._measure]
            self.dismiss(score.worst[message.row].query)

    def action_next_measure(self) -> None:
        """Show the next measure."""
        if self._live:
            self._measure = (self._measure + 1) % len(self._live[0].measures)
            self._draw()

    def action_leave(self) -> None:
        """From the queries of a system back to the systems, from there to the document."""
        if self._system is None:
            self.dismiss(None)
        else:
            left, self._system = self._system, None
            self._draw()
            self.query_one(RowsView).cursor = self._order.index(left)


def _point(score: MeasureScore) -> float | None:
    return score.summary.condensed if score.summary.value is None else score.summary.value


def _number(value: float | None) -> str:
    return "—" if value is None else f"{value:.3f}"


def _bounds(lower: float | None, upper: float | None) -> str:
    """What the score could still become; one number where nothing can change it."""
    return _number(lower) if lower == upper else f"{_number(lower)} to {_number(upper)}"


def _flagged(value: float | None, estimate: float | None) -> str:
    """A determined score as it is; an estimate with a mark that says it is none."""
    return _number(value) if value is not None else f"~{_number(estimate)}"


def _system_row(name: str, score: MeasureScore) -> list[str]:
    one = score.summary
    return [
        name,
        _flagged(one.value, one.condensed),
        _bounds(one.lower, one.upper),
        "—" if one.judged is None else percent(round(one.judged * 10_000), 10_000),
        _number(one.p10),
        _number(one.median),
        ", ".join(score.flags()),
        interval(one.lower, _point(score), one.upper, BAR),
    ]


def _query_row(one: QueryScore) -> list[str]:
    return [
        one.query,
        _flagged(one.value, one.condensed),
        _bounds(one.lower, one.upper),
        str(one.unjudged),
        interval(one.lower, one.point, one.upper, BAR),
    ]
