"""What can be done with the document of a screen: finding words, choosing its look."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.content import Content

from annotator.domain import Document, Query
from annotator.text.safe import one_line
from annotator.tui.screens.base import BaseScreen
from annotator.tui.widgets.document_view import DocumentView
from annotator.tui.widgets.query_panel import need
from annotator.tui.widgets.status_line import StatusLine
from annotator.tui.workplace import Workplace

BINDINGS: list[BindingType] = [
    Binding("n", "find_next", "Next", id="find.next", tooltip="The next match"),
    Binding("N", "find_previous", "Prev", id="find.previous", tooltip="The match before"),
    Binding("escape", "end_find", "End find", id="find.end", tooltip="End the search"),
]
START = Binding("slash", "find", "Find", id="find.start", tooltip="Find words in the document")
NEED = Binding("w", "need", "Whole query", show=False, id="query.whole",
               tooltip="The query with description and narrative")  # fmt: skip
ABOUT = Binding("i", "about", "About", show=False, id="document.about",
                tooltip="All fields of this document")  # fmt: skip


class DocumentScreen(BaseScreen[None]):
    """A screen with a document and a status line, where words can be found."""

    BINDINGS: ClassVar[list[BindingType]] = [*BINDINGS, START, NEED, ABOUT]
    VERTICAL_BREAKPOINTS = [(0, "-low"), (18, "-high")]  # noqa: RUF012 -- as Screen declares it
    _work: Workplace

    @property
    def finding(self) -> bool:
        """Whether there are matches to go through."""
        return self.is_mounted and self.query_one(DocumentView).match_count > 0

    def whole_query(self) -> Query | None:
        """The query that the document is shown for: the one on the desk."""
        return self._work.session.query

    def whole_document(self) -> Document | None:
        """The document that is shown: the one on the desk."""
        return self._work.session.document()

    def action_need(self) -> None:
        """Show the query with all that is known of the need behind it."""
        if query := self.whole_query():
            self._show_whole(f"Query {query.qid}", need(query))

    def action_about(self) -> None:
        """Show all that is known of the document, of which there is room for a part only."""
        if document := self.whole_document():
            from annotator.tui.screens.whole import known  # not needed to open the app

            self._show_whole(f"Document {document.docid}", known(document))

    def _show_whole(self, heading: str, text: Content) -> None:
        from annotator.tui.screens.whole import WholeScreen  # not needed to open the app

        self.app.push_screen(WholeScreen(heading, text))

    def action_find(self) -> None:
        """Ask for words and go to the first match."""
        self.ask("Find in this document", self._find, to="find")

    def ask(
        self,
        question: str,
        then: Callable[[str | None], None],
        *,
        value: str = "",
        required: bool = False,
        to: str = "save",
        keep: Callable[[str], object] = str,
        choices: Sequence[str] = (),
    ) -> None:
        """Ask for a line of text and do something with it; with None if there is no answer."""
        from annotator.tui.screens.ask import Ask  # not needed to open the app

        ask = Ask(question, value=value, required=required, to=to, keep=keep, choices=choices)
        self.app.push_screen(ask, then)

    def _find(self, words: str | None) -> None:
        if words:
            found = self.query_one(DocumentView).find(words)
            self._say_match(f"{one_line(words, 40)} is not in this document" if not found else "")

    def action_find_next(self) -> None:
        """Go to the next match."""
        self.query_one(DocumentView).find_next()
        self._say_match()

    def action_find_previous(self) -> None:
        """Go to the match before."""
        self.query_one(DocumentView).find_previous()
        self._say_match()

    def action_end_find(self) -> None:
        """Forget the search."""
        self.query_one(DocumentView).clear_find()
        self.refresh_bindings()
        self.query_one(StatusLine).say("")

    def action_toggle_styled(self) -> None:
        """Show Markdown by its look, or as plain text."""
        view = self.query_one(DocumentView)
        view.styled = not view.styled
        view.refresh()
        self.query_one(StatusLine).say("Markdown" if view.styled else "plain text")

    def _say_match(self, otherwise: str = "") -> None:
        view = self.query_one(DocumentView)
        said = otherwise or f"match {view.match_index} of {view.match_count}"
        self.query_one(StatusLine).say(said)
        self.refresh_bindings()
