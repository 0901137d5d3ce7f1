"""Two saved results side by side, as text."""

from __future__ import annotations

from annotator.report.tables import Cell, Format, name, render, to_json
from annotator.results.saved_results import Point, ResultChanges
from annotator.text.numbers import UNDEFINED, decimal, mark_of, signed


def write_changes(found: ResultChanges, form: Format) -> str:
    """Write a row a system and measure: before, after, and the change."""
    if form is Format.JSON:
        return to_json(found.to_dict())
    headers = ["system", "measure", "before", "after", "change"]
    people = form.for_people
    rows: list[list[Cell]] = [
        [
            name(one.system) if people else one.system,
            one.measure,
            _shown(one.before) if people else _best(one.before),
            _shown(one.after) if people else _best(one.after),
            signed(one.change) if people else one.change,
        ]
        for one in found.changes
    ]
    return render(headers, rows, form, align="llrrr")


def _best(one: Point | None) -> float | None:
    return None if one is None else one.best


def _shown(one: Point | None) -> str:
    if one is None:
        return UNDEFINED
    return decimal(one.best, mark=mark_of(one))
