"""Breaks a long text into lines: five megabytes in a fraction of a second.

What each character measures is looked up for all of them at once.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable

import numpy as np
import numpy.typing as npt
from rich.cells import cell_len

from annotator.tui.widgets.line_breaks import (
    CHARACTERS_PER_CELL,
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

Codes = npt.NDArray[np.uint32]
Cells = npt.NDArray[np.int8]


def wrap_long(text: str, width: int) -> Lines:
    """Break a text as :func:`annotator.tui.widgets.wrapping.wrap` does a short one."""
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), "<u4")
    ends = np.append(np.flatnonzero(codes == ord("\n")), len(text)).astype(np.int32)
    starts = np.append(np.int32(0), ends[:-1] + 1)
    if is_simple(text):
        fits = ends - starts <= width
        line_end = simple(text, width)
    else:
        cells = _cells(codes)
        before = np.zeros(len(codes) + 1, np.int32)
        np.cumsum(cells, dtype=np.int32, out=before[1:])
        fits = before[ends] - before[starts] <= width
        fits &= ends - starts <= width * CHARACTERS_PER_CELL
        line_end = measured(text, width, before.data, _breaks(codes, cells))
    lines = np.stack((starts, ends), axis=1)
    if not fits.all():
        parts = [
            line
            for start, end in lines[~fits].tolist()
            for line in broken(text, start, end, line_end)
        ]
        lines = np.concatenate((lines[fits], np.array(parts, np.int32)))
        lines = lines[np.argsort(lines[:, 0], kind="stable")]
    return Lines(array("i", lines[:, 0].tobytes()), array("i", lines[:, 1].tobytes()))


def _cells(codes: Codes) -> Cells:
    """Measure each character, one that is joined to the one before as nothing.

    A tab counts as its widest; an emoji selector widens the character that it selects.
    """
    cells = _looked_up(codes, most_cells)
    cells[codes == ord("\t")] = TAB
    is_joiner = codes == ord(ZWJ)
    if is_joiner.any():
        after = np.flatnonzero(is_joiner[:-1]) + 1
        in_row = is_joiner[after] | (is_joiner[after - 2] & (after > 1))
        cells[after[~in_row & (codes[after] != ord("\t"))]] = 0
    selectors = np.flatnonzero(codes == ord(EMOJI))
    if selectors.size:
        cells[selectors] = 0
        places = np.arange(len(codes), dtype=np.int32) * (cells > 0)
        bases = np.maximum.accumulate(places)[selectors]
        widened = _looked_up(codes[bases], lambda base: cell_len(base + EMOJI))
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
    tied[[ord(character) for character in TIED]] = True
    may: npt.NDArray[np.bool_] = cells == 2
    may[1:] |= may[:-1].copy()
    may &= (cells > 0) & ~tied[codes]
    may |= (codes == ord(" ")) | (codes == ord("\t"))
    return may.tobytes()
