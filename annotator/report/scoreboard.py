"""A scoreboard as text: no number without its name and its flag."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from annotator.report.distribution import Bars, distribution
from annotator.report.order import order, to_place
from annotator.report.tables import (
    ESTIMATE,
    Cell,
    Format,
    interval,
    marked,
    name,
    paragraph,
    percent,
    reach,
    render,
    title,
    to_json,
)
from annotator.sanitise import one_line
from annotator.scoring.neighbours import ranking
from annotator.scoring.table import MeasureScore, QueryScore, ScoreTable
from rubric import Measure, Summary

ZERO_FILLED = "zero-filled\n(trec_eval)"
EXPECTED = "expected, ± 95%"
SPARE = ("ci95", "condensed", "median", "worst", "flags", "p10", ZERO_FILLED)
"""What gives way first where it is narrow; the flags stay, but below each other."""

WORST = 3
LEGEND = (
    f"{ESTIMATE} is what is expected once everything is judged, by the grade model; condensed "
    "scores, from judged documents only, may even lie outside the bounds. What is certain: however "
    "the rest is judged, the score lies within [lower, upper]."
)
CONDENSED = (
    f"{ESTIMATE} is an estimate from judged documents only (condensed), and may even lie outside "
    "the bounds. What is certain: however the rest is judged, the score lies within [lower, upper]."
)


class Column(NamedTuple):
    """One column of a board: its title, its side, and a cell for each system."""

    title: str
    side: str
    cells: list[Cell]


def scoreboard(
    table: ScoreTable,
    form: Format,
    *,
    per_query: bool = False,
    bars: Bars = Bars.NONE,
    width: int = 100,
) -> str:
    """Write a scoreboard; tables for people leave out what does not fit the width."""
    if form is Format.JSON:
        return to_json(table.to_dict(per_query=per_query))
    if form in (Format.CSV, Format.TSV):
        return _records(table, form, per_query=per_query)
    blocks = []
    for at in range(len(table.systems[0].measures) if table.systems else 0):
        ranked = _ranked(table, at)
        blocks.append(title(ranked[0][1].measure, form))
        blocks.append(_board(ranked, form, width))
        if bars is not Bars.NONE:
            blocks.append(distribution(ranked, form, bars))
        if per_query:
            blocks.append(_per_query(ranked, form))
        said = order(table, ranked[0][1].measure) + to_place(table.method, table.systems, at)
        blocks.extend(paragraph(sentence, form, width) for sentence in said)
    sums = [one.summary for system in table.systems for one in system.measures]
    if any(one.value is None for one in sums):
        known = any(one.expected is not None for one in sums)
        blocks.append(paragraph(LEGEND if known else CONDENSED, form, width))
    blocks.append(paragraph(f"Method: {table.method.line()}", form, width))
    return "\n".join(blocks)


def _ranked(table: ScoreTable, at: int) -> list[tuple[str, MeasureScore]]:
    """Every system with its numbers on one measure, the best first, the undefined last."""
    pairs = [(system.system, system.measures[at]) for system in table.systems]
    return [pairs[place] for place in ranking([score for _, score in pairs])]


def _board(ranked: Sequence[tuple[str, MeasureScore]], form: Format, width: int) -> str:
    """A table, for people without what its width has no room for."""
    columns, stack = _columns(ranked), False
    headline = {EXPECTED, "condensed"} & {column.title for column in columns}
    text = _rendered(columns, form)
    for spare in SPARE:
        if form is Format.MARKDOWN or _width(text) <= width:
            break
        if spare == "flags":
            stack = True
        else:
            columns = [one for one in columns if one.title != spare or {spare} == headline]
        text = _rendered(columns, form, stack)
    return text


def _columns(ranked: Sequence[tuple[str, MeasureScore]]) -> list[Column]:
    scores = [score for _, score in ranked]
    sums = [score.summary for score in scores]
    marks = [ESTIMATE if one.value is None else "" for one in sums]
    k = Measure.parse(scores[0].measure).k
    judged = "judged" if k is None else f"judged@{k}"

    def estimates(numbers: Sequence[float | None]) -> list[Cell]:
        return [marked(mark, x) for mark, x in zip(marks, numbers, strict=True)]

    open_ = any(one.value is None and one.expected is not None for one in sums)
    expected = [Column(EXPECTED, "r", [_expected(one) for one in sums])] if open_ else []
    return [
        Column("system", "l", [name(system) for system, _ in ranked]),
        Column("value", "r", [one.value for one in sums]),
        *expected,
        Column("[lower, upper]", "r", [interval(one.lower, one.upper) for one in sums]),
        Column(ZERO_FILLED, "r", [one.zero_filled for one in sums]),
        Column("condensed", "r", estimates([one.condensed for one in sums])),
        Column(judged, "r", [percent(one.judged) for one in sums]),
        Column("p10", "r", estimates([one.p10 for one in sums])),
        Column("median", "r", estimates([one.median for one in sums])),
        Column("ci95", "r", [_confidence(one) for one in sums]),
        Column("worst", "l", [_worst(score) for score in scores]),
        Column("flags", "l", [", ".join(score.flags()) for score in scores]),
    ]


def _rendered(columns: Sequence[Column], form: Format, stack: bool = False) -> str:
    return render(
        [column.title for column in columns],
        list(zip(*(column.cells for column in columns), strict=True)),
        form,
        align="".join(column.side for column in columns),
        stack=stack,
    )


def _per_query(ranked: Sequence[tuple[str, MeasureScore]], form: Format) -> str:
    rows = [
        [
            name(system),
            name(one.query),
            one.value,
            _expected(one),
            interval(one.lower, one.upper),
            one.zero_filled,
            marked(ESTIMATE if one.value is None else "", one.condensed),
            _query_flags(one),
        ]
        for system, score in ranked
        for one in score.per_query
    ]
    titles = ["system", "query", "value", EXPECTED, "[lower, upper]", ZERO_FILLED, "condensed"]
    return render([*titles, "flags"], rows, form, align="llrrrrrl")


def _query_flags(one: QueryScore) -> str:
    said = [f"{one.unjudged} unjudged"] if one.unjudged else []
    if one.defined != "yes":
        said.append("undefined" if one.defined == "no" else "undefined so far")
    elif one.value is None and not said:
        said.append("ideal open")
    return ", ".join(said)


def _records(table: ScoreTable, form: Format, *, per_query: bool) -> str:
    """One row a system and measure, or a query of these; the method stands in every row."""
    numbers = ["value", "lower", "upper", "expected", "condensed", "zero_filled"]
    rows: list[dict[str, Cell]] = []
    for system in table.systems:
        for measure in system.measures:
            row: dict[str, Cell] = {"system": system.system, "measure": measure.measure}
            data = measure.to_dict()
            if per_query:
                for one in measure.per_query:
                    cells = {key: getattr(one, key) for key in numbers}
                    ends = one.expected95 or (None, None)
                    cells |= {"expected95_low": ends[0], "expected95_high": ends[1]}
                    cells |= {"unjudged": one.unjudged, "defined": one.defined}
                    rows.append({**row, "query": one.query, **cells})
                continue
            low, high = measure.summary.ci95 or (None, None)
            ends = measure.summary.expected95 or (None, None)
            row |= {key: data[key] for key in [*numbers, "judged", "unjudged"]}
            row |= {"expected95_low": ends[0], "expected95_high": ends[1]}
            row |= data["queries"]
            row |= {key: data[key] for key in ("p10", "p25", "median", "p75")}
            rows.append(
                row | {"ci95_low": low, "ci95_high": high, "flags": ", ".join(data["flags"])}
            )
    method = table.method.line()
    headers = [*(rows[0] if rows else {}), "method"]
    return render(headers, [[*row.values(), method] for row in rows], form)


def _worst(score: MeasureScore) -> str:
    return ", ".join(one_line(one.query, 20) for one in score.worst[:WORST])


def _confidence(summary: Summary) -> str:
    low, high = summary.ci95 or (None, None)
    said = interval(low, high)
    return said if summary.value is not None or low is None else ESTIMATE + said


def _expected(one: Summary | QueryScore) -> str:
    """What is expected, and how far the 95% interval reaches on its longer side."""
    if one.value is not None or one.expected is None or one.expected95 is None:
        return marked("", one.expected)
    return marked(ESTIMATE, one.expected) + reach(one.expected, one.expected95)


def _width(text: str) -> int:
    return max(map(len, text.split("\n")))
