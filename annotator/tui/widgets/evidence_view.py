"""A document in which the lines that are the reason for a grade can be marked."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable
from enum import Enum

from rich.segment import Segment
from textual.events import Click
from textual.strip import Strip

from annotator.domain import Evidence
from annotator.tui.query_words import Marker
from annotator.tui.widgets.document_view import GUTTER, DocumentView


class Stage(Enum):
    """How far the marking is."""

    NONE = ""
    FIRST = "evidence: go to its first line, then the same key again; escape to forget"
    LAST = "evidence: go to its last line, then the same key again; escape to forget"
    DONE = "evidence marked: it is stored with the next grade; escape to forget"


class EvidenceView(DocumentView):
    """Shows a document, and lets lines of its text be chosen with the keys that scroll it."""

    COMPONENT_CLASSES = DocumentView.COMPONENT_CLASSES | {"evidence-view--marked"}
    DEFAULT_CSS = "EvidenceView > .evidence-view--marked { background: $accent 25%; }"

    stage = Stage.NONE
    _stored = ""
    _body = 0
    _cursor = _anchor = 0
    _span = (0, 0)

    def show(
        self,
        title: str,
        text: str | None,
        about: Iterable[str] = (),
        terms: Marker | None = None,
    ) -> None:
        """Replace the document and go to its beginning; nothing of it is marked."""
        super().show(title, text, about, terms)
        self.stage, self._stored = Stage.NONE, text or ""
        self._body = self._page.body

    @property
    def markable(self) -> bool:
        """Whether there is a text to mark anything in."""
        return bool(self._stored)

    @property
    def evidence(self) -> Evidence | None:
        """The part of the stored text that is marked."""
        if self.stage not in (Stage.LAST, Stage.DONE):
            return None
        start, end = (place - self._body for place in self._shown_span())
        ends = self._line_ends(shown=True)
        start, end = start + bisect_left(ends, start), end + bisect_left(ends, end)
        return Evidence(start, end) if start < end else None

    def show_evidence(self, evidence: Evidence | None) -> None:
        """Show a part of the stored text as marked; None for nothing."""
        self.stage = Stage.NONE if evidence is None else Stage.DONE
        if evidence is not None:
            ends = self._line_ends(shown=False)
            start, end = (min(place, len(self._stored)) for place in evidence)
            start, end = start - bisect_left(ends, start), end - bisect_left(ends, end)
            self._span = self._body + start, self._body + end
        self.refresh()

    def mark(self) -> Stage:
        """Begin to mark, or go on from the first line to the last, and from there to the end."""
        if self.stage is Stage.FIRST:
            self._anchor, self.stage = self._cursor, Stage.LAST
        elif self.stage is Stage.LAST:
            self._span, self.stage = self._shown_span(), Stage.DONE
        else:
            self.stage = Stage.FIRST
            self._go_to(self.scroll_offset.y)
        self.refresh()
        return self.stage

    def action_move(self, where: str) -> None:
        """Scroll, or while marking move the line that is marked."""
        if self.stage not in (Stage.FIRST, Stage.LAST):
            super().action_move(where)
            return
        page, whole = self.scrollable_content_region.height, len(self._page.lines)
        by = {"up": -1, "down": 1, "page_up": -page, "page_down": page, "home": -whole}
        self._go_to(self._page.line_at(self._cursor) + by.get(where, whole))

    def on_click(self, event: Click) -> None:
        """While marking, go to the line that is clicked."""
        at = event.get_content_offset(self)
        if at is not None and self.stage in (Stage.FIRST, Stage.LAST):
            self._go_to(at.y + self.scroll_offset.y)

    def render_line(self, y: int) -> Strip:
        """Draw one line, with a bar beside it and another ground if it is marked."""
        strip = super().render_line(y)
        line = y + self.scroll_offset.y
        if self.stage is Stage.NONE or line >= len(self._page.lines):
            return strip
        start, end = self._page.span(line)
        first, last = self._shown_span()
        if end <= first or start >= last:
            return strip
        style = self.get_component_rich_style("evidence-view--marked", partial=True)
        beside = Strip([Segment("▌".ljust(GUTTER), self._plain or self.rich_style)], GUTTER)
        return Strip.join([beside, strip.crop(GUTTER)]).apply_style(style)

    def _go_to(self, line: int) -> None:
        """Put the cursor on a line of the text, and keep it on screen."""
        line = max(self._page.line_at(self._body), min(line, len(self._page.lines) - 1))
        self._cursor = self._page.span(line)[0]
        top, height = self.scroll_offset.y, self.scrollable_content_region.height
        if not top <= line < top + height:
            at = line if line < top else line - height + 1
            self.scroll_to(y=at, animate=False, force=True)
        self.refresh()

    def _shown_span(self) -> tuple[int, int]:
        """What is marked of the shown content, in whole lines while it is being chosen."""
        if self.stage is Stage.DONE:
            return self._span
        places = {self._cursor, self._anchor if self.stage is Stage.LAST else self._cursor}
        lines = [self._page.span(self._page.line_at(place)) for place in places]
        return max(self._body, min(lines)[0]), max(lines)[1]

    def _line_ends(self, *, shown: bool) -> list[int]:
        """Where the text's two-character line ends are, which are shown as one character."""
        found = re.finditer("\r\n", self._stored)
        return [one.start() - (index if shown else 0) for index, one in enumerate(found)]
