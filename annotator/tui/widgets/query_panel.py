"""The query, and the need behind it."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from annotator.domain import Query
from annotator.text.safe import document_text, one_line
from annotator.tui.widgets.line_breaks import is_wider_in_some

WIDTHS, NARROWER = ("100%", 88), ("82%", 72)
"""Width and most cells; the second leaves room for what some terminals make wider."""


class QueryPanel(VerticalScroll, can_focus=False):
    """Shows a query's text, description and narrative."""

    _shown: tuple[Query | None, bool, bool] | None = None
    is_short = False
    """Whether only the query's own text is shown."""
    _widths = WIDTHS

    def compose(self) -> ComposeResult:
        """One text that grows to what it holds."""
        yield Static(id="query-text", markup=False)

    def show(self, query: Query | None) -> None:
        """Replace the query, if it is another one: to lay the screen out anew takes long.

        It stands out for its first document, lest that is judged by the query before.
        """
        before, is_other = self._shown, self._shown is None or self._shown[0] != query
        stands_out = is_other and before is not None
        self._shown = query, stands_out, self.is_short
        if self._shown == before:
            return
        text, told = self.query_one("#query-text", Static), need(query)
        if self.is_short and _end(told) < len(told.plain):
            told = told[: _end(told)] + Content.styled(" …", "$foreground-muted")
        if stands_out:
            told = told.stylize("underline" if self.app.no_color else "$text-accent", 0, _end(told))
        if is_other:
            self._fit(text, told)
            self.scroll_home(animate=False)
        text.update(told, layout=is_other or self._shown[2] != (before and before[2]))

    def _fit(self, text: Static, told: Content) -> None:
        widths = NARROWER if is_wider_in_some(told.plain) else WIDTHS
        if widths != self._widths:  # what is set here is looked at anew for the whole screen
            self._widths = widths
            text.styles.width, text.styles.max_width = widths


def _end(told: Content) -> int:
    """Where the query's own text ends."""
    end = told.plain.find("\n")
    return len(told.plain) if end < 0 else end


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
