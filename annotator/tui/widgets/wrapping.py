"""Breaks a text into the lines of a terminal, as offsets into it, so that the text is not copied.

Only the paragraphs that do not fit on a line are gone through. The characters of a long text are
measured all at once by :mod:`annotator.tui.widgets.long_texts`; for a short one that is not worth
loading numpy.
"""

from __future__ import annotations

from array import array
from itertools import accumulate

from rich.cells import cell_len

from annotator.tui.widgets.line_breaks import (
    EMOJI,
    TAB,
    TIED,
    ZWJ,
    Lines,
    broken,
    is_simple,
    measured,
    most_cells,
    simple,
)

LONG = 50_000
"""Characters from which a text is measured all at once."""


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


def _measure(text: str) -> tuple[list[int], bytes]:
    """Say how many cells stand before each place, and with a byte 1 where a line may be broken."""
    cells = _cells(text)
    breaks = (
        one in " \t" or (size > 0 and (size == 2 or before == 2) and one not in TIED)
        for one, size, before in zip(text, cells, [0, *cells], strict=False)
    )
    return list(accumulate(cells, initial=0)), bytes(breaks)


def _cells(text: str) -> list[int]:
    """Measure each character, one that is joined to the one before as nothing.

    A tab counts as its widest; an emoji selector widens the character that it selects.
    """
    sizes = {one: most_cells(one) for one in set(text)} | {"\t": TAB, EMOJI: 0}
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
