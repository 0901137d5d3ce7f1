"""What every system returned for one query, side by side; what is unjudged can be graded here."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import Static

from annotator.domain import Document, Query
from annotator.text.safe import one_line
from annotator.tui.guard import Guard
from annotator.tui.messages import NOT_BLIND, about
from annotator.tui.query_words import terms_of
from annotator.tui.retry import read_when_free
from annotator.tui.screens.desk_keys import GRADES
from annotator.tui.screens.judging import JudgingScreen
from annotator.tui.widgets.document_view import DocumentView
from annotator.tui.widgets.grade_bar import GradeBar
from annotator.tui.widgets.key_line import KeyLine
from annotator.tui.widgets.rankings_view import RankingsView
from annotator.tui.widgets.status_line import StatusLine
from annotator.tui.workplace import Live, Workplace

DEEPEST = 100


class RankingsScreen(JudgingScreen):
    """All systems on one query.

    ``live`` gives the scoreboard with every label given since. Pressing the key for it calls
    ``judge``, after which the query is on the desk.
    """

    AUTO_FOCUS = "RankingsView"
    CONTEXT = "rankings"
    KEYED = (RankingsView,)
    BINDINGS: ClassVar[list[BindingType]] = [
        *GRADES,
        Binding("enter", "judge", "To the desk", id="rankings.judge",
                tooltip="Grade this query at the desk"),
        Binding("space,pagedown", "read(1)", "Read on", show=False, id="rankings.page-down",
                tooltip="The next page of the document"),
        Binding("pageup", "read(-1)", "Read back", show=False, id="rankings.page-up",
                tooltip="The page of the document before"),
        Binding("escape", "leave", "Back", id="rankings.leave", tooltip="Back to the scores"),
        Binding("question_mark", "app.help", "Help", id="app.help", tooltip="All keys"),
    ]  # fmt: skip

    def __init__(
        self,
        workplace: Workplace,
        live: Callable[[], Live | None],
        qid: str,
        guard: Guard,
        judge: Callable[[str], None],
    ) -> None:
        super().__init__(workplace, guard)
        self._live = live
        self._qid = qid
        self._judge = judge
        self._query = 0
        self._shown: int | None = None

    def compose(self) -> ComposeResult:
        """The rankings, and the document under the cursor."""
        yield Static(id="heading", markup=False)
        yield RankingsView(self._work.rubric.top, id="rankings")
        yield DocumentView(id="document")
        yield StatusLine(id="status")
        yield GradeBar(self._work.rubric)
        yield KeyLine()

    def on_mount(self) -> None:
        """Show what there is."""
        self.query_one(DocumentView).can_focus = False
        self.query_one(StatusLine).say(NOT_BLIND)
        read_when_free(self, lambda: self.board_read(self._live()))

    def board_read(self, live: Live | None) -> None:
        """Show the rankings as they are judged now; without a scoreboard those before stay."""
        if live is None:
            return
        board = live[0]
        self._query, documents, grades = board.ranked(self._qid)
        self._work.session.see_rankings(self._query)
        depth = min(DEEPEST, documents.shape[1])
        documents, grades = documents[:, :depth], grades[:, :depth]
        names = self._work.session.docids([one for one in set(documents.ravel().tolist()) if one])
        text = one_line(self._work.session.query_text(self._query), 200)
        self.query_one("#heading", Static).update(f" Rankings · {one_line(self._qid, 24)} · {text}")
        self.query_one(RankingsView).show(board.systems, documents, grades, names)
        self._show_document()

    def whole_query(self) -> Query | None:
        """The query of the rankings."""
        return self._work.session.any_query(self._query)

    def whole_document(self) -> Document | None:
        """The document under the cursor."""
        return self._work.session.any_document(self._shown) if self._shown else None

    def on_rankings_view_moved(self) -> None:
        """Show the document of the place."""
        read_when_free(self, self._show_document)

    def _show_document(self) -> None:
        view = self.query_one(RankingsView)
        self.query_one(GradeBar).mark(view.grade)
        if view.document == self._shown:
            return
        self._guard.hide()
        self._shown = view.document
        if self._shown:
            document = self._work.session.any_document(self._shown)
            terms = terms_of(self._work.session.query_text(self._query))
            title = document.title or document.docid
            self.query_one(DocumentView).show(title, document.text, about(document), terms)
        else:
            self.query_one(DocumentView).show("nothing at this rank", "")

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Which keys mean something now."""
        if action == "grade":
            return int(str(parameters[0])) <= self._work.rubric.top
        if action in ("find_next", "find_previous", "end_find"):
            return self.finding
        return not self.finding if action == "leave" else True

    def action_grade(self, grade: int) -> None:
        """Store a grade for the document under the cursor if nobody has judged it."""
        view, status = self.query_one(RankingsView), self.query_one(StatusLine)
        if not view.document:
            return
        if view.grade is not None:
            status.warn("it is judged already: change it at the desk, where no rank is seen")
            return
        if not self._at_rest():
            return
        document, session = view.document, self._work.session
        docid = session.any_document(document).docid
        label = one_line(self._work.rubric.levels[grade].label)
        self._say(
            partial(session.grade_openly, self._query, document, docid, grade),
            f"{grade} {label}, not blind",
            grade,
            lambda: self.board_read(self._live()),
        )

    def action_read(self, by: int) -> None:
        """Scroll the document."""
        self.query_one(DocumentView).action_move("page_down" if by > 0 else "page_up")

    def action_judge(self) -> None:
        """Put the query on the desk."""
        self.dismiss(None)
        self._judge(self._qid)

    def action_leave(self) -> None:
        """Back to where one came from."""
        self.dismiss(None)
