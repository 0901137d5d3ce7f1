"""The query, and the need behind it."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from annotator.records import Query
from annotator.sanitise import document_text, one_line
from annotator.tui.widgets.line_breaks import is_wider_in_some


class QueryPanel(VerticalScroll, can_focus=False):
    """Shows a query's text, description and narrative."""

    _shown: tuple[Query | None] | None = None

    def compose(self) -> ComposeResult:
        """One text that grows to what it holds."""
        yield Static(id="query-text", markup=False)

    def show(self, query: Query | None) -> None:
        """Replace the query, if it is another one: to lay the screen out anew takes long.

        It stands out for its first document, lest that is judged by the query before.
        """
        text, is_other = self.query_one("#query-text", Static), (query,) != self._shown
        text.set_class(is_other and self._shown is not None, "-new")
        if is_other:
            self._shown = (query,)
            told = need(query)
            text.set_class(is_wider_in_some(told.plain), "-wider")
            text.update(told)
            self.scroll_home(animate=False)


def need(query: Query | None) -> Content:
    """A query's text, and below it what tells of the need behind it."""
    if query is None:
        return Content("No query is in the pool.")
    text = one_line(query.text) or f"query {one_line(query.qid)} (its text is not imported)"
    parts: list[Content | str | tuple[str, str]] = [(text, "bold")]
    for more in (query.description, query.narrative):
        if more.strip():
            parts.append(("\n" + document_text(more).strip(), "$foreground-muted"))
    return Content.assemble(*parts)
