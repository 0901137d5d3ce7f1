"""Waits for another program to finish writing, so that what was said can be saved."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Label

from annotator.text.safe import one_line
from annotator.tui import retry
from annotator.tui.keymap import key_of
from annotator.tui.screens.base import BaseScreen

PATIENCE = 60.0
"""Seconds until it is given up."""


class Waiting(ModalScreen[bool], BaseScreen[bool]):
    """Takes all keys until ``attempt`` tells that it is done; False if it was given up."""

    CONTEXT = "waiting"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", "Give up", id="waiting.leave", tooltip="Do not save it")
    ]

    def __init__(self, what: str, attempt: Callable[[], bool]) -> None:
        super().__init__()
        self._what = what
        self._attempt = attempt
        self._left = round(PATIENCE / retry.AGAIN)

    def compose(self) -> ComposeResult:
        """What is waited for, and the way out."""
        with Vertical(id="waiting"):
            yield Label(
                f"Another program is writing to this project. Not saved yet: {one_line(self._what)}"
                ". It will be as soon as that is done.",
                markup=False,
            )
            yield Label(id="waiting-keys", markup=False)

    def on_mount(self) -> None:
        """Name the key as it is bound, and begin to try."""
        leave = key_of(self, "waiting.leave")
        self.query_one("#waiting-keys", Label).update(f"{leave} to give up")
        self.set_interval(retry.AGAIN, self._again)

    def _again(self) -> None:
        if not self.is_on_top:
            return
        self._left -= 1
        if self._attempt():
            self.dismiss(True)
        elif self._left <= 0:
            self.dismiss(False)

    def action_leave(self) -> None:
        """Give up."""
        self.dismiss(False)
