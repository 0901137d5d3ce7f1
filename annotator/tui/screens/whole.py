"""The whole of what there is room for a part of: a need, what is known of a document."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from annotator.domain import Document
from annotator.text.safe import document_text, one_line
from annotator.tui.screens.base import BaseScreen
from annotator.tui.widgets.key_line import KeyLine
from annotator.tui.widgets.line_breaks import is_wider_in_some


class WholeScreen(BaseScreen[None]):
    """A text to be scrolled, however long."""

    AUTO_FOCUS = "VerticalScroll"
    CONTEXT = "a whole text"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,w,i", "leave", "Back", id="screen.leave", tooltip="Back to the document"),
        Binding("question_mark", "app.help", "Help", id="app.help", tooltip="All keys"),
    ]

    def __init__(self, heading: str, text: Content) -> None:
        super().__init__()
        self._heading = heading
        self._text = text

    def compose(self) -> ComposeResult:
        """One text."""
        yield Static(f" {one_line(self._heading, 60)}", id="heading", markup=False)
        with VerticalScroll():
            whole = Static(self._text, classes="whole")
            yield whole.set_class(is_wider_in_some(self._text.plain), "-wider")
        yield KeyLine()

    def action_leave(self) -> None:
        """Back to the document."""
        self.dismiss(None)


def known(document: Document) -> Content:
    """All that is known of a document beside its text: a name, and below it what it says."""
    fields = [("title", document.title), ("url", document.url), *document.metadata]
    parts = [
        Content.assemble((f"{one_line(name)}\n", "$foreground-muted"), document_text(value).strip())
        for name, value in fields
        if value.strip()
    ]
    return Content("\n\n").join(parts) if parts else Content("Nothing but its text is known.")
