"""One document, one query, one key a grade."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.widgets import Footer, Static

from annotator.errors import AnnotatorError
from annotator.judging import SavedError
from annotator.records import Card
from annotator.sanitise import one_line
from annotator.tui.breaks import Breaks
from annotator.tui.guard import Guard
from annotator.tui.screens.ask import Ask
from annotator.tui.screens.desk_keys import DESK
from annotator.tui.screens.finding import FindingScreen
from annotator.tui.terms import Terms
from annotator.tui.widgets.evidence_view import EvidenceView, Stage
from annotator.tui.widgets.grade_bar import GradeBar
from annotator.tui.widgets.query_panel import QueryPanel
from annotator.tui.widgets.status_line import StatusLine
from annotator.tui.words import FINISHED, HELD, REST_NOW, about, edge, finished, place, state
from annotator.tui.workplace import Live, Workplace


class GradeScreen(FindingScreen):
    """The desk; ``live`` gives the scoreboard, if it has been read, to be shown in the end."""

    AUTO_FOCUS = "DocumentView"
    BINDINGS: ClassVar[list[BindingType]] = DESK

    def __init__(
        self, workplace: Workplace, guard: Guard, breaks: Breaks, live: Callable[[], Live | None]
    ) -> None:
        self._offered: list[str | None] = []
        super().__init__()
        self._work = workplace
        self._guard = guard
        self._breaks, self._live = breaks, live

    def compose(self) -> ComposeResult:
        """Where one is, the query, the document, the grades."""
        yield Static(id="place", markup=False)
        yield QueryPanel(id="query")
        yield EvidenceView(id="document")
        yield StatusLine(id="status")
        yield GradeBar(self._work.rubric)
        yield Footer(compact=True, show_command_palette=False)

    def on_mount(self) -> None:
        """Show what is on the desk."""
        self.show_card()

    def on_screen_resume(self) -> None:
        """What another screen covered has to be seen again before it is graded."""
        self._guard.hide()
        self.call_after_refresh(self._guard.show)

    def show_card(self) -> None:
        """Show the card on the desk; grades are taken once it has been drawn."""
        self._guard.hide()
        session = self._work.session
        card, query, document = session.card, session.query, session.document()
        view = self.query_one(EvidenceView)
        view.clear_find()
        self.query_one(QueryPanel).show(query)
        if card is None or document is None:
            self._show_end()
        else:
            terms = Terms(query.text) if query else None
            view.show(document.title or card.docid, document.text, about(document), terms)
            view.show_evidence(card.evidence)
        self._show_place()
        self.query_one(GradeBar).mark(card.grade if card else None)
        self._offer_keys()
        self.call_after_refresh(self._guard.show)

    def _show_place(self) -> None:
        self.query_one("#place", Static).update(place(self._work, self.size.width), layout=False)

    def _offer_keys(self) -> None:
        """Draw the footer anew where other keys work than before: it takes long."""
        working = [one.binding.id for one in self.active_bindings.values()]
        if working != self._offered:
            self.refresh_bindings()
            self._offered = working

    def refresh_bindings(self) -> None:
        """Draw the footer anew; whatever is drawn next must look at the keys again."""
        self._offered = []
        super().refresh_bindings()

    def board_read(self) -> None:
        """The scoreboard is there now: show it if nothing is left but that."""
        if self.is_mounted and self._work.session.card is None:
            self._show_end()

    def _show_end(self) -> None:
        self.query_one(EvidenceView).show(FINISHED, finished(self._work, self._live()))

    def on_resize(self) -> None:
        """Lay the first line out anew."""
        self._show_place()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Which keys mean something now."""
        if action == "grade":
            return int(str(parameters[0])) <= self._work.rubric.top
        if action in ("find_next", "find_previous", "end_find"):
            return self.finding
        if action == "note":
            return not self.finding
        if action == "drop_evidence":
            marking = self.is_mounted and self.query_one(EvidenceView).stage is not Stage.NONE
            return marking and not self.finding
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
        evidence = self.query_one(EvidenceView).evidence
        if self._try(lambda: self._work.session.grade(card.pair, grade, evidence)):
            more = "" if card.grade is None else f", was {card.grade}"
            more += ", with evidence" if evidence else ""
            self.query_one(StatusLine).saved(f"{grade} {one_line(label)}{more}", str(grade))
            self.show_card()
            if self._breaks.due():
                self.app.notify(f"{self._breaks.minutes} minutes without a rest: {REST_NOW}")

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
            self._show_place()

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
        self._look(self._work.session.back(), edge(self._work, "first"))

    def action_forward(self) -> None:
        """Look at the next document."""
        self._look(self._work.session.forward(), edge(self._work, "last"))

    def show_again(self) -> None:
        """Show a card that was on the desk before, and what is known of it."""
        self._look(True, "")

    def _look(self, moved: bool, otherwise: str) -> None:
        if moved:
            self.show_card()
            card = self._work.session.card
            otherwise = state(card) if card else ""
        self.query_one(StatusLine).say(otherwise)

    def action_next_query(self) -> None:
        """Go on in the next query that has something open."""
        self._look(self._work.session.next_query(), "no other query has anything to judge")

    def action_only_open(self) -> None:
        """Look around among all documents, or only among those that are not judged."""
        session = self._work.session
        session.only_open = not session.only_open
        which = "only what is not judged" if session.only_open else "every document"
        self.query_one(StatusLine).say(f"looking around shows {which}")

    def action_mark(self) -> None:
        """Mark the reason for the grade: its first line, its last line, done."""
        view = self.query_one(EvidenceView)
        markable = self._work.session.card is not None and view.markable
        self.query_one(StatusLine).say(
            view.mark().value if markable else "there is no text to mark"
        )
        self.refresh_bindings()

    def action_drop_evidence(self) -> None:
        """Forget what was marked."""
        self.query_one(EvidenceView).show_evidence(None)
        self.query_one(StatusLine).say("no evidence marked")
        self.refresh_bindings()

    def action_toggle_need(self) -> None:
        """Show the query alone, or with description and narrative."""
        self.query_one(QueryPanel).toggle_class("-short")

    def _at_rest(self) -> bool:
        rested = self._guard.lets_through()
        if not rested:
            self.query_one(StatusLine).warn(HELD)
        return rested

    def _try(self, say: Callable[[], object]) -> bool:
        """Say something to the session; if it could not be stored, tell why and stay."""
        try:
            return say() is not False
        except AnnotatorError as error:
            stored = "" if isinstance(error, SavedError) else "NOT saved: "
            self.query_one(StatusLine).warn(stored + error.message)
        return False
