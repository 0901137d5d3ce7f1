"""Results as the tables that a notebook shows: no id becomes a tag or hides what stands near."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import TypeAlias

MOST = 20
"""Rows that are shown; the arrays have all."""

Cell: TypeAlias = object


def table(headers: Sequence[str], rows: Iterable[Sequence[Cell]], below: str = "") -> str:
    """A table of texts, whole numbers, and numbers with four decimals; None and NaN are a dash."""
    head = "".join(f"<th>{_text(one)}</th>" for one in headers)
    body = "".join(f"<tr>{''.join(f'<td>{_text(one)}</td>' for one in row)}</tr>" for row in rows)
    said = f"<p>{_text(below)}</p>" if below else ""
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{said}"


def _text(cell: Cell) -> str:
    if cell is None or cell != cell:
        return "\N{EM DASH}"
    if isinstance(cell, float):
        return f"{cell:.4f}"
    shown = (one if one.isprintable() else "\N{REPLACEMENT CHARACTER}" for one in str(cell))
    return escape("".join(shown))


def within(lower: float | None, upper: float | None) -> str | None:
    """Bounds in one cell; None where there are none."""
    if lower is None or upper is None or lower != lower or upper != upper:
        return None
    return f"[{lower:.4f}, {upper:.4f}]"
