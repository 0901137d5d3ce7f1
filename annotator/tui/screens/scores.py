"""The scoreboard: never a number without its flag, never the mean alone."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import Static

from annotator.results.scores import MeasureScore, Neighbours, SystemScore
from annotator.scoring.board import Board
from annotator.scoring.paired_systems import compared
from annotator.text.numbers import BRIEF, decimal, likely
from annotator.text.safe import one_line
from annotator.tui.messages import UNBLINDS
from annotator.tui.scoreboard import LiveBoard
from annotator.tui.screens import score_rows
from annotator.tui.screens.ask import Ask
from annotator.tui.screens.base import BaseScreen
from annotator.tui.screens.compare import CompareScreen
from annotator.tui.widgets.key_line import KeyLine
from annotator.tui.widgets.rows_view import RowsView
from annotator.tui.workplace import Estimated, Live, Workplace
from rubric import Measure, RubricError

AT_ONCE = 2_000
"""So many scores are computed before the next key; more in a thread, where they can take long."""
OPEN_AT_ONCE = 300
"""So many unjudged documents have their grades drawn before the next key."""


class ScoresScreen(BaseScreen[None]):
    """Every system on one measure at a time; opening one shows its worst queries.

    ``rankings`` shows what all systems returned for the query that is opened there.
    """

    AUTO_FOCUS = "#scores"
    VERTICAL_BREAKPOINTS = [(0, "-tiny"), (16, "-roomy")]  # noqa: RUF012 -- as Screen declares it
    CONTEXT = "scores"
    KEYED = (RowsView,)
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("m", "next_measure", "Measure", id="scores.measure", tooltip="The next measure"),
        Binding("e", "measures", "Measures", id="scores.measures",
                tooltip="Choose the measures and their cutoffs"),
        Binding("s", "sort", "Sort", id="scores.sort", tooltip="Sort by the next column"),
        Binding("c", "compare", "Compare", id="scores.compare",
                tooltip="Compare this system with the one opened next"),
        Binding("escape,b", "leave", "Back", id="screen.leave", tooltip="Back"),
        Binding("question_mark", "app.help", "Help", id="app.help", tooltip="All keys"),
    ]  # fmt: skip

    def __init__(
        self,
        workplace: Workplace,
        boards: LiveBoard,
        rankings: Callable[[str], None],
    ) -> None:
        super().__init__()
        self._work = workplace
        self._boards, self._live = boards, boards.current()
        self._board: Board | None = None
        self._rankings = rankings
        self._table: tuple[SystemScore, ...] = ()
        self._pairs: tuple[Neighbours, ...] = ()
        self._order: list[int] = []
        self._system: int | None = None
        self._compared: int | None = None

    def compose(self) -> ComposeResult:
        """What is shown, the systems or the queries of one, and the method."""
        yield Static(id="heading", markup=False)
        yield RowsView(id="scores")
        yield Static(id="detail", markup=False)
        yield Static(id="method", markup=False)
        yield KeyLine()

    def on_mount(self) -> None:
        """Show what there is."""
        self.board_read(self._live)

    def board_read(self, live: Live | None) -> None:
        """Show a scoreboard, or that it is being read."""
        self._live = live
        if live is None:
            self.query_one("#heading", Static).update(" Scores · reading the rankings …")
            return
        board = live[0]
        scores = len(board.systems) * len(board.qids) * len(board.measures)
        if scores <= AT_ONCE and board.unjudged <= OPEN_AT_ONCE:
            self._take(live, self._boards.estimated(live))
        else:
            self.query_one("#heading", Static).update(" Scores · being computed …")
            self._boards.estimate_beside(self, live, partial(self._take, live))

    def _take(self, live: Live, found: Estimated) -> None:
        if live is self._live:
            self._board, self._table, self._pairs, _ = found
            self._draw()

    def _draw(self) -> None:
        if self._live is None or self._board is None:
            return
        board, method = self._board, self._live[1]
        totals = self._work.session.totals
        measure = str(board.measures[self._boards.measure])
        now = score_rows.method_now(method, board, totals.labelled, totals.pooled)
        said = score_rows.order(now, self._table, self._pairs, self._boards.measure)
        line = now.line()
        self.query_one("#method", Static).update("\n".join([*said, one_line(line)]))
        if self._system is None:
            heading = f" Scores · {measure} · systems by name, no documents"
            if self._compared is not None:
                heading += f" · compare {one_line(board.systems[self._compared], 40)} with: open it"
            self._draw_systems(measure)
        else:
            name = board.systems[self._system]
            found = self._table[self._system].measures[self._boards.measure]
            filled = found.summary.zero_filled
            parts = [one_line(name, 60), f"{measure} {likely(found.summary, BRIEF, filled=filled)}"]
            parts += [
                f"zero-filled {decimal(filled, BRIEF)}",
                *found.flags(),
                "worst queries first",
            ]
            heading = " " + " · ".join(parts)
            self._draw_queries(found)
        self.query_one("#heading", Static).update(heading)
        self.refresh_bindings()

    def _draw_systems(self, measure: str) -> None:
        column, key = score_rows.SORTS[self._boards.sort]
        scores = self._scores()
        self._order = sorted(range(len(scores)), key=lambda at: key(scores[at]))
        ranked = [scores[at] for at in self._order]
        view = self.query_one("#scores", RowsView)
        table = score_rows.systems(measure, column, ranked, self.size.width)
        view.show(table.headings, table.rows, right=table.right)

    def _scores(self) -> list[tuple[str, MeasureScore]]:
        return [(system.system, system.measures[self._boards.measure]) for system in self._table]

    def _draw_queries(self, score: MeasureScore) -> None:
        self.query_one("#scores", RowsView).show(
            ["query", score.measure, "bounds", "unjudged", score_rows.AXIS],
            [score_rows.query_row(one) for one in score_rows.worst_first(score)],
            right=(1, 2, 3),
        )

    def on_resize(self) -> None:
        """A wider screen has room for more columns."""
        if self._table:
            self._draw()

    def on_rows_view_moved(self, message: RowsView.Moved) -> None:
        """Say of the row under the cursor what the columns may have no room for."""
        if message.is_stale:
            return
        if self._system is None:
            name, score = self._scores()[self._order[message.row]]
            said = one_line(score_rows.system_detail(name, score, self._pairs), 400)
        else:
            score = self._table[self._system].measures[self._boards.measure]
            said = self._detail(score_rows.worst_first(score)[message.row].query)
        self.query_one("#detail", Static).update(said)

    def _detail(self, qid: str) -> str:
        """What to open a query does to its assessor, in a line of its own; and the query's text."""
        if self._live is None:
            return ""
        query, session = self._live[0].ranked(qid)[0], self._work.session
        text = one_line(session.query_text(query), 400)
        return text if session.has_seen_rankings(query) else f"{UNBLINDS}\n{text}"

    def on_screen_resume(self) -> None:
        """Say anew what may have changed: whether rankings have been seen."""
        for rows in self.query(RowsView):
            rows.watch_cursor()

    def on_rows_view_heading_clicked(self, message: RowsView.HeadingClicked) -> None:
        """Sort by the column that is clicked."""
        if self._system is None and message.column in score_rows.SORTED:
            self._sort_by(score_rows.SORTED.index(message.column))

    def on_rows_view_chosen(self, message: RowsView.Chosen) -> None:
        """Show the worst queries of a system, or compare it; show the rankings of a query."""
        if message.is_stale:
            return
        if self._system is not None:
            score = self._table[self._system].measures[self._boards.measure]
            self._rankings(score_rows.worst_first(score)[message.row].query)
        elif self._compared is not None and self._board:
            first, second, board = self._compared, self._order[message.row], self._board
            self._compared = None
            self._draw()
            measure = board.measures[self._boards.measure]
            found = compared(board, first, second, measure, seed=0)
            self.app.push_screen(CompareScreen(found, self._detail, self._rankings))
        elif self._order:
            self._system = self._order[message.row]
            self._draw()
            self.query_one(RowsView).cursor = 0

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Only systems are sorted and compared."""
        return self._system is None if action in ("sort", "compare") else True

    def action_next_measure(self) -> None:
        """Show the next measure."""
        if self._live:
            self._boards.measure = (self._boards.measure + 1) % len(self._live[0].measures)
            self._draw()

    def action_measures(self) -> None:
        """Ask which measures to show."""
        if self._live:
            now = " ".join(map(str, self._live[0].measures))
            ask = Ask("Measures, such as nDCG@10 P@5 AP RR@10", value=now, required=True, to="show")
            self.app.push_screen(ask, self._take_measures)

    def _take_measures(self, words: str | None) -> None:
        if not words or not self._live:
            return
        try:
            measures = Measure.parse_all(words)
        except RubricError as error:
            self.notify(one_line(str(error)), severity="error", markup=False)
            return
        self._boards.measure_by(measures)
        self.board_read(self._live)

    def action_sort(self) -> None:
        """Sort by the next column; the cursor stays on its system."""
        self._sort_by((self._boards.sort + 1) % len(score_rows.SORTS))

    def _sort_by(self, sort: int) -> None:
        if self._order:
            at = self._order[self.query_one(RowsView).cursor]
            self._boards.sort = sort
            self._draw()
            self.query_one(RowsView).cursor = self._order.index(at)

    def action_compare(self) -> None:
        """Take this system as the first of two."""
        if self._order:
            self._compared = self._order[self.query_one(RowsView).cursor]
            self._draw()

    def action_leave(self) -> None:
        """From the queries of a system back to the systems, from there to the document."""
        if self._compared is not None:
            self._compared = None
            self._draw()
        elif self._system is None:
            self.dismiss(None)
        else:
            left, self._system = self._system, None
            self._draw()
            self.query_one(RowsView).cursor = self._order.index(left)
