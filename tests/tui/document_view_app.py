"""An app that is a document view alone, and what it draws."""

from __future__ import annotations

from rich.style import Style
from textual.app import App, ComposeResult

from annotator.tui.widgets.document_view import GUTTER, DocumentView

NUMBERED = "\n".join(f"line {number}" for number in range(200))


class Reading(App[None]):
    def compose(self) -> ComposeResult:
        yield DocumentView()

    @property
    def view(self) -> DocumentView:
        return self.query_one(DocumentView)


def rows(view: DocumentView) -> list[str]:
    """What is drawn, row by row."""
    return [view.render_line(y).text[GUTTER:].rstrip() for y in range(view.size.height)]


def styles(view: DocumentView, text: str) -> list[Style]:
    """How each piece is drawn that has exactly this text."""
    return [
        segment.style
        for y in range(view.size.height)
        for segment in view.render_line(y)
        if segment.text == text and segment.style is not None
    ]
