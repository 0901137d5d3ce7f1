"""Two systems compared, as text: the verdict first, then every number it rests on."""

from __future__ import annotations

from annotator.report.answer import plain_sentence
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
from annotator.report.verdicts import elsewhere, loose, verdict
from annotator.report.withheld import why_withheld
from annotator.results.comparisons import Compared, ComparisonTable, QueryDifference
from annotator.text.numbers import ESTIMATE, ZEROED, decimal, interval, likely, mark_of, p_value

LEGEND = (
    f"{ESTIMATE} is what is expected once everything is judged, by the grade model. What is "
    "certain: however the rest is judged, the difference lies within [lower, upper]."
)
ZERO_LEGEND = (
    f"{ZEROED} is by zero-filled scores: unjudged documents count as grade 0. What is certain: "
    "however the rest is judged, the difference lies within [lower, upper]."
)


def write_comparison(
    table: ComparisonTable,
    form: Format,
    *,
    per_query: bool = False,
    width: int = 100,
) -> str:
    """Write comparisons; rows for programs are pairs of systems, or with ``per_query`` queries."""
    if form is Format.JSON:
        return to_json(table.to_dict(per_query=per_query))
    if form in (Format.CSV, Format.TSV):
        return write_records(comparison_records(table, per_query=per_query), form)
    blocks = []
    for one in table.pairs:
        measure = one.result.measure
        blocks += [
            title(f"{measure}: {name(one.first)} - {name(one.second)}", form),
            paragraph(plain_sentence(one), form, width),
            paragraph(verdict(one), form, width),
            paragraph(elsewhere(one), form, width),
            render(["", "difference"], _numbers(one, table.method.zero_filled), form, align="lr"),
        ]
        if rows := _queries(one, per_query=per_query):
            estimated = one.result.value is None and one.result.better is not None
            drawn = "difference, ± 95%" if estimated else "difference"
            headers = ["", "query", drawn, "[lower, upper]", "flags"]
            blocks.append(render(headers, rows, form, align="llrrl"))
    if any(one.result.value is None for one in table.pairs):
        known = any(
            one.result.value is None and one.result.expected is not None for one in table.pairs
        )
        said = [*why_withheld(table.method.expected), LEGEND if known else ZERO_LEGEND]
        blocks.append(paragraph(" ".join(said), form, width))
    blocks.append(method_line(table.line(), form, width))
    return "\n".join(blocks)


def _numbers(one: Compared, filled: str) -> list[list[Cell]]:
    result = one.result
    mark = mark_of(result)
    low, high = result.ci95 or (None, None)
    rows: list[list[Cell]] = [["value", result.value]]
    if result.value is None and result.expected is not None:
        rows.append(["expected", decimal(result.expected, mark=mark)])
        rows.append(["95% of that", interval(*(result.expected95 or (None, None)), mark=mark)])
        rows.append(["P(first better)", result.better])
    counts = (result.wins, result.losses, result.ties)
    rows += [
        ["[lower, upper]", interval(result.lower, result.upper) + loose(one)],
        [filled, result.zero_filled],
        ["wins / losses / ties", mark + " / ".join(f"{count:,}" for count in counts)],
        ["p", p_value(result.p_value, mark=mark)],
        ["95% interval", interval(low, high, mark=mark)],
        ["effect size", decimal(result.effect, mark=mark)],
        ["unjudged documents", result.unjudged],
        ["undefined queries", len(one.queries) - one.counted],
    ]
    for system, missing in zip((one.first, one.second), one.missing, strict=True):
        if missing:
            rows.append([f"without results of {name(system)}", missing])
    return rows


def _queries(one: Compared, *, per_query: bool) -> list[list[Cell]]:
    """The largest wins and losses, or every query."""
    if per_query:
        return [_row(_side(query.estimate), query) for query in one.queries]
    return [
        _row(side, query)
        for side, wins in (("win", True), ("loss", False))
        for query in one.largest(wins=wins)
    ]


def _side(difference: float | None) -> str:
    if difference is None:
        return ""
    return "win" if difference > 1e-12 else "loss" if difference < -1e-12 else "tie"


def _row(side: str, query: QueryDifference) -> list[Cell]:
    bounds = interval(query.lower, query.upper)
    said = likely(query, filled=query.estimate)
    return [side, name(query.query), said, bounds, query.flags]


def comparison_records(table: ComparisonTable, *, per_query: bool) -> list[dict[str, Cell]]:
    """One row a pair of systems, or a query of these."""
    method = {"method": table.made()["fingerprint"]}
    rows: list[dict[str, Cell]] = []
    for one in table.to_dict(per_query=per_query)["comparisons"]:
        if not per_query:
            rows.append(record(one) | method)
            continue
        names = {key: one[key] for key in ("first", "second", "measure")}
        rows += [names | record(query) | method for query in one["per_query"]]
    return rows
