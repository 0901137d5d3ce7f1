"""Every key, made from the bindings themselves."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import ModalScreen
from textual.widgets import Footer, Static

from annotator.tui.widgets.rows_view import RowsView


class HelpScreen(ModalScreen[None]):
    """The keys that work on the screen below."""

    AUTO_FOCUS = "RowsView"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,question_mark", "leave", "Back", id="screen.leave", tooltip="Back")
    ]

    def __init__(self, rows: list[list[str]]) -> None:
        super().__init__()
        self._rows = rows

    def compose(self) -> ComposeResult:
        """One row a key."""
        yield Static(" Keys of this screen", id="heading", markup=False)
        yield RowsView(id="keys", choosable=False)
        yield Footer(compact=True, show_command_palette=False)

    def on_mount(self) -> None:
        """Fill the table."""
        self.query_one(RowsView).show(
            ["key", "does", "id, to bind another key"], self._rows, flexible=(2, 1)
        )

    def action_leave(self) -> None:
        """Back."""
        self.dismiss(None)
