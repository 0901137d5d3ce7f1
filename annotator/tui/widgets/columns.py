"""Cells of text in columns of a width that fits."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

from rich.cells import cell_len, set_cell_size

GAP = 2
LEAST = 8


class Columns:
    """The widths of a table's columns; some give way where the room is too small.

    Parameters
    ----------
    headings, rows
        The cells.
    flexible
        The columns that are cut when the width is too small, the first to be cut first.
    right
        The columns whose cells stand to the right.
    """

    def __init__(
        self,
        headings: Sequence[str] = (),
        rows: Sequence[Sequence[str]] = (),
        *,
        flexible: Sequence[int] = (),
        right: Sequence[int] = (),
    ) -> None:
        self._flexible, self._right = flexible, right
        self._widths = [max(map(cell_len, column)) for column in zip(headings, *rows, strict=True)]

    @property
    def width(self) -> int:
        """How many cells a table takes that has room for everything."""
        return sum(self._widths) + GAP * (len(self._widths) - 1) + 1

    def fitted(self, cells: Sequence[str], width: int) -> list[str]:
        """The cells of a row, each as wide as its column, for a table of so many cells."""
        return [
            _fit(cell, room, right=at in self._right)
            for at, (cell, room) in enumerate(zip(cells, self._rooms(width), strict=True))
        ]

    def column_at(self, x: int, width: int) -> int | None:
        """The column that a place in a table of this width is in, if any."""
        ends = accumulate(room + GAP for room in self._rooms(width))
        return next((at for at, end in enumerate(ends) if x <= end), None)

    def _rooms(self, width: int) -> list[int]:
        """How wide each column may be."""
        rooms = list(self._widths)
        over = self.width - width
        for column in self._flexible:
            give = max(0, min(over, rooms[column] - LEAST))
            rooms[column] -= give
            over -= give
        return rooms


def _fit(cell: str, width: int, *, right: bool) -> str:
    if cell_len(cell) > width:
        return set_cell_size(cell, width - 1) + "…"
    pad = " " * (width - cell_len(cell))
    return pad + cell if right else cell + pad
