"""What one has said last, to look at it again and to say it anew."""

from __future__ import annotations

from datetime import datetime
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import Static

from annotator.domain import Mark, Past
from annotator.tui.screens.base import BaseScreen
from annotator.tui.widgets.grade_bar import grade_class
from annotator.tui.widgets.key_line import KeyLine
from annotator.tui.widgets.rows_view import RowsView
from annotator.tui.workplace import Workplace

_MARKS = {Mark.LATER: "later", Mark.CANNOT: "can't"}


class HistoryScreen(BaseScreen[Past | None]):
    """One's own last judgments, newest first; gives the one to be reopened."""

    AUTO_FOCUS = "RowsView"
    VERTICAL_BREAKPOINTS = [(0, "-tiny"), (16, "-roomy")]  # noqa: RUF012 -- as Screen declares it
    CONTEXT = "history"
    KEYED = (RowsView,)
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,h", "leave", "Back", id="screen.leave", tooltip="Back to the document"),
        Binding("question_mark", "app.help", "Help", id="app.help", tooltip="All keys"),
    ]

    def __init__(self, workplace: Workplace) -> None:
        super().__init__()
        self._work = workplace
        self._past = workplace.session.history()

    def compose(self) -> ComposeResult:
        """One row a judgment."""
        yield Static(id="heading", markup=False)
        yield RowsView(id="history")
        yield KeyLine()

    def on_mount(self) -> None:
        """Fill the table."""
        none = "you have said nothing yet; what you say can be opened here"
        said = f"your last {len(self._past)}" if self._past else none
        self.query_one("#heading", Static).update(f" Judgments · {said}")
        self.query_one(RowsView).show(
            ["said", "query", "document", "title", "note", "when"],
            [_row(past) for past in self._past],
            flexible=(3, 4, 2, 1),
            looks=[self._look(past) for past in self._past],
        )

    def _look(self, past: Past) -> str:
        top = self._work.rubric.top
        return "" if past.grade is None else grade_class(min(past.grade, top), top)

    def on_rows_view_chosen(self, message: RowsView.Chosen) -> None:
        """Reopen the chosen one."""
        self.dismiss(self._past[message.row])

    def action_leave(self) -> None:
        """Back to the document."""
        self.dismiss(None)


def _row(past: Past) -> list[str]:
    said = _MARKS[past.mark] if past.mark else "note" if past.grade is None else str(past.grade)
    when = datetime.fromisoformat(past.at).astimezone().strftime("%d %b %H:%M")
    return [said, past.qid, past.docid, past.title, past.note, when]
