"""Shows one document, however long: only the lines that can be seen are drawn."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import ClassVar

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual.binding import BindingType
from textual.filter import LineFilter
from textual.geometry import Region, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from annotator.tui.query_words import Marker
from annotator.tui.widgets.document_keys import SCROLLING
from annotator.tui.widgets.markdown import KINDS
from annotator.tui.widgets.matches import Matches
from annotator.tui.widgets.page import Page, Source
from annotator.tui.widgets.styles import NONE, parts
from annotator.tui.widgets.wrapping import expand_tabs

MEASURE = 88
GUTTER = 2
MOST_DRAWN = 500
"""Lines that are kept as they were drawn."""


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

    class Drawn(Message):
        """What was to be shown stands on the screen."""

    BINDINGS: ClassVar[list[BindingType]] = SCROLLING

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id, classes=classes)
        self._page = Page.of(Source("", ""), MEASURE)
        self._ahead: Page | None = None
        self.styled = False
        self._reading_at = 0
        self._matches = NONE
        self._look: tuple[object, ...] = ()
        self.drawn = True
        self._plain: Style | None = None

    @property
    def match_count(self) -> int:
        """How many matches the last search found, counted up to 10,000."""
        return len(self._matches.places)

    @property
    def match_index(self) -> int:
        """Which match is the current one, from 1; 0 if there is none."""
        return self._matches.current + 1 if self._matches else 0

    def show(
        self,
        title: str,
        text: str | None,
        about: Iterable[str] = (),
        terms: Marker | None = None,
    ) -> None:
        """Replace the document, described as for :class:`Source`, and go to its beginning."""
        page = self._laid_out(Source(title, text, tuple(about), terms), whole=not self.is_mounted)
        self._ahead = None
        self.clear_find()
        self._turn_to(page)
        self._reading_at = 0
        self.scroll_to(y=0, animate=False, force=True)
        if not page.is_whole:
            self.call_after_refresh(self._complete)

    def prepare(self, source: Source) -> None:
        """Lay out and draw what is likely to be shown next; what is shown now stays."""
        page = self._ahead = self._laid_out(source)
        self._see_look()
        width, filters = self.region.width, self.get_line_filters()
        cuts = [width - self.scrollbar_size_vertical, width]
        for line in range(min(self.size.height, len(page.lines))):
            strip = self._filtered(self._drawn(page, line), filters)
            for part in strip.divide(cuts):  # as the scroll bar will part it
                part.render(self.app.console)

    def _laid_out(self, source: Source, *, whole: bool = True) -> Page:
        ahead, width = self._ahead, self._text_width
        ready = ahead and (ahead.source, ahead.width) == (source, width)
        return ahead if ahead and ready else Page.of(source, width, whole=whole)

    def _complete(self) -> None:
        if not self._page.is_whole:
            self._turn_to(Page.of(self._page.source, self._page.width))

    def draw_again(self) -> None:
        """Draw all of it, and tell when that is done."""
        self.drawn = False
        self.refresh()

    def find(self, text: str) -> int:
        """Mark a text wherever it stands, in either case, and go to the next place; count them."""
        self.clear_find()
        self._complete()
        self._look_at(
            Matches.of(text, self._page.content, self._page.span(self.scroll_offset.y)[0])
        )
        return self.match_count

    def find_next(self) -> None:
        """Go to the match after the current one, or from the last to the first."""
        self._look_at(self._matches.going(self._matches.current + 1))

    def find_previous(self) -> None:
        """Go to the match before the current one, or from the first to the last."""
        self._look_at(self._matches.going(self._matches.current - 1))

    def clear_find(self) -> None:
        """Forget the matches."""
        if self._matches:
            self._matches = NONE
            self.refresh()

    def action_move(self, where: str) -> None:
        """Scroll at once: up, down, page_up, page_down, home or end."""
        getattr(self, f"scroll_{where}")(animate=False)

    def on_resize(self) -> None:
        """Break the text anew if its width has changed, and stay where the reader was."""
        if self._text_width == self._page.width:
            return
        start, end = self._page.span(self.scroll_offset.y)
        if not start <= self._reading_at <= end:
            self._reading_at = start
        self._turn_to(self._page.at_width(self._text_width))
        self.scroll_to(y=self._page.line_at(self._reading_at), animate=False, force=True)

    def render_lines(self, crop: Region) -> list[Strip]:
        """Draw many lines; where nothing is around them, without what Textual does for that."""
        self._see_look()
        if not self.drawn:
            self.drawn = True
            self.post_message(self.Drawn())
        region = self.region
        if any(self.styles.gutter) or (crop.x, crop.width) != (0, region.width):
            return super().render_lines(crop)
        filters = self.get_line_filters()
        strips = [self.render_line(y) for y in crop.line_range]
        return [self._filtered(strip, filters) for strip in strips]

    def render_line(self, y: int) -> Strip:
        """Draw one line of the document."""
        line = y + self.scroll_offset.y
        if line >= len(self._page.lines):
            return Strip.blank(self.region.width, self._plain or self.rich_style)
        return self._drawn(self._page, line)

    def _see_look(self) -> None:
        """See what all lines look like, once for many: it takes long."""
        self._plain = self.rich_style
        look = (self._plain, self.region.width, self.styled, self.app.theme)
        if look != self._look:
            self._look = look
            self._forget_drawn()

    def _forget_drawn(self) -> None:
        for page in filter(None, (self._page, self._ahead)):
            page.drawn.clear()

    def _filtered(self, strip: Strip, filters: Sequence[LineFilter]) -> Strip:
        """What the app makes of all it shows, such as greys where no colour is wanted."""
        for one in filters:
            strip = strip.apply_filter(one, self.background_colors[1])
        return strip

    def _drawn(self, page: Page, line: int) -> Strip:
        """A line of a page; drawn once, unless something is searched for in it."""
        if self._matches and page is self._page:
            return self._draw(page, line, self._matches)
        if line not in page.drawn:
            if len(page.drawn) >= MOST_DRAWN:
                page.drawn.clear()
            page.drawn[line] = self._draw(page, line)
        return page.drawn[line]

    def _draw(self, page: Page, line: int, matches: Matches = NONE) -> Strip:
        plain = self._plain or self.rich_style
        segments, column = [Segment(" " * GUTTER, plain)], 0
        looks = parts(page, line, styled=self.styled, matches=matches)
        for kind, part in looks:
            shown = expand_tabs(part, column)
            column += cell_len(shown)
            style = self.get_component_rich_style(kind) if kind else plain
            segments.append(Segment(shown, style))
        return Strip(segments, GUTTER + column).adjust_cell_length(self.region.width, plain)

    @property
    def _text_width(self) -> int:
        room = self.scrollable_content_region.width
        return min(MEASURE, room - GUTTER) if room else MEASURE

    def _turn_to(self, page: Page) -> None:
        self._page = page
        # Set the usual way, this would lay out the whole screen anew for each document.
        size = Size(page.width + GUTTER, len(page.lines))
        self.set_reactive(DocumentView.virtual_size, size)
        if self.is_mounted:
            self.vertical_scrollbar.window_virtual_size = size.height
        self.draw_again()

    def _look_at(self, matches: Matches) -> None:
        self._matches = matches
        if not matches:
            return
        line = self._page.line_at(matches.places[matches.current][0])
        height = self.scrollable_content_region.height
        if not self.scroll_offset.y <= line < self.scroll_offset.y + height:
            self.scroll_to(y=line - height // 3, animate=False, force=True)
        self.refresh()
