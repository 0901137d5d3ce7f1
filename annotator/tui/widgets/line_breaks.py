"""Where a line of a terminal may end: the rules of breaking a text, short or long."""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from unicodedata import category

from rich.cells import get_character_cell_size

TAB = 4
CHARACTERS_PER_CELL = 8
"""The most characters a line holds per cell: a heap of combining marks has no width at all."""

ZWJ, EMOJI = "\u200d", "\ufe0f"
TIED = frozenset(
    "!),.:;?]}»’”…、。〉》」』】〕〗！），．：；？］｝"  # noqa: RUF001
    "ー々ぁぃぅぇぉっゃゅょァィゥェォッャュョ"
    "🏻🏼🏽🏾🏿"
)
"""What never begins a line: closing punctuation, small kana, and the skin of an emoji."""

_BLANKS = re.compile(r"[ \t]*")


def most_cells(character: str) -> int:
    """Cells of a character in the terminal that gives it most, lest the end of a line be cut off.

    Vowel signs that stand beside their letter, as Hindi has them, are a cell in terminals that ask
    the C library (tmux, xterm), and none in others and to rich.
    """
    return get_character_cell_size(character) or int(_stands_beside(character))


def is_wider_in_some(text: str) -> bool:
    """Whether some terminals give a text more cells than rich does."""
    return not text.isascii() and any(map(_stands_beside, set(text)))


def _stands_beside(character: str) -> bool:
    return category(character) == "Mc"


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
