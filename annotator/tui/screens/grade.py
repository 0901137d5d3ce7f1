"""One document, one query, one key a grade."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.widgets import Footer, Static

from annotator.errors import AnnotatorError
from annotator.judging import SavedError
from annotator.records import Card
from annotator.sanitise import one_line
from annotator.tui.guard import Guard
from annotator.tui.screens.ask import Ask
from annotator.tui.terms import term_pattern
from annotator.tui.widgets.document_view import DocumentView
from annotator.tui.widgets.grade_bar import GradeBar
from annotator.tui.widgets.query_panel import QueryPanel
from annotator.tui.widgets.status_line import StatusLine
from annotator.tui.words import finished, place, state
from annotator.tui.workplace import Workplace
from rubric.scale import TOP_GRADE

HELD = "key ignored: it came before this document could be read"
FINISHED = "Nothing is left to judge."


def _grade_binding(grade: int) -> Binding:
    return Binding(
        str(grade),
        f"grade({grade})",
        f"Grade {grade}",
        show=False,
        id=f"grade.{grade}",
        tooltip=f"Grade {grade}, save, and go on",
    )


class GradeScreen(Screen[None]):
    """The desk: what is to be judged, and how."""

    AUTO_FOCUS = "DocumentView"
    BINDINGS: ClassVar[list[BindingType]] = [
        *[_grade_binding(grade) for grade in range(TOP_GRADE + 1)],
        Binding("s", "later", "Later", id="grade.later", tooltip="Put aside; comes back last"),
        Binding("x", "cannot", "Can't", id="grade.cannot", tooltip="Say why it cannot be judged"),
        Binding("n", "find_next", "Next", id="find.next", tooltip="The next match"),
        Binding("N", "find_previous", "Prev", id="find.previous", tooltip="The match before"),
        Binding("escape", "end_find", "End find", id="find.end", tooltip="End the search"),
        Binding("n", "note", "Note", id="grade.note", tooltip="Write a note on this document"),
        Binding("u", "undo", "Undo", id="grade.undo", tooltip="Take back the last thing said"),
        Binding("left", "back", "Back", show=False, id="grade.back", tooltip="The document before"),
        Binding("right", "forward", "Forward", show=False, id="grade.forward", tooltip="The next"),
        Binding("slash", "find", "Find", id="find.start", tooltip="Find words in the document"),
        Binding(
            "d",
            "toggle_need",
            "Need",
            show=False,
            id="grade.need",
            tooltip="Show or hide description and narrative",
        ),
        Binding("q", "app.queries", "Queries", id="app.queries", tooltip="Progress of every query"),
        Binding("b", "app.scores", "Scores", id="app.scores", tooltip="The scoreboard"),
        Binding("r", "app.rubric", "Rubric", id="app.rubric", tooltip="What each grade means"),
        Binding("question_mark", "app.help", "Help", id="app.help", tooltip="All keys"),
    ]

    def __init__(self, workplace: Workplace, guard: Guard) -> None:
        super().__init__()
        self._work = workplace
        self._guard = guard

    def compose(self) -> ComposeResult:
        """Where one is, the query, the document, the grades."""
        yield Static(id="place", markup=False)
        yield QueryPanel(id="query")
        yield DocumentView(id="document")
        yield StatusLine(id="status")
        yield GradeBar(self._work.rubric)
        yield Footer(compact=True, show_command_palette=False)

    def on_mount(self) -> None:
        """Show what is on the desk."""
        self.show_card()

    def show_card(self) -> None:
        """Show the card on the desk; grades are taken once it has been drawn."""
        self._guard.hide()
        session = self._work.session
        card, query, document = session.card, session.query, session.document()
        view = self.query_one(DocumentView)
        view.clear_find()
        self.query_one(QueryPanel).show(query)
        if card is None or document is None:
            view.show(FINISHED, finished(self._work))
        else:
            terms = term_pattern(query.text) if query else None
            view.show(document.title or card.docid, document.text, document.url, terms)
        self.query_one("#place", Static).update(place(self._work, self.size.width))
        self.query_one(GradeBar).mark(card.grade if card else None)
        self.refresh_bindings()
        self.call_after_refresh(self._guard.show)

    def on_resize(self) -> None:
        """Lay the first line out anew."""
        self.query_one("#place", Static).update(place(self._work, self.size.width))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Which keys mean something now."""
        if action == "grade":
            return int(str(parameters[0])) <= self._work.rubric.top
        finding = self.is_mounted and self.query_one(DocumentView).match_count > 0
        if action in ("find_next", "find_previous", "end_find"):
            return finding
        if action == "note":
            return not finding
        return True

    async def on_grade_bar_chosen(self, message: GradeBar.Chosen) -> None:
        """A click on a grade is the same as its key."""
        await self.run_action(f"grade({message.grade})")

    def action_grade(self, grade: int) -> None:
        """Store a grade for the document on screen and go on, unless nobody can have read it."""
        card = self._work.session.card
        if card is None or not self._at_rest():
            return
        label = self._work.rubric.levels[grade].label
        if self._try(lambda: self._work.session.grade(card.pair, grade)):
            again = "" if card.grade is None else f", was {card.grade}"
            self.query_one(StatusLine).saved(f"{grade} {one_line(label)}{again}", str(grade))
            self.show_card()

    def action_later(self) -> None:
        """Put the document aside."""
        card = self._work.session.card
        if card is None or not self._at_rest():
            return
        if self._try(lambda: self._work.session.later(card.pair)):
            self.query_one(StatusLine).saved("for later", "s")
            self.show_card()

    def action_cannot(self) -> None:
        """Ask why the document cannot be judged."""
        if card := self._work.session.card:
            self.app.push_screen(
                Ask("Why can it not be judged?", required=True),
                lambda reason: self._cannot(card, reason),
            )

    def _cannot(self, card: Card, reason: str | None) -> None:
        if reason and self._try(lambda: self._work.session.cannot_judge(card.pair, reason)):
            self.query_one(StatusLine).saved("cannot be judged", "x")
            self.show_card()

    def action_note(self) -> None:
        """Ask for a note on the document."""
        if card := self._work.session.card:
            self.app.push_screen(
                Ask("Note on this document", value=card.note),
                lambda text: self._note(card, text),
            )

    def _note(self, card: Card, text: str | None) -> None:
        if text is not None and self._try(lambda: self._work.session.note(card.pair, text)):
            self.query_one(StatusLine).saved("note", "n")
            self.query_one("#place", Static).update(place(self._work, self.size.width))

    def action_undo(self) -> None:
        """Take back the last thing said and show its document."""
        if not self._at_rest():
            return
        done: list[Card | None] = []
        if self._try(lambda: done.append(self._work.session.undo())):
            if done[0] is None:
                self.query_one(StatusLine).say("nothing to undo")
                return
            self.query_one(StatusLine).saved("undo", "u")
            self.show_card()

    def action_back(self) -> None:
        """Look at the document before."""
        self._look(self._work.session.back(), "this is the first document of the pool")

    def action_forward(self) -> None:
        """Look at the next document."""
        self._look(self._work.session.forward(), "this is the last document of the pool")

    def _look(self, moved: bool, otherwise: str) -> None:
        if moved:
            self.show_card()
            card = self._work.session.card
            self.query_one(StatusLine).say(state(card) if card else "")
        else:
            self.query_one(StatusLine).say(otherwise)

    def action_find(self) -> None:
        """Ask for words and go to the first match."""
        self.app.push_screen(Ask("Find in this document"), self._find)

    def _find(self, words: str | None) -> None:
        if words:
            found = self.query_one(DocumentView).find(words)
            self._say_match(f"{one_line(words, 40)} is not in this document" if not found else "")

    def action_find_next(self) -> None:
        """Go to the next match."""
        self.query_one(DocumentView).find_next()
        self._say_match()

    def action_find_previous(self) -> None:
        """Go to the match before."""
        self.query_one(DocumentView).find_previous()
        self._say_match()

    def action_end_find(self) -> None:
        """Forget the search."""
        self.query_one(DocumentView).clear_find()
        self.refresh_bindings()
        self.query_one(StatusLine).say("")

    def _say_match(self, otherwise: str = "") -> None:
        view = self.query_one(DocumentView)
        said = otherwise or f"match {view.match_index} of {view.match_count}"
        self.query_one(StatusLine).say(said)
        self.refresh_bindings()

    def action_toggle_need(self) -> None:
        """Show the query alone, or with description and narrative."""
        self.query_one(QueryPanel).toggle_class("-short")

    def _at_rest(self) -> bool:
        if not self._guard.lets_through():
            self.query_one(StatusLine).warn(HELD)
            return False
        return True

    def _try(self, say: Callable[[], object]) -> bool:
        """Say something to the session; if it could not be stored, tell why and stay."""
        try:
            return say() is not False
        except AnnotatorError as error:
            stored = "" if isinstance(error, SavedError) else "NOT saved: "
            self.query_one(StatusLine).warn(stored + error.message)
        return False
