"""Shows one document, however long: only the lines that can be seen are drawn."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable
from itertools import groupby, islice
from operator import itemgetter
from typing import ClassVar

import numpy as np
from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual.binding import Binding, BindingType
from textual.geometry import Region, Size
from textual.scroll_view import ScrollView
from textual.strip import Strip

from annotator.sanitise import document_text, one_line, visible
from annotator.tui.terms import Marker
from annotator.tui.widgets.markdown import KINDS, marked_up
from annotator.tui.widgets.wrapping import expand_tabs, wrap

MEASURE = 88
GUTTER = 2
HEADING_WIDTH = 1_000
MOST_MATCHES = 10_000
NOT_STORED = "No text stored for this document.\nImport it with: annotator import documents FILE"
EMPTY = "The stored text of this document is empty."


def _move(keys: str, where: str, label: str) -> Binding:
    return Binding(
        keys,
        f"move('{where}')",
        label,
        show=False,
        id=f"document.{label.lower().replace(' ', '-')}",
        tooltip=f"Scroll the document: {label.lower()}",
    )


class DocumentView(ScrollView, can_focus=True, inherit_bindings=False):
    """A document to read: title, what else is known, text, and the query's words, all made safe."""

    DEFAULT_CSS = """
    DocumentView {
        overflow-x: hidden;
        overflow-y: scroll;
        scrollbar-size-vertical: 1;
        & > .document-view--title { text-style: bold; }
        & > .document-view--about { color: $text-muted; }
        & > .document-view--heading, & > .document-view--strong { text-style: bold; }
        & > .document-view--emphasis { text-style: italic; }
        & > .document-view--code, & > .document-view--quote { color: $text-secondary; }
        & > .document-view--term { color: $text-accent; text-style: bold underline; }
        & > .document-view--match { color: $text-warning; text-style: reverse; }
        & > .document-view--current-match {
            color: $text-warning;
            text-style: bold underline reverse;
        }
    }
    """
    COMPONENT_CLASSES: ClassVar[set[str]] = {
        *(f"document-view--{kind}" for kind in KINDS),
        "document-view--title",
        "document-view--about",
        "document-view--term",
        "document-view--match",
        "document-view--current-match",
    }
    ALLOW_SELECT = False
    BINDINGS: ClassVar[list[BindingType]] = [
        _move("space,pagedown", "page_down", "Page down"),
        _move("pageup", "page_up", "Page up"),
        _move("down", "down", "Line down"),
        _move("up", "up", "Line up"),
        _move("home", "home", "Beginning"),
        _move("end", "end", "End"),
    ]

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id, classes=classes)
        self._content = ""
        self._title_end = self._about_end = 0
        self._terms: Marker | None = None
        self.styled = False
        self._lines = wrap("", MEASURE)
        self._wrapped_to = 0
        self._reading_at = 0
        self._matches: list[tuple[int, int]] = []
        self._current = 0
        self._plain: Style | None = None

    @property
    def match_count(self) -> int:
        """How many matches the last search found, counted up to 10,000."""
        return len(self._matches)

    @property
    def match_index(self) -> int:
        """Which match is the current one, from 1; 0 if there is none."""
        return self._current + 1 if self._matches else 0

    def show(
        self,
        title: str,
        text: str | None,
        about: Iterable[str] = (),
        terms: Marker | None = None,
    ) -> None:
        """Replace the document and go to its beginning.

        Parameters
        ----------
        title
            Shown first; one line.
        text
            None if only the document's id is known.
        about
            What is known of the document, a line each, shown below the title.
        terms
            What to mark wherever it is found.
        """
        title, *lines = (one_line(part, HEADING_WIDTH) for part in (title, *about))
        heading = "".join(f"{part}\n" for part in (title, *lines) if part)
        body = NOT_STORED if text is None else document_text(text) or EMPTY
        self._content = f"{heading}\n{body}" if heading else body
        self._title_end, self._about_end = len(title), len(heading)
        self._terms = terms
        self.clear_find()
        self._wrap()
        self._reading_at = 0
        self.scroll_to(y=0, animate=False, force=True)

    def find(self, text: str) -> int:
        """Mark a text wherever it stands, in either case, and go to the next place; count them."""
        self.clear_find()
        if text:
            places = re.finditer(re.escape(visible(text)), self._content, re.IGNORECASE)
            self._matches = [place.span() for place in islice(places, MOST_MATCHES)]
        if self._matches:
            top = self._line_span(self.scroll_offset.y)[0]
            self._go_to_match(bisect_left(self._matches, (top, 0)))
        return self.match_count

    def find_next(self) -> None:
        """Go to the match after the current one, or from the last to the first."""
        self._go_to_match(self._current + 1)

    def find_previous(self) -> None:
        """Go to the match before the current one, or from the first to the last."""
        self._go_to_match(self._current - 1)

    def clear_find(self) -> None:
        """Forget the matches."""
        self._matches, self._current = [], 0
        self.refresh()

    def action_move(self, where: str) -> None:
        """Scroll at once: up, down, page_up, page_down, home or end."""
        getattr(self, f"scroll_{where}")(animate=False)

    def on_resize(self) -> None:
        """Break the text anew if its width has changed, and stay where the reader was."""
        if self._text_width == self._wrapped_to:
            return
        start, end = self._line_span(self.scroll_offset.y)
        if not start <= self._reading_at <= end:
            self._reading_at = start
        self._wrap()
        self.scroll_to(y=self._line_at(self._reading_at), animate=False, force=True)

    def render_lines(self, crop: Region) -> list[Strip]:
        """Draw many lines; what they look like is asked for once, since that takes long."""
        self._plain = self.rich_style
        return super().render_lines(crop)

    def render_line(self, y: int) -> Strip:
        """Draw one line of the document."""
        plain = self._plain or self.rich_style
        line = y + self.scroll_offset.y
        if line >= len(self._lines):
            return Strip.blank(self.size.width, plain)
        segments, column = [Segment(" " * GUTTER, plain)], 0
        for kind, part in self._parts(*self._line_span(line)):
            shown = expand_tabs(part, column)
            column += cell_len(shown)
            style = self.get_component_rich_style(kind) if kind else plain
            segments.append(Segment(shown, style))
        return Strip(segments).adjust_cell_length(self.size.width, plain)

    def _parts(self, start: int, end: int) -> list[tuple[str, str]]:
        """Cut a line where its look changes; each part with its component class, or none."""
        looks = [""] * (end - start)

        def paint(first: int, last: int, kind: str) -> None:
            first, last = max(first, start), min(last, end)
            looks[first - start : last - start] = [f"document-view--{kind}"] * (last - first)

        if start < self._about_end:
            paint(start, end, "title" if start < self._title_end else "about")
        if self.styled and start >= self._about_end:
            for first, last, kind in marked_up(self._content, start, end):
                paint(first, last, kind)
        if self._terms is not None and (start < self._title_end or start >= self._about_end):
            for found in self._terms.finditer(self._content, start, end):
                paint(*found.span(), "term")
        first = bisect_left(self._matches, start + 1, key=itemgetter(1))
        for index in range(first, len(self._matches)):
            if self._matches[index][0] >= end:
                break
            paint(*self._matches[index], "current-match" if index == self._current else "match")
        runs = groupby(zip(looks, self._content[start:end], strict=True), key=itemgetter(0))
        return [(kind, "".join(character for _, character in run)) for kind, run in runs]

    @property
    def _text_width(self) -> int:
        room = self.scrollable_content_region.width
        return min(MEASURE, room - GUTTER) if room else MEASURE

    def _wrap(self) -> None:
        self._wrapped_to = self._text_width
        self._lines = wrap(self._content, self._wrapped_to)
        # Set the usual way, this would lay out the whole screen anew for each document.
        size = Size(self._wrapped_to + GUTTER, len(self._lines))
        self.set_reactive(DocumentView.virtual_size, size)
        if self.is_mounted:
            self.vertical_scrollbar.window_virtual_size = size.height
        self.refresh()

    def _line_span(self, line: int) -> tuple[int, int]:
        start, end = self._lines[min(line, len(self._lines) - 1)].tolist()
        return start, end

    def _line_at(self, offset: int) -> int:
        return max(int(np.searchsorted(self._lines[:, 0], offset, "right")) - 1, 0)

    def _go_to_match(self, index: int) -> None:
        if not self._matches:
            return
        self._current = index % len(self._matches)
        line = self._line_at(self._matches[self._current][0])
        height = self.scrollable_content_region.height
        if not self.scroll_offset.y <= line < self.scroll_offset.y + height:
            self.scroll_to(y=line - height // 3, animate=False, force=True)
        self.refresh()
