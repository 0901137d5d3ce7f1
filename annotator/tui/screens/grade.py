"""One document, one query, one key a grade."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.widgets import Static

from annotator.domain import Card
from annotator.errors import AnnotatorError
from annotator.text.safe import one_line
from annotator.tui.breaks import Breaks
from annotator.tui.guard import Guard
from annotator.tui.keymap import key_of
from annotator.tui.messages import (
    FINISHED,
    NO_TEXT,
    REASONS,
    SKIPPED,
    edge,
    finished,
    models_said,
    place,
    source,
    state,
    took_back,
)
from annotator.tui.notices import news
from annotator.tui.outlook import Outlook
from annotator.tui.retry import read_when_free
from annotator.tui.scoreboard import LiveBoard
from annotator.tui.screens.desk_keys import DESK
from annotator.tui.screens.judging import JudgingScreen
from annotator.tui.widgets.evidence_view import EvidenceView, Stage
from annotator.tui.widgets.grade_bar import GradeBar
from annotator.tui.widgets.key_line import KeyLine
from annotator.tui.widgets.query_panel import QueryPanel
from annotator.tui.widgets.status_line import StatusLine
from annotator.tui.workplace import Estimated, Live, Workplace

if TYPE_CHECKING:  # what a verdict is made of takes long to load
    from annotator.results.more_labels import MoreLabels

OF_A_DOCUMENT = frozenset(
    ("grade", "later", "cannot", "note", "find", "need", "about", "mark", "models", "toggle_need",
     "toggle_styled", "only_open")
)  # fmt: skip
READING = 0.05  # seconds that a document is on screen before the next is made ready
LOOKS = 1.0  # seconds between two looks whether anyone else has changed anything
AT_REST = 0.5  # and before what can wait is begun: by then all else is on screen as well


class GradeScreen(JudgingScreen):
    """The desk; ``live`` has the scoreboard, which is shown in the end."""

    AUTO_FOCUS = "DocumentView"
    CONTEXT = "grading"
    KEYED = (EvidenceView,)
    BINDINGS: ClassVar[list[BindingType]] = DESK

    def __init__(self, workplace: Workplace, guard: Guard, breaks: Breaks, live: LiveBoard) -> None:
        self._offered = (False, False, False)
        self._told_of: int | None = None
        self._has_text = False
        self._drafts: dict[tuple[str, int], str] = {}
        super().__init__(workplace, guard)
        self._breaks, self._live = breaks, live
        self._outlook = Outlook(workplace)

    def compose(self) -> ComposeResult:
        """Where one is, the query, the document, the grades."""
        yield Static(id="place", markup=False)
        yield QueryPanel(id="query")
        yield EvidenceView(id="document")
        yield StatusLine(id="status")
        yield GradeBar(self._work.rubric)
        yield KeyLine()

    def on_mount(self) -> None:
        """Show what is on the desk."""
        if self._work.find_order is None:
            read_when_free(self, self.show_card)
        else:  # there is no document yet
            self._view.display = False
        self.set_interval(LOOKS, self._look_at_file)
        if self._work.greeting:
            self.query_one(StatusLine).warn("; ".join(self._work.greeting))

    def _look_at_file(self) -> None:
        if self.is_on_top and self._work.session.card:
            self._catch_up()

    def show_card(self) -> None:
        """Show the card on the desk; grades are taken once it has been drawn."""
        self._guard.hide()
        session = self._work.session
        card, query, document = session.card, session.query, session.document()
        view, is_end = self._view, card is None or document is None
        self._has_text = bool(document and (document.text or "").strip())
        self.query_one(QueryPanel).display = self.query_one(GradeBar).display = not is_end
        if not is_end:
            self.query_one(QueryPanel).show(query)
        if card is None or document is None:
            self._show_end()
        else:
            view.show(*source(query, card, document))
            view.show_evidence(card.evidence)
        self._show_place()
        self.query_one(GradeBar).mark(card.grade if card else None)
        self._offer_keys()

    def take_rubric(self, said: str) -> None:
        """Show the document and the grades as they are under another rubric, and why."""
        self.query_one(StatusLine).warn(said)
        self.query_one(GradeBar).show_rubric(self._work.rubric)
        self.show_card()

    def on_document_view_drawn(self, message: EvidenceView.Drawn) -> None:
        """The card is on screen: have the next ready before it is graded."""
        self.set_timer(READING, self._look_ahead)
        if not self._live.begun:
            self.set_timer(AT_REST, self._live.begin)

    def _catch_up(self) -> None:
        """Show what has been said of the document meanwhile, in another window or by others."""
        session = self._work.session
        before, judged = session.card, session.totals.judged
        with suppress(AnnotatorError):  # whatever comes next reads it, or tells why not
            is_other = session.catch_up()
            if before and (card := session.card) and is_other:
                self.query_one(GradeBar).mark(card.grade)
                if card.evidence != before.evidence:
                    self._view.show_evidence(card.evidence)
                self.query_one(StatusLine).say(f"changed meanwhile: {state(card)}")
            if is_other or judged != session.totals.judged:
                self._show_place()

    def _look_ahead(self) -> None:
        with suppress(AnnotatorError):  # it is only to be quick
            coming = self._work.session.upcoming()
            if coming is not None:
                self._view.prepare(source(*coming))

    def _show_place(self) -> None:
        key, left = key_of(self, "app.verdict"), self._outlook.grades_left
        self.query_one("#place", Static).update(
            place(self._work, self.size.width, left, key), layout=False
        )

    def _offer_keys(self) -> None:
        """Draw the footer anew where other keys work than before: it takes long."""
        if self._offered != self._keys_depend_on():
            self.refresh_bindings()

    def refresh_bindings(self) -> None:
        """Draw the footer anew."""
        self._offered = self._keys_depend_on()
        super().refresh_bindings()

    def _keys_depend_on(self) -> tuple[bool, bool, bool]:
        """What :meth:`check_action` looks at: a search, a marking, a document at all."""
        marking = self.is_mounted and self._view.stage is not Stage.NONE
        return self.finding, marking, self._work.session.card is not None

    @property
    def _view(self) -> EvidenceView:
        return self.query_one(EvidenceView)

    def _look_out(self) -> None:
        """Work out how far it is to a verdict, if that is due, beside the screen."""
        if self._outlook.is_due:
            self._outlook.begin()
            self.run_worker(self._load_outlook, thread=True, group="outlook", exit_on_error=False)

    def _load_outlook(self) -> None:
        self._outlook.load()
        self.app.call_from_thread(self.on_resize)

    def verdict_read(self, ahead: MoreLabels | None) -> None:
        """Take over how far it is to a verdict, which was shown just now."""
        self._outlook.take(ahead)
        self._show_place()

    def board_read(self, live: Live | None) -> None:
        """The scoreboard is there now: show it if nothing is left but that."""
        self._look_out()
        if self.is_mounted and self._work.session.card is None:
            self._show_end()

    def _show_end(self) -> None:
        self._view.show(FINISHED, finished(self._work, None))
        if live := self._live.current():
            self._live.estimate_beside(self, live, self._take_end, compare=True)

    def _take_end(self, found: Estimated) -> None:
        if self._work.session.card is None:
            self._view.show(FINISHED, finished(self._work, found))

    def on_resize(self) -> None:
        """Write the first line anew, unless it is gone already, as the app is left."""
        if self.query("#place"):
            self._show_place()

    def on_screen_resume(self) -> None:
        """Take in what was graded in a ranking meanwhile."""
        if (card := self._work.session.card) and self.query("#place") and self.query(GradeBar):
            self._show_place()
            self.query_one(GradeBar).mark(card.grade)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Which keys mean something now."""
        finding, marking, has_card = self._keys_depend_on()
        if action in OF_A_DOCUMENT and not has_card:
            return False
        if action == "grade":
            return int(str(parameters[0])) <= self._work.rubric.top
        if action in ("find_next", "find_previous", "end_find"):
            return finding
        if action == "note":
            return not finding
        return action != "drop_evidence" or (marking and not finding)

    def action_grade(self, grade: int) -> None:
        """Store a grade for the document on screen and go on, unless nobody can have read it."""
        session = self._work.session
        self._catch_up()
        if (card := session.card) is None or not self._at_rest():
            return
        if self._has_no_text(card):
            return
        evidence = self._view.evidence
        said = f"{grade} {one_line(self._work.rubric.levels[grade].label)}"
        said += "" if card.grade is None else f", was {card.grade}"
        said += ", with evidence" if evidence else ""
        said += "" if session.is_blind else ", not blind"
        grading = partial(session.grade, card.pair, grade, evidence)
        self._say(grading, said, grade, self._next_card)

    def _has_no_text(self, card: Card) -> bool:
        """Whether the document has no text: warn once, and let the second press grade."""
        if self._has_text or card.pair == self._told_of:
            return False
        self._told_of = card.pair
        self.query_one(StatusLine).warn(NO_TEXT)
        return True

    def _next_card(self) -> None:
        self.show_card()
        self._look_out()
        for said in news(self._work.session, self._breaks):
            self.app.notify(said)

    def action_later(self) -> None:
        """Put the document aside."""
        card = self._work.session.card
        if card is not None and self._at_rest():
            self._say(partial(self._later, card.pair), "the skip", "s", self.show_card)

    def _later(self, pair: int) -> bool | str:
        return self._work.session.later(pair) and SKIPPED

    def action_cannot(self) -> None:
        """Ask why the document cannot be judged."""
        if card := self._work.session.card:
            self._ask_of(card, "Why can it not be judged?", self._cannot, choices=REASONS)

    def _ask_of(
        self,
        card: Card,
        question: str,
        then: Callable[[Card, str | None], None],
        *,
        known: str = "",
        choices: Sequence[str] = (),
    ) -> None:
        """Ask for words on a document; what is left unsaid is there again when asked next."""
        kept = question, card.pair

        def answered(text: str | None) -> None:
            if text is not None:
                self._drafts.pop(kept, None)
            then(card, text)

        self.ask(
            question,
            answered,
            value=self._drafts.get(kept, known),
            required=bool(choices),
            keep=partial(self._drafts.__setitem__, kept),
            choices=choices,
        )

    def _cannot(self, card: Card, reason: str | None) -> None:
        if reason:
            cannot = partial(self._work.session.cannot_judge, card.pair, reason)
            self._say(cannot, f"can't judge: {one_line(reason, 30)}", "x", self.show_card)

    def action_note(self) -> None:
        """Ask for a note on the document."""
        if card := self._work.session.card:
            self._ask_of(card, "Note on this document", self._note, known=card.note)

    def _note(self, card: Card, text: str | None) -> None:
        if text is not None:
            note = partial(self._work.session.note, card.pair, text)
            self._say(note, "note", "n", self._show_place)

    def action_models(self) -> None:
        """Tell what models said of a document that is graded."""
        if card := self._work.session.card:
            try:
                said = models_said(self._work.session.see_models(card.pair))
            except AnnotatorError as error:
                said = f"not shown: {error.message}"
            self.query_one(StatusLine).say(said)

    def action_undo(self) -> None:
        """Go back to where one jumped from; else take back the last thing said here."""
        if self._work.session.jump_back():
            self._look(True, "")
            self.query_one(StatusLine).say("back where you were; u again takes back what you said")
        elif self._at_rest():
            self._say(self._undo, "the undo", "u", self.show_card)

    def _undo(self) -> bool | str:
        undone = self._work.session.undo()
        if undone is None:
            self.query_one(StatusLine).say("nothing to undo")
            return False
        return took_back(self._work, undone)

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
            otherwise = state(card) if (card := self._work.session.card) else ""
        self.query_one(StatusLine).say(otherwise)

    def action_next_query(self, by: int) -> None:
        """Go to the next query that has something open, or to the one before."""
        self._look(self._work.session.next_query(by), "no other query has anything to judge")

    def action_only_open(self) -> None:
        """Look around among all documents, or only among those that are not judged."""
        self._work.session.only_open = only = not self._work.session.only_open
        does = "now skip judged documents" if only else "show every document again"
        self.query_one(StatusLine).say(f"← → {does}")

    def action_mark(self) -> None:
        """Mark the reason for the grade: its first line, its last line, done."""
        view = self._view
        markable = self._work.session.card is not None and view.markable
        said = view.mark().value if markable else "there is no text to mark"
        self.query_one(StatusLine).say(said)
        self.refresh_bindings()

    def action_drop_evidence(self) -> None:
        """Forget what was marked."""
        self._view.show_evidence(None)
        self.query_one(StatusLine).say("no evidence marked")
        self.refresh_bindings()

    def action_toggle_need(self) -> None:
        """Show the query alone, or with description and narrative."""
        panel = self.query_one(QueryPanel)
        panel.is_short = not panel.is_short
        panel.show(query := self._work.session.query)
        if query and not (query.description.strip() or query.narrative.strip()):
            said = "this query has no description or narrative"
        else:
            said = (
                "the query alone" if panel.is_short else "the query with what is known of the need"
            )
        self.query_one(StatusLine).say(said)
