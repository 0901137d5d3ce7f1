"""Results as rows for programs: the keys of their JSON form as columns."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from annotator.report.tables import Cell, Format, render

PAIRS = ("expected95", "ci95", "could_change")
"""Keys of intervals: two columns each, also where there is none."""


def record(data: Mapping[str, Any], *, without: Collection[str] = ()) -> dict[str, Cell]:
    """One row: an interval becomes two columns, flags become one, what is in a group stands alone.

    Lists of other things have no place in a row; nor has what is left out, ``without``.
    """
    row: dict[str, Cell] = {}
    for key, value in data.items():
        if key in without:
            continue
        if key in PAIRS:
            low, high = value or (None, None)
            row |= {f"{key}_low": low, f"{key}_high": high}
        elif isinstance(value, Mapping):
            row |= (
                record(value)
                if key == "queries"
                else record({f"{key}_{part}": one for part, one in value.items()})
            )
        elif key == "flags" and isinstance(value, list):
            row[key] = ", ".join(value)
        elif not isinstance(value, list):
            row[key] = value
    return row


def write_records(rows: Sequence[Mapping[str, Cell]], form: Format) -> str:
    """Write rows that have one set of columns."""
    return render([*(rows[0] if rows else {})], [[*row.values()] for row in rows], form)
