"""Pool bias as text: how wrong each way of scoring is for a system that was not pooled."""

from __future__ import annotations

from annotator.report.records import record, write_records
from annotator.report.tables import (
    Cell,
    Format,
    method_line,
    name,
    paragraph,
    render,
    title,
    to_json,
)
from annotator.results.pool_bias import ESTIMATES, Missed, PoolBias
from annotator.text.numbers import UNDEFINED, decimal, signed

HEADERS = ("left out", "system", "its labels", "reference")
SAYS = (
    "Each system is scored once more as if it had come after the judging: without the labels of "
    "documents that it alone (or with its group) has in its first {depth}. An error is that score "
    "minus the reference, the score with all labels; places are how far it falls (+) or rises (-) "
    "among all systems."
)
OPEN = "The reference is itself an expected score: {unjudged} documents are not judged."


def write_pool_bias(found: PoolBias, form: Format, *, width: int = 100) -> str:
    """Write pool bias; rows for programs are the systems left out."""
    if form is Format.JSON:
        return to_json(found.to_dict())
    if form in (Format.CSV, Format.TSV):
        return _records(found, form)
    titles = [f"{one.replace('_', '-')}\nerror, places" for one in ESTIMATES]
    rows: list[list[Cell]] = [
        [name(row.group), name(row.system), row.labels, row.reference,
         *(_said(getattr(row, one)) for one in ESTIMATES)]
        for row in found.rows
    ]  # fmt: skip
    means = [_mean(found, one) for one in ESTIMATES]
    rows.append(["mean size", "", None, None, *means])
    shown = [["" if cell is None else cell for cell in row] for row in rows]
    blocks = [
        title(f"Pool bias, {found.measure}", form),
        render([*HEADERS, *titles], shown, form, align="llrrrrr"),
        paragraph(SAYS.format(depth=found.depth), form, width),
    ]
    if found.unjudged:
        blocks.append(paragraph(OPEN.format(unjudged=f"{found.unjudged:,}"), form, width))
    blocks.append(method_line(found.method.line(), form, width))
    return "\n".join(blocks)


def _said(missed: Missed) -> str:
    if missed.error is None or missed.moved is None:
        return UNDEFINED
    return (
        f"{signed(missed.error)}, {missed.moved:+d}"
        if missed.moved
        else f"{signed(missed.error)}, 0"
    )


def _mean(found: PoolBias, estimate: str) -> str:
    error, moved = found.mean_error(estimate), found.mean_moved(estimate)
    return UNDEFINED if error is None or moved is None else f"{decimal(error)}, {decimal(moved, 1)}"


def _records(found: PoolBias, form: Format) -> str:
    data = found.to_dict()
    method = {"method": data["method"]["fingerprint"]}
    return write_records([record(row) | method for row in data["left_out"]], form)
