"""How far it is to what the order of judging is for."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.message import Message
from textual.widgets import Static

from annotator.errors import AnnotatorError
from annotator.report.standing_text import standing_sentences
from annotator.results.standings import Standing
from annotator.text.safe import one_line
from annotator.tui.screens.base import BaseScreen
from annotator.tui.widgets.key_line import KeyLine

KEYS = "esc goes on grading · ^q leaves, everything is saved"
"""What to do next, whatever the verdict."""


class StandingRead(Message):
    """What is known so far has been worked out, or could not be."""

    def __init__(self, said: list[str], standing: Standing | None = None) -> None:
        super().__init__()
        self.said = said
        self.standing = standing


class VerdictScreen(BaseScreen[None]):
    """The verdict so far; ``load`` works it out, in a thread of its own."""

    AUTO_FOCUS = "VerticalScroll"
    CONTEXT = "verdict"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,v", "leave", "Back", id="screen.leave", tooltip="Back to the document"),
        Binding("question_mark", "app.help", "Help", id="app.help", tooltip="All keys"),
    ]

    def __init__(self, load: Callable[[], Standing]) -> None:
        super().__init__()
        self._load = load

    def compose(self) -> ComposeResult:
        """What is asked, and what can be said."""
        yield Static(" Verdict so far · working it out …", id="heading", markup=False)
        with VerticalScroll():
            yield Static(id="standing", markup=False)
        yield KeyLine()

    def on_mount(self) -> None:
        """Begin to work it out."""
        self.run_worker(self._work, thread=True, exit_on_error=False)

    def _work(self) -> None:
        try:
            found = self._load()
            self.post_message(StandingRead([*standing_sentences(found), KEYS], found))
        except AnnotatorError as error:
            self.post_message(StandingRead([error.message]))
        except Exception as error:  # grading can go on without a verdict
            fault = f"a fault of the program ({type(error).__name__}): there is no verdict"
            self.post_message(StandingRead([fault]))

    def on_standing_read(self, message: StandingRead) -> None:
        """Show it."""
        goal = f" · {one_line(message.standing.goal, 60)}" if message.standing else ""
        self.query_one("#heading", Static).update(f" Verdict so far{goal}")
        text = "\n\n".join(one_line(said) for said in message.said)
        self.query_one("#standing", Static).update(Content(text))

    def action_leave(self) -> None:
        """Back to the document."""
        self.dismiss(None)
