"""How far models agree with people, as text."""

from __future__ import annotations

from collections.abc import Callable

from annotator.report.columns import Column, fitted
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
from annotator.results.model_audits import ModelAudit, ModelAuditTable
from annotator.text.numbers import COARSE, ROUGH, decimal, interval, percent, plain, signed
from annotator.text.plural import counted
from rubric.agreement import Estimate

LEGEND = (
    "Higher by: how much higher the model's grades are than people's, and how much that differs "
    "between queries (sd). Slope: what a grade of the model adds to the logit of the grade model, "
    "which learns it from people's grades; where its interval takes in 0 the model may know "
    "nothing. The mean of three or more models is the better evidence: bring in all, do not pick."
)
EXTREMES = 3


def write_audit(table: ModelAuditTable, form: Format, *, width: int = 100) -> str:
    """Write a row for each model, then what each confuses and misses."""
    if form is Format.JSON:
        return to_json(table.to_dict())
    if form in (Format.CSV, Format.TSV):
        return _side_by_side(table, form, width)
    parts = [_side_by_side(table, form, width)]
    for one in table.audits:
        parts += _details(one, form, width)
    parts += [paragraph(LEGEND, form, width), method_line(table.line(), form, width)]
    return "\n".join(parts)


def _side_by_side(table: ModelAuditTable, form: Format, width: int) -> str:
    audits = table.audits
    pairs = [one.agreement.found.each[0] for one in audits]

    def column(heading: str, values: Callable[[ModelAudit], Cell]) -> Column:
        return Column(heading, "r", [values(one) for one in audits])

    columns = [
        Column("model", "l", [name(one.model) for one in audits]),
        column("labels", lambda one: one.labels),
        column("failed", lambda one: one.failed),
        Column("also by people", "r", [one.pairs for one in pairs]),
        Column("equal", "r", [percent(one.same.value) for one in pairs]),
        Column("alpha", "r", [_number(one.alpha) for one in pairs]),
        Column("weighted kappa", "r", [_number(one.weighted_kappa) for one in pairs]),
        Column("higher by", "r", [_number(one.mean_difference) for one in pairs]),
        column("sd", lambda one: decimal(one.leniency_sd, COARSE)),
        column("slope", _slope),
        column("cost a label", lambda one: "" if one.cost is None else plain(one.cost)),
    ]
    return fitted(columns, form, width)


def _slope(one: ModelAudit) -> str:
    if one.slope is None:
        return ""
    value, low, high = one.slope
    return f"{decimal(value, COARSE)} {interval(low, high, COARSE)}"


def _number(one: Estimate) -> str:
    ends = "" if one.low is None else f" {interval(one.low, one.high, COARSE)}"
    return decimal(one.value, COARSE) + ends


def _details(one: ModelAudit, form: Format, width: int) -> list[str]:
    confusion = one.agreement.found.each[0].confusion.tolist()
    rows: list[list[Cell]] = [[f"people {grade}", *row] for grade, row in enumerate(confusion)]
    headings = ["", *(str(grade) for grade in range(len(confusion)))]
    missed: list[list[Cell]] = [
        [part.of, name(part.among), part.relevant,
         percent(part.missed / part.relevant) if part.relevant else "",
         decimal(part.higher, COARSE)]
        for part in one.missed
    ]  # fmt: skip
    return [
        title(f"{name(one.model)}: people's grades (rows) and its own (columns)", form),
        render(headings, rows, form, align="l" + "r" * len(confusion)),
        title(f"{name(one.model)}: relevant documents that it calls not relevant", form),
        render(["by", "", "relevant", "missed", "higher by"], missed, form, align="llrrr"),
        paragraph(_leniency(one), form, width),
    ]


def _leniency(one: ModelAudit) -> str:
    """On which queries its grades are highest and lowest beside people's."""
    shown = min(EXTREMES, len(one.leniency))
    high, low = one.leniency[:shown], one.leniency[::-1][:shown]
    said = [
        ", ".join(f"{name(query)} ({signed(off, ROUGH)})" for query, off in part)
        for part in (high, low)
    ]
    return (
        f"Of {counted(len(one.leniency), 'query', 'queries')}, its grades are highest beside "
        f"people's on {said[0]}; lowest on {said[1]}."
    )
