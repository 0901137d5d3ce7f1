"""Counts with their noun, ``2,000 labels``, and the first few of many names."""

from __future__ import annotations

from collections.abc import Sequence


def counted(number: int, one: str, many: str = "") -> str:
    """A number, and ``one`` or ``many`` of what it counts; ``many`` is ``one`` with an s if empty.

    >>> counted(1, "query", "queries"), counted(2_000, "label")
    ('1 query', '2,000 labels')
    """
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def some(names: Sequence[str], shown: int = 5) -> str:
    """The first few of many names.

    >>> some(["a", "b", "c"], 2)
    'a, b and 1 more'
    """
    rest = len(names) - shown
    return ", ".join(names[:shown]) + (f" and {rest:,} more" if rest > 0 else "")
