"""Shares as people read them: one way for commands and screens."""

from __future__ import annotations

UNDEFINED = "—"


def percent(share: float | None) -> str:
    """A share of 0..1 to one decimal; 0% and 100% are said only of nothing and of all.

    None is a share of nothing, which is undefined.

    >>> [percent(share) for share in (0.815, 0.0, 1.0, 1 / 2250, 2249 / 2250, None)]
    ['81.5%', '0%', '100%', '<0.1%', '>99.9%', '—']
    """
    if share is None:
        return UNDEFINED
    if share in (0, 1):
        return f"{share:.0%}"
    if share < 0.001:
        return "<0.1%"
    return ">99.9%" if share > 0.999 else f"{share:.1%}"


def change(share: float) -> str:
    """How much more or less something is, in whole percent, with its sign.

    >>> change(0.23), change(-0.004)
    ('+23%', '-0%')
    """
    return f"{share:+.0%}"


def part(count: int, whole: int) -> str:
    """The share that a count is of a whole.

    >>> part(1, 2250), part(0, 0)
    ('<0.1%', '—')
    """
    return percent(count / whole if whole else None)
