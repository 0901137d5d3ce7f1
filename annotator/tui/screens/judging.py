"""A screen on which something is said of a document: stored first, shown as saved afterwards."""

from __future__ import annotations

from collections.abc import Callable

from textual.message import Message

from annotator.errors import AnnotatorError, LockedError, NotTakenBackError, RubricChangedError
from annotator.judging import SavedError
from annotator.tui.guard import Guard
from annotator.tui.messages import GIVEN_UP, HELD
from annotator.tui.retry import read_when_free
from annotator.tui.screens.document import DocumentScreen
from annotator.tui.widgets.document_view import DocumentView
from annotator.tui.widgets.grade_bar import GradeBar, grade_class
from annotator.tui.widgets.status_line import StatusLine
from annotator.tui.workplace import Workplace

NOT_SAVED = "NOT saved: "


class RubricChanged(Message):
    """Another program has put another rubric in force: nothing is stored under the one shown."""

    def __init__(self, said: str) -> None:
        super().__init__()
        self.said = said


class JudgingScreen(DocumentScreen):
    """Knows whether a key can have been meant, and what becomes of what it says."""

    def __init__(self, workplace: Workplace, guard: Guard) -> None:
        super().__init__()
        self._work = workplace
        self._guard = guard
        self._covered = False

    def on_document_view_drawn(self, message: DocumentView.Drawn) -> None:
        """The document is on screen: from now on it may be graded, unless a question is over it."""
        if not self._covered:
            self._guard.show(message.time)

    def on_screen_suspend(self) -> None:
        """What another screen covers has to be seen again before it is graded."""
        self.hide()
        self._covered = True

    def on_screen_resume(self) -> None:
        """Draw what was covered."""
        if self._covered:
            self._covered = False
            self.draw_again()

    def hide(self) -> None:
        """Nobody sees the document any more: nothing is graded until it has been drawn."""
        self._guard.hide()

    def draw_again(self) -> None:
        """Draw the document, so that it may be graded."""
        for one in self.query(DocumentView):  # none while the app is left
            one.draw_again()

    def key_pressed(self, at: float) -> None:
        """What is done next is done by a key that was pressed then."""
        self._guard.pressed(at)

    async def on_grade_bar_chosen(self, message: GradeBar.Chosen) -> None:
        """A click on a grade is the same as its key."""
        self._guard.pressed(message.time)
        await self.run_action(f"grade({message.grade})")

    def _at_rest(self) -> bool:
        """Whether a key pressed now was meant for the document on screen; if not, tell."""
        rested = self._guard.lets_through()
        if not rested:
            self.query_one(StatusLine).warn(HELD)
        return rested

    def _say(
        self, say: Callable[[], object], what: str, mark: str | int, then: Callable[[], None]
    ) -> None:
        """Say something to the session; once it is stored, and never before, show it as saved.

        If it cannot be stored the document stays and the reason is told. While another program
        writes it is tried again and again, which holds up nothing but this screen.

        Parameters
        ----------
        say
            Stores it; False if there was nothing to store, which it has told itself; or a text
            that tells what was done.
        what, mark
            What is shown as saved, in words and as one letter or the grade.
        then
            Shows what comes next.
        """

        def attempt() -> bool:
            """Whether it is decided."""
            try:
                stored = say()
            except LockedError:
                return False
            except RubricChangedError as error:
                self.post_message(RubricChanged(NOT_SAVED + error.message))
                return True
            except AnnotatorError as error:
                is_plain = isinstance(error, SavedError | NotTakenBackError)
                said = "" if is_plain else NOT_SAVED
                self.query_one(StatusLine).warn(said + error.message)
                return True
            if stored is not False:
                done = stored if isinstance(stored, str) else f"saved {what}"
                self.query_one(StatusLine).saved(done, *self._marked(mark))
                self._go_on(then)
            return True

        if not attempt():
            from annotator.tui.screens.waiting import Waiting

            self.app.push_screen(Waiting(what, attempt), self._waited)

    def _marked(self, mark: str | int) -> tuple[str, ...]:
        """The mark of what was said last; a grade's has its colour."""
        if isinstance(mark, str):
            return (mark,)
        return str(mark), f"${grade_class(mark, self._work.rubric.top)}"

    def _go_on(self, then: Callable[[], None]) -> None:
        """Show what comes next; until that can be read nothing can be graded."""
        read_when_free(self, then)

    def _waited(self, decided: bool | None) -> None:
        if not decided:
            self.query_one(StatusLine).warn(GIVEN_UP)
