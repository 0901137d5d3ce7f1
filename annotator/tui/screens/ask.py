"""Asks for one line of text: a reason, a note, words to find."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Input, Label, Static

from annotator.text.safe import one_line
from annotator.tui.keymap import key_of
from annotator.tui.screens.base import BaseScreen


class Ask(ModalScreen[str | None], BaseScreen[str | None]):
    """A question with one line for the answer; None if it was left.

    Parameters
    ----------
    question, value
        What is asked, and an answer to begin with.
    required
        Whether nothing is no answer.
    to
        What the answer is for, as said of the key that gives it.
    keep
        Gets what was typed where it is left without an answer.
    choices
        Common answers, at most nine, in words of this program: the number of one, typed first, or a
        click gives it.
    """

    CONTEXT = "a question"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", "Back", id="ask.leave", tooltip="Leave without an answer")
    ]

    def __init__(
        self,
        question: str,
        *,
        value: str = "",
        required: bool = False,
        to: str = "save",
        keep: Callable[[str], object] = str,
        choices: Sequence[str] = (),
    ) -> None:
        super().__init__()
        self._question = question
        self._value = one_line(value)
        self._required = required
        self._to = to
        self._keep = keep
        self._choices = choices
        self._before = self._value

    def compose(self) -> ComposeResult:
        """A label over a field."""
        with Vertical(id="ask"):
            yield Label(one_line(self._question), markup=False)
            if self._choices:
                yield Static(self._listed(), id="choices")
            yield Input(self._value, id="answer", select_on_focus=False, compact=True)
            yield Label(id="ask-keys", markup=False)

    def on_mount(self) -> None:
        """Name the keys as they are bound."""
        leave = key_of(self, "ask.leave")
        said = f"enter to {self._to}, {leave} to leave"
        if self._choices:
            said = f"1-{len(self._choices)}, or words and enter; {leave} to leave"
        self.query_one("#ask-keys", Label).update(said)

    def _listed(self) -> str:
        """The common answers with their numbers, each to be clicked."""
        numbered = enumerate(self._choices, 1)
        return "   ".join(
            f"[@click=screen.choose({at})][bold]{at}[/]\xa0{said.replace(' ', chr(0xA0))}[/]"
            for at, said in numbered
        )

    def on_input_changed(self, event: Input.Changed) -> None:
        """A number typed into the empty field chooses."""
        before, self._before = self._before, event.value
        if not before and event.value.isdecimal() and len(event.value) == 1:
            self.action_choose(int(event.value))

    def action_choose(self, number: int) -> None:
        """Give one of the common answers, if there is one of this number."""
        if 1 <= number <= len(self._choices):
            self.dismiss(self._choices[number - 1])

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Give the answer, unless one is needed and there is none."""
        event.stop()
        answer = one_line(event.value)
        if answer or not self._required:
            self.dismiss(answer)
        else:
            self.query_one("#ask-keys", Label).update("type an answer first")

    def action_leave(self) -> None:
        """Go back without an answer."""
        self._keep(one_line(self.query_one(Input).value))
        self.dismiss(None)
