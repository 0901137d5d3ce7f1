"""A document as it is shown: made safe, and broken into the lines of a terminal."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field
from typing import NamedTuple

from textual.strip import Strip

from annotator.text.safe import document_text, one_line
from annotator.tui.query_words import Marker
from annotator.tui.widgets.line_breaks import Lines
from annotator.tui.widgets.wrapping import wrap

HEADING_WIDTH = 1_000
BEGINNING = 20_000
"""Characters that fill any screen: the lines of so much of a text can be shown before the rest."""
NOT_STORED = "No text stored for this document.\nImport it with: annotator import documents FILE"
EMPTY = "The stored text of this document is empty."


class Source(NamedTuple):
    """What is to be shown.

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

    title: str
    text: str | None
    about: tuple[str, ...] = ()
    terms: Marker | None = None


@dataclass(frozen=True, eq=False)
class Page:
    """A source laid out for a width in cells.

    Attributes
    ----------
    content
        Heading and text, with nothing in it that a terminal would obey.
    title_end, about_end, body
        Where in it the title ends, the heading ends, and the text begins.
    lines
        Where each line in it starts and ends; while it is not whole, in its beginning.
    drawn
        Lines that have been drawn, by their number, to be shown again.
    """

    source: Source
    width: int
    content: str
    title_end: int
    about_end: int
    body: int
    lines: Lines
    is_whole: bool = True
    drawn: dict[int, Strip] = field(default_factory=dict)

    @classmethod
    def of(cls, source: Source, width: int, *, whole: bool = True) -> Page:
        """Lay a source out, or only its beginning, at once however long it is."""
        title, *about = (one_line(part, HEADING_WIDTH) for part in (source.title, *source.about))
        heading = "".join(f"{part}\n" for part in (title, *about) if part)
        about_end = len(heading)
        heading += "\n" if heading else ""
        body = NOT_STORED if source.text is None else document_text(source.text) or EMPTY
        content = heading + body
        whole = whole or len(content) <= BEGINNING
        lines = wrap(content if whole else content[:BEGINNING], width)
        return cls(source, width, content, len(title), about_end, len(heading), lines, whole)

    def at_width(self, width: int) -> Page:
        """The same broken anew."""
        return Page.of(self.source, width, whole=self.is_whole)

    def span(self, line: int) -> tuple[int, int]:
        """Where a line, or else the last one, starts and ends."""
        line = min(line, len(self.lines) - 1)
        return self.lines.starts[line], self.lines.ends[line]

    def line_at(self, offset: int) -> int:
        """The line that a place of the content is in."""
        return max(bisect_right(self.lines.starts, offset) - 1, 0)
