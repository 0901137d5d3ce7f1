"""Shares and intervals as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from annotator.report.tables import Guessed, mark_of

if TYPE_CHECKING:
    from annotator.results.scores import MeasureScore

FULL, EMPTY, POINT, REACH = "━", "╌", "●", "─"


def bar(share: float, width: int) -> str:
    """A share of 0..1 as a bar."""
    filled = round(max(0.0, min(1.0, share)) * width)
    return FULL * filled + EMPTY * (width - filled)


def interval(lower: float | None, point: float | None, upper: float | None, width: int) -> str:
    """Where on 0..1 a score lies, and how far it could move."""
    cells = ["·"] * width
    if lower is None or upper is None:
        return "".join(cells)
    first, last = _cell(lower, width), _cell(upper, width)
    cells[first : last + 1] = [REACH] * (last - first + 1)
    if point is not None:
        cells[_cell(point, width)] = POINT
    return "".join(cells)


def point(score: MeasureScore) -> float | None:
    """The one number to sort by: the value, else what is expected, else zero-filled."""
    return score.summary.point


def number(value: float | None) -> str:
    """A score; a dash where there is none."""
    return "—" if value is None else f"{value:z.3f}"


def bounds(lower: float | None, upper: float | None) -> str:
    """What a score could still become; one number where nothing can change it."""
    return number(lower) if lower == upper else f"{number(lower)} to {number(upper)}"


def flagged(one: Guessed, shown: float | None) -> str:
    """A determined score as it is; another with a mark that says what it is."""
    return number(None) if shown is None else mark_of(one) + number(shown)


def likely(score: MeasureScore) -> str:
    """A system's value, or what is expected with how far its 95% interval reaches."""
    one = score.summary
    said = flagged(one, one.point)
    if one.value is not None or one.expected is None or one.expected95 is None:
        return said
    low, high = one.expected95
    return f"{said} ±{number(max(one.expected - low, high - one.expected))}"


def difference(size: float | None, width: int) -> str:
    """A difference of -1..1 as a bar to the left or to the right of the middle."""
    half = width // 2
    if size is None:
        return " " * half + "·" + " " * half
    length = min(half, round(abs(size) * half)) or int(size != 0)
    left = (FULL * length).rjust(half) if size < 0 else " " * half
    right = (FULL * length).ljust(half) if size > 0 else " " * half
    return f"{left}│{right}"


def _cell(value: float, width: int) -> int:
    return max(0, min(width - 1, int(value * width)))
