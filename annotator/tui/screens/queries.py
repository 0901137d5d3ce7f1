"""Every query with its progress; nothing of any system, since that would tell what is whose."""

from __future__ import annotations

from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import Static

from annotator.domain import QueryProgress
from annotator.text.safe import one_line
from annotator.tui.bar_charts import bar
from annotator.tui.messages import speed
from annotator.tui.screens.ask import Ask
from annotator.tui.screens.base import BaseScreen
from annotator.tui.widgets.key_line import KeyLine
from annotator.tui.widgets.rows_view import RowsView
from annotator.tui.workplace import Workplace


class QueriesScreen(BaseScreen[int | None]):
    """Where the work stands; opening a query goes there. Gives its place in the progress."""

    AUTO_FOCUS = "#queries"
    VERTICAL_BREAKPOINTS = [(0, "-tiny"), (16, "-roomy")]  # noqa: RUF012 -- as Screen declares it
    CONTEXT = "queries"
    KEYED = (RowsView,)
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("o", "only_open", "Only open", id="queries.only-open", tooltip="Hide finished"),
        Binding("slash", "filter", "Filter", id="queries.filter",
                tooltip="Queries with these words in id or text"),
        Binding("escape,q", "leave", "Back", id="screen.leave", tooltip="Back to the document"),
        Binding("question_mark", "app.help", "Help", id="app.help", tooltip="All keys"),
    ]  # fmt: skip

    def __init__(self, workplace: Workplace) -> None:
        super().__init__()
        self._work = workplace
        self._only_open = False
        self._words = ""
        self._shown: list[int] = []

    def compose(self) -> ComposeResult:
        """Pace, and queries."""
        yield Static(id="heading", markup=False)
        yield RowsView(id="queries")
        yield Static(id="detail", markup=False)
        yield KeyLine()

    def on_mount(self) -> None:
        """Fill the table."""
        self._show_queries()

    def _show_queries(self) -> None:
        progress = self._work.session.progress
        here = self._work.session.query_progress
        self._shown = [at for at, one in enumerate(progress) if self._is_wanted(one)]
        only = f" · with {one_line(self._words, 40)}" if self._words else ""
        self.query_one("#heading", Static).update(f" Queries{only} · {speed(self._work)}")
        rows = [self._row(progress[at]) for at in self._shown]
        places = [at for at, place in enumerate(self._shown) if progress[place] == here]
        self.query_one("#queries", RowsView).show(
            ["query", "text", "judged", "", "left"],
            rows,
            flexible=(1,),
            right=(2, 4),
            cursor=places[0] if places else 0,
        )

    def _is_wanted(self, one: QueryProgress) -> bool:
        if self._only_open and not one.open + one.later:
            return False
        there = f"{one.qid} {self._work.session.query_text(one.query)}".casefold()
        return all(word in there for word in self._words.casefold().split())

    def _row(self, one: QueryProgress) -> list[str]:
        return [
            one.qid,
            self._work.session.query_text(one.query),
            f"{one.judged:,}/{one.pooled:,}",
            bar(one.judged / one.pooled if one.pooled else 1, 8),
            f"{one.open + one.later:,}" + (f" +{one.cannot:,}x" if one.cannot else ""),
        ]

    @on(RowsView.Moved, "#queries")
    def show_text(self, message: RowsView.Moved) -> None:
        """Show the text of the query under the cursor."""
        if message.is_stale:
            return
        query = self._work.session.progress[self._shown[message.row]].query
        text = self._work.session.query_text(query)
        self.query_one("#detail", Static).update(one_line(text, 400))

    def on_rows_view_chosen(self, message: RowsView.Chosen) -> None:
        """Open the chosen query."""
        if not message.is_stale:
            self.dismiss(self._shown[message.row])

    def action_filter(self) -> None:
        """Ask for words, and show the queries whose id or text has them all."""
        ask = Ask("Queries with (nothing for all)", value=self._words, to="filter")
        self.app.push_screen(ask, self._filter)

    def _filter(self, words: str | None) -> None:
        if words is not None:
            self._words = words
            self._show_queries()

    def action_only_open(self) -> None:
        """Show all queries, or only those with something left."""
        self._only_open = not self._only_open
        self._show_queries()

    def action_leave(self) -> None:
        """Back to the document."""
        self.dismiss(None)
