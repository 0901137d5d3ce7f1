"""Numbers as people read them, one way for commands, screens and reports.

Nothing that is open is written as if it were settled: scores bear a mark, and neither 0% nor 100%
stands for what is only nearly so.
"""

from __future__ import annotations

from typing import Protocol

UNDEFINED = "—"
ESTIMATE, ZEROED = "~", "°"
"""Marks of scores that are expected, and of those that count unjudged documents as grade 0."""
TABLE, BRIEF, COARSE, ROUGH = 4, 3, 2, 1
"""Decimals of scores in tables; in sentences and on screens; of agreement and axes; of grades."""
_LEAST = 0.001


class Guessed(Protocol):
    """A number that may be open, and then may be expected."""

    @property
    def value(self) -> float | None:
        """It, where it is determined."""

    @property
    def expected(self) -> float | None:
        """What it is expected to be; None where nothing is."""


class Ranged(Guessed, Protocol):
    """Such a number with the 95% interval of what is expected."""

    @property
    def expected95(self) -> tuple[float, float] | None:
        """The ends of it; None where nothing is expected."""


def mark_of(one: Guessed) -> str:
    """What stands before the one number to show: it is expected, or zero-filled, or the value."""
    if one.value is not None:
        return ""
    return ZEROED if one.expected is None else ESTIMATE


def decimal(number: float | None, digits: int = TABLE, *, mark: str = "") -> str:
    """A score behind its mark; nothing is ever below 0 by rounding alone.

    >>> decimal(0.25), decimal(-1e-9, BRIEF, mark="~"), decimal(None)
    ('0.2500', '~0.000', '—')
    """
    return UNDEFINED if number is None else f"{mark}{number:z.{digits}f}"


def signed(number: float | None, digits: int = TABLE) -> str:
    """A difference or a change, with its sign.

    >>> signed(0.25, BRIEF), signed(-0.5, BRIEF)
    ('+0.250', '-0.500')
    """
    return UNDEFINED if number is None else f"{number:+z.{digits}f}"


def plain(number: float) -> str:
    """A setting or a gain in as few digits as it needs.

    >>> plain(0.02), plain(7.0)
    ('0.02', '7')
    """
    return f"{number:.4g}"


def interval(low: float | None, high: float | None, digits: int = TABLE, *, mark: str = "") -> str:
    """Two scores as the ends of an interval."""
    if low is None or high is None:
        return UNDEFINED
    return f"{mark}[{decimal(low, digits)}, {decimal(high, digits)}]"


def span(low: float | None, high: float | None, digits: int = TABLE, *, mark: str = "") -> str:
    """The same in words; one number where there is only one.

    >>> span(0.1, 0.25, BRIEF), span(0.5, 0.5, BRIEF)
    ('0.100 to 0.250', '0.500')
    """
    first = decimal(low, digits, mark=mark)
    return first if low == high else f"{first} to {decimal(high, digits, mark=mark)}"


def likely(one: Ranged, digits: int = TABLE, *, filled: float | None = None) -> str:
    """A value, or what is expected and how far its 95% interval reaches on the longer side.

    Where nothing is expected it is ``filled``, the zero-filled score, if that is to be shown.
    """
    if one.value is not None or one.expected is None or one.expected95 is None:
        shown = filled if one.value is None else one.value
        return decimal(shown, digits, mark=mark_of(one))
    low, high = one.expected95
    reach = max(one.expected - low, high - one.expected)
    return f"{decimal(one.expected, digits, mark=ESTIMATE)} ±{decimal(reach, digits)}"


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
    if share < _LEAST:
        return f"<{_LEAST:.1%}"
    return f">{1 - _LEAST:.1%}" if share > 1 - _LEAST else f"{share:.1%}"


def part(count: int, whole: int) -> str:
    """The share that a count is of a whole.

    >>> part(1, 2250), part(0, 0)
    ('<0.1%', '—')
    """
    return percent(count / whole if whole else None)


def change(share: float) -> str:
    """How much more or less something is, in whole percent, with its sign.

    >>> change(0.23), change(-0.004)
    ('+23%', '-0%')
    """
    return f"{share:+.0%}"


def chance(share: float) -> str:
    """A probability by the grade model: never none, and never certain.

    >>> chance(0.975), chance(1.0), chance(0.0)
    ('97.5%', 'over 99.9%', 'under 0.1%')
    """
    if share < _LEAST:
        return f"under {_LEAST:.1%}"
    return f"over {1 - _LEAST:.1%}" if share > 1 - _LEAST else f"{share:.1%}"


def p_value(p: float | None, *, mark: str = "") -> str:
    """A p value behind the mark of what it is about, in three digits.

    >>> p_value(0.84567), p_value(0.0001, mark="~"), p_value(None)
    ('0.846', '~<0.001', '—')
    """
    if p is None:
        return UNDEFINED
    return f"{mark}<{_LEAST:g}" if p < _LEAST else f"{mark}{p:.3g}"


def p_is(p: float, *, mark: str = "") -> str:
    """The same in a sentence.

    >>> p_is(0.2), p_is(0.0001)
    ('p = 0.2', 'p < 0.001')
    """
    said = p_value(p, mark=mark)
    return f"p < {mark}{_LEAST:g}" if p < _LEAST else f"p = {said}"


def duration(seconds: float) -> str:
    """About how long: no more exact than such an estimate can be.

    >>> [duration(seconds) for seconds in (0.4, 30, 600, 7200)]
    ['1 s', '30 s', '10 min', '2.0 h']
    """
    if seconds < 90:
        return f"{max(seconds, 1):.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 90 else f"{seconds / 3600:,.1f} h"


def pace(seconds: float) -> str:
    """How long a judgment takes.

    >>> pace(0.42), pace(19.6)
    ('0.4 s a judgment', '20 s a judgment')
    """
    return f"{seconds:.{0 if seconds >= 10 else 1}f} s a judgment"


def countdown(seconds: float) -> str:
    """Minutes and seconds until something is done.

    >>> countdown(65)
    '1:05'
    """
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes:,}:{rest:02}"
