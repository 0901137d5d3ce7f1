"""The whole need behind a query, however long."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.screen import Screen
from textual.widgets import Footer, Static

from annotator.records import Query
from annotator.sanitise import one_line
from annotator.tui.widgets.query_panel import need


class NeedScreen(Screen[None]):
    """Query, description and narrative, to be scrolled."""

    AUTO_FOCUS = "VerticalScroll"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,w", "leave", "Back", id="screen.leave", tooltip="Back to the document"),
        Binding("question_mark", "app.help", "Help", id="app.help", tooltip="All keys"),
    ]

    def __init__(self, query: Query) -> None:
        super().__init__()
        self._query = query

    def compose(self) -> ComposeResult:
        """One text."""
        yield Static(f" Query {one_line(self._query.qid, 60)}", id="heading", markup=False)
        with VerticalScroll():
            yield Static(need(self._query), classes="need")
        yield Footer(compact=True, show_command_palette=False)

    def action_leave(self) -> None:
        """Back to the document."""
        self.dismiss(None)
