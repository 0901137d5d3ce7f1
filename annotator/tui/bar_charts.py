"""Shares, intervals and differences drawn with characters."""

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
