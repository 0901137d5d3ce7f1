"""Every key, made from the bindings themselves."""

from __future__ import annotations

from typing import Any, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import ModalScreen, Screen
from textual.widgets import Static

from annotator.tui.screens.base import BaseScreen
from annotator.tui.widgets.key_line import KeyLine
from annotator.tui.widgets.rows_view import RowsView


class HelpScreen(ModalScreen[str | None], BaseScreen[str | None]):
    """The keys that work on the screen below; gives the id of the binding that is chosen."""

    AUTO_FOCUS = "RowsView"
    CONTEXT = "help"
    KEYED = (RowsView,)
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,question_mark", "leave", "Back", id="screen.leave", tooltip="Back")
    ]

    def __init__(self, rows: list[list[str]]) -> None:
        super().__init__()
        self._rows = rows

    def compose(self) -> ComposeResult:
        """One row a key."""
        yield Static(" Keys of this screen", id="heading", markup=False)
        yield RowsView(id="keys")
        yield KeyLine()

    def on_mount(self) -> None:
        """Fill the table."""
        self.query_one(RowsView).show(
            ["key", "does", "id in the settings"], self._rows, flexible=(1, 2)
        )

    def on_rows_view_chosen(self, message: RowsView.Chosen) -> None:
        """Have done what the key in the row does; a grade is given with the document in view."""
        chosen = self._rows[message.row][-1]
        self.dismiss(None if chosen.removeprefix("grade.").isdigit() else chosen)

    def action_leave(self) -> None:
        """Back."""
        self.dismiss(None)


def _grades(binding: Binding) -> bool:
    return binding.action.startswith("grade(")


def _scrolls(binding: Binding) -> bool:
    return binding.action.startswith(("move(", "go(", "page("))


def key_rows(screen: Screen[Any]) -> list[list[str]]:
    """What works on a screen now: keys, what they do, their ids; grades first, scrolling last."""
    rows: dict[str, list[str]] = {}
    bindings = [active.binding for active in screen.active_bindings.values()]
    for binding in sorted(bindings, key=lambda one: (_scrolls(one), not _grades(one))):
        if binding.id is None:
            continue
        key = screen.app.get_key_display(binding)
        row = rows.setdefault(binding.id, [key, binding.tooltip, binding.id])
        if key not in row[0].split():
            row[0] += f" {key}"
    return list(rows.values())
