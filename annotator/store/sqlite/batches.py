"""Reading many rows so that others can write in between: a grade does not wait for a scoreboard."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

PIECE = 1_000
"""Rows that are read at once: so long a grade may have to wait for the file."""

_LEAST = -(2**63)
Read = Callable[[str, tuple[int, int]], list[tuple[Any, ...]]]


def in_pieces(read: Read, sql: str) -> Iterator[list[tuple[Any, ...]]]:
    """The rows of a statement, a thousand by each reading of its own.

    What it selects first is a number by which it orders the rows, and it ends in ``... > ? ORDER BY
    ... LIMIT ?``.
    """
    last, going_on = _LEAST, True
    while going_on and (rows := read(sql, (last, PIECE))):
        yield rows
        last, going_on = rows[-1][0], len(rows) == PIECE  # not after what others add meanwhile
