"""Waits until it is found which document comes first, where that takes long."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Label

from annotator.text.plural import counted
from annotator.tui.keymap import key_of
from annotator.tui.screens.base import BaseScreen

Begin = Callable[[], None]


class FindingOrder(ModalScreen["Begin | BaseException"], BaseScreen["Begin | BaseException"]):
    """Takes all keys until ``find`` is done, in a thread; what it returned, or what went wrong."""

    CONTEXT = "finding the order"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "app.quit", "Quit", id="order.leave", tooltip="Quit; all is saved")
    ]

    def __init__(self, find: Callable[[], Begin], pairs: int) -> None:
        super().__init__()
        self._find, self._pairs = find, pairs
        self._found: Begin | BaseException | None = None

    def compose(self) -> ComposeResult:
        """What is waited for, and the way out."""
        with Vertical(id="waiting"):
            yield Label(
                f"Finding which of {counted(self._pairs, 'document')} comes first …", markup=False
            )
            yield Label(id="waiting-keys", markup=False)

    def on_mount(self) -> None:
        """Name the key as it is bound, and begin to find it."""
        self.query_one("#waiting-keys", Label).update(f"{key_of(self, 'order.leave')} to quit")
        self.run_worker(self._work, thread=True, exit_on_error=False)

    def _work(self) -> None:
        try:
            self._found = self._find()
        except Exception as error:  # whoever runs the app tells of it
            self._found = error
        self.app.call_from_thread(self.on_screen_resume)

    def on_screen_resume(self) -> None:
        """Hand on what was found; if something lies above, once that is gone."""
        if self._found is not None:
            self.dismiss(self._found)
