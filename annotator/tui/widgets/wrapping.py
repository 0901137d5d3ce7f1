"""Breaks a text into the lines of a terminal, as offsets into it, so that the text is not copied.

Five megabytes are broken in a fraction of a second: what each character measures is looked up for
all of them at once, and only the paragraphs that do not fit on a line are gone through.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator

import numpy as np
import numpy.typing as npt
from rich.cells import cell_len, get_character_cell_size

TAB = 4
CHARACTERS_PER_CELL = 8
"""The most characters a line holds per cell: a heap of combining marks has no width at all."""

_ZWJ, _EMOJI = "\u200d", "\ufe0f"
_BLANKS = re.compile(r"[ \t]*")
# What never begins a line: closing punctuation, small kana, and the skin of an emoji.
_TIED = "".join(
    (
        "!),.:;?]}»’”…、。〉》」』】〕〗！），．：；？］｝",  # noqa: RUF001
        "ー々ぁぃぅぇぉっゃゅょァィゥェォッャュョ",
        "🏻🏼🏽🏾🏿",
    )
)

Codes = npt.NDArray[np.uint32]
Cells = npt.NDArray[np.int8]
Lines = npt.NDArray[np.int32]
LineEnd = Callable[[int, int], int]


def wrap(text: str, width: int) -> Lines:
    """Break a text at blanks, between wide characters, and within words that are too long.

    Parameters
    ----------
    text
        The text; each newline ends a line. Other control characters count no cells.
    width
        The most cells of a line, with tabs expanded; taken as 4 if less, so that anything fits.

    Returns
    -------
    numpy.ndarray
        A row (start, end) for every line, in order. Between two of them lie a newline or the
        blanks at which the line was broken, if anything.
    """
    width = max(width, TAB)
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), "<u4")
    ends = np.append(np.flatnonzero(codes == ord("\n")), len(text)).astype(np.int32)
    starts = np.append(np.int32(0), ends[:-1] + 1)
    if text.isascii() and "\t" not in text:
        fits = ends - starts <= width
        line_end = _simple(text, width)
    else:
        cells = _cells(codes)
        before = np.zeros(len(codes) + 1, np.int32)
        np.cumsum(cells, dtype=np.int32, out=before[1:])
        fits = before[ends] - before[starts] <= width
        fits &= ends - starts <= width * CHARACTERS_PER_CELL
        line_end = _measured(text, width, before, _breaks(codes, cells))
    lines = np.stack((starts, ends), axis=1)
    if fits.all():
        return lines
    broken = [
        line for start, end in lines[~fits].tolist() for line in _broken(text, start, end, line_end)
    ]
    lines = np.concatenate((lines[fits], np.array(broken, np.int32)))
    return lines[np.argsort(lines[:, 0], kind="stable")]


def expand_tabs(text: str, column: int) -> str:
    """Put blanks for the tabs of a part of a line that begins at a column."""
    first, *others = text.split("\t")
    for part in others:
        first += " " * (TAB - (column + cell_len(first)) % TAB) + part
    return first


def _broken(text: str, start: int, end: int, line_end: LineEnd) -> Iterator[tuple[int, int]]:
    """Break one paragraph; blanks at its end need no line."""
    while start < end:
        stop = line_end(start, end)
        yield start, stop
        blanks = _BLANKS.match(text, stop, end)
        start = blanks.end() if blanks else stop


def _simple(text: str, width: int) -> LineEnd:
    """Find line ends where every character is one cell."""

    def line_end(start: int, end: int) -> int:
        if end - start <= width:
            return end
        blank = text.rfind(" ", start + 1, start + width + 1)
        return blank if blank >= 0 else start + width

    return line_end


def _measured(text: str, width: int, before: Lines, breaks: bytes) -> LineEnd:
    """Find line ends by what stands before each place: so many cells."""
    cells_before = before.data
    most = width * CHARACTERS_PER_CELL

    def line_end(start: int, end: int) -> int:
        room = cells_before[start] + width
        last = min(end, start + width)
        if cells_before[last] <= room:
            last = min(end, start + most)
        fits = bisect_right(cells_before, room, start, last + 1) - 1
        if fits == end:
            return end
        if (place := breaks.rfind(b"\1", start + 1, fits + 1)) >= 0:
            return place
        # A line that ended in a joiner would part it from what it hides.
        return fits - (text[fits - 1] == _ZWJ and fits - 1 > start)

    return line_end


def _cells(codes: Codes) -> Cells:
    """Measure each character as rich does, a character joined to the one before as nothing.

    A tab counts as its widest; an emoji selector widens the character that it selects.
    """
    cells = _looked_up(codes, get_character_cell_size)
    cells[codes == ord("\t")] = TAB
    is_joiner = codes == ord(_ZWJ)
    if is_joiner.any():
        after = np.flatnonzero(is_joiner[:-1]) + 1
        in_row = is_joiner[after] | (is_joiner[after - 2] & (after > 1))
        cells[after[~in_row & (codes[after] != ord("\t"))]] = 0
    selectors = np.flatnonzero(codes == ord(_EMOJI))
    if selectors.size:
        cells[selectors] = 0
        places = np.arange(len(codes), dtype=np.int32) * (cells > 0)
        bases = np.maximum.accumulate(places)[selectors]
        widened = _looked_up(codes[bases], lambda base: cell_len(base + _EMOJI))
        cells[bases] = np.maximum(cells[bases], widened)
    return cells


def _looked_up(codes: Codes, size: Callable[[str], int]) -> Cells:
    """Measure each character, asking once about each that occurs."""
    seen = np.zeros(int(codes.max()) + 1, bool)
    seen[codes] = True
    table = np.zeros(len(seen), np.int8)
    for code in np.flatnonzero(seen).tolist():
        table[code] = size(chr(code))
    return table[codes]


def _breaks(codes: Codes, cells: Cells) -> bytes:
    """Tell with one byte for each place whether a line may be broken there."""
    tied = np.zeros(0x110000, bool)
    tied[[ord(character) for character in _TIED]] = True
    may: npt.NDArray[np.bool_] = cells == 2
    may[1:] |= may[:-1].copy()
    may &= (cells > 0) & ~tied[codes]
    may |= (codes == ord(" ")) | (codes == ord("\t"))
    return may.tobytes()
