"""Counts with their noun: ``1 label``, ``2,000 labels``."""

from __future__ import annotations


def counted(number: int, one: str, many: str = "") -> str:
    """A number, and ``one`` or ``many`` of what it counts; ``many`` is ``one`` with an s if empty.

    >>> counted(1, "query", "queries"), counted(2_000, "label")
    ('1 query', '2,000 labels')
    """
    return f"{number:,} {one if number == 1 else many or one + 's'}"
