"""Breaks a text into the lines of a terminal, as offsets into it, so that the text is not copied.

Only the paragraphs that do not fit on a line are gone through. The characters of a long text are
measured all at once by :mod:`annotator.tui.widgets.long_texts`; for a short one that is not worth
loading numpy.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

from rich.cells import cell_len, get_character_cell_size

TAB = 4
CHARACTERS_PER_CELL = 8
"""The most characters a line holds per cell: a heap of combining marks has no width at all."""
LONG = 50_000
"""Characters from which a text is measured all at once."""

ZWJ, EMOJI = "\u200d", "\ufe0f"
TIED = frozenset(
    "!),.:;?]}»’”…、。〉》」』】〕〗！），．：；？］｝"  # noqa: RUF001
    "ー々ぁぃぅぇぉっゃゅょァィゥェォッャュョ"
    "🏻🏼🏽🏾🏿"
)
"""What never begins a line: closing punctuation, small kana, and the skin of an emoji."""

_BLANKS = re.compile(r"[ \t]*")

LineEnd = Callable[[int, int], int]
"""Where a line ends that begins at a place of a paragraph which ends at another."""


@dataclass(frozen=True, eq=False)
class Lines:
    """The lines of a text, in order: where each starts and where it ends.

    Between two of them lie a newline or the blanks at which the line was broken, if anything.
    """

    starts: array[int]
    ends: array[int]

    def __len__(self) -> int:
        return len(self.starts)


def wrap(text: str, width: int) -> Lines:
    """Break a text at blanks, between wide characters, and within words that are too long.

    Parameters
    ----------
    text
        The text; each newline ends a line. Other control characters count no cells.
    width
        The most cells of a line, with tabs expanded; taken as 4 if less, so that anything fits.
    """
    width = max(width, TAB)
    if len(text) >= LONG:
        from annotator.tui.widgets.long_texts import wrap_long

        return wrap_long(text, width)
    line_end = simple(text, width) if is_simple(text) else measured(text, width, *_measure(text))
    lines, start = Lines(array("i"), array("i")), 0
    for paragraph in text.split("\n"):
        end = start + len(paragraph)
        for one in broken(text, start, end, line_end) if paragraph else [(start, end)]:
            lines.starts.append(one[0])
            lines.ends.append(one[1])
        start = end + 1
    return lines


def expand_tabs(text: str, column: int) -> str:
    """Put blanks for the tabs of a part of a line that begins at a column."""
    first, *others = text.split("\t")
    for part in others:
        first += " " * (TAB - (column + cell_len(first)) % TAB) + part
    return first


def broken(text: str, start: int, end: int, line_end: LineEnd) -> Iterator[tuple[int, int]]:
    """Break one paragraph; blanks at its end need no line."""
    while start < end:
        stop = line_end(start, end)
        yield start, stop
        blanks = _BLANKS.match(text, stop, end)
        start = blanks.end() if blanks else stop


def is_simple(text: str) -> bool:
    """Whether every character but the newlines is one cell, controls aside."""
    return text.isascii() and "\t" not in text


def simple(text: str, width: int) -> LineEnd:
    """Find line ends where every character is one cell."""

    def line_end(start: int, end: int) -> int:
        if end - start <= width:
            return end
        blank = text.rfind(" ", start + 1, start + width + 1)
        return blank if blank >= 0 else start + width

    return line_end


def measured(text: str, width: int, before: Sequence[int], breaks: bytes) -> LineEnd:
    """Find line ends by what stands before each place: so many cells, and a byte 1 for a break."""
    most = width * CHARACTERS_PER_CELL

    def line_end(start: int, end: int) -> int:
        room = before[start] + width
        last = min(end, start + width)
        if before[last] <= room:
            last = min(end, start + most)
        fits = bisect_right(before, room, start, last + 1) - 1
        if fits == end:
            return end
        if (place := breaks.rfind(b"\1", start + 1, fits + 1)) >= 0:
            return place
        # A line that ended in a joiner would part it from what it hides.
        return fits - (text[fits - 1] == ZWJ and fits - 1 > start)

    return line_end


def _measure(text: str) -> tuple[list[int], bytes]:
    """Say how many cells stand before each place, and with a byte 1 where a line may be broken."""
    cells = _cells(text)
    breaks = (
        one in " \t" or (size > 0 and (size == 2 or before == 2) and one not in TIED)
        for one, size, before in zip(text, cells, [0, *cells], strict=False)
    )
    return list(accumulate(cells, initial=0)), bytes(breaks)


def _cells(text: str) -> list[int]:
    """Measure each character as rich does, a character joined to the one before as nothing.

    A tab counts as its widest; an emoji selector widens the character that it selects.
    """
    sizes = {one: get_character_cell_size(one) for one in set(text)} | {"\t": TAB, EMOJI: 0}
    cells = [sizes[one] for one in text]
    if ZWJ in text:
        for joined in range(1, len(text)):
            in_row = text[joined] == ZWJ or (joined > 1 and text[joined - 2] == ZWJ)
            if text[joined - 1] == ZWJ and not in_row and text[joined] != "\t":
                cells[joined] = 0
    if EMOJI in text:
        selected = 0
        for at, one in enumerate(text):
            if cells[at]:
                selected = at
            elif one == EMOJI:
                cells[selected] = max(cells[selected], cell_len(text[selected] + EMOJI))
    return cells
