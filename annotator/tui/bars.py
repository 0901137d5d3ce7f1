"""Shares and intervals as text."""

from __future__ import annotations

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


def percent(part: int, whole: int) -> str:
    """A share in whole percent, never rounded up to 100 or down to 0."""
    if not whole:
        return "-"
    share = round(100 * part / whole)
    if share == 100 and part < whole:
        share = 99
    return f"{max(share, 1) if part else 0}%"


def _cell(value: float, width: int) -> int:
    return max(0, min(width - 1, int(value * width)))
