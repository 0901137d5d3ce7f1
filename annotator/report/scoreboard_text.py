"""A scoreboard as text: no number without its name and its flag."""

from __future__ import annotations

import json
from collections.abc import Sequence

from annotator.report.columns import Column, fitted
from annotator.report.distribution import Bars, write_distribution
from annotator.report.flags import flags_explained
from annotator.report.neighbour_verdicts import order_verdicts, to_place
from annotator.report.records import record, write_records
from annotator.report.score_columns import COLUMNS, ZERO_FILLED
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
from annotator.report.withheld import why_withheld
from annotator.report.worst_queries import query_texts, worst_queries
from annotator.results.json_form import WORST
from annotator.results.scores import MeasureScore, QueryScore, ScoreTable
from annotator.scoring.neighbours import ranking
from annotator.text.numbers import ESTIMATE, ZEROED, interval, likely, mark_of
from rubric import Measure, Summary

EXPECTED = "expected, ± 95%"
CERTAIN = (
    "What is certain: however the rest is judged, the score lies within [lower, upper]. Condensed "
    "scores, from judged documents only, may even lie outside."
)
LEGEND = f"{ESTIMATE} is what is expected once everything is judged, by the grade model. {CERTAIN}"
ZERO_LEGEND = (
    f"{ZEROED}, and the order of the systems, is by zero-filled scores: unjudged documents count "
    f"as grade 0. {CERTAIN}"
)


def write_scoreboard(
    table: ScoreTable,
    form: Format,
    *,
    per_query: bool = False,
    bars: Bars = Bars.NONE,
    worst: int | None = None,
    width: int = 100,
) -> str:
    """Write a scoreboard; what does not fit the width goes on in a table below.

    ``worst`` asks for a list of so many of the worst queries of each system. Without it people get
    a few of them and their texts; programs get 20.
    """
    if form is Format.JSON:
        return to_json(table.to_dict(per_query=per_query, worst=WORST if worst is None else worst))
    if form in (Format.CSV, Format.TSV):
        worst = WORST if worst is None else worst
        return write_records(score_records(table, per_query=per_query, worst=worst), form)
    blocks = []
    for at in range(len(table.systems[0].measures) if table.systems else 0):
        ranked = ranked_by(table, at)
        blocks.append(title(ranked[0][1].measure, form))
        blocks.append(fitted(_columns(ranked, table.method.zero_filled), form, width))
        if bars is not Bars.NONE:
            blocks.append(write_distribution(ranked, form, bars))
        if worst:
            blocks.append(worst_queries(ranked, worst, table.texts, form, width))
        if per_query:
            blocks.append(_per_query(ranked, form, table.method.zero_filled))
        said = order_verdicts(table, ranked[0][1].measure) + to_place(
            table.method, table.systems, at
        )
        blocks.extend(paragraph(sentence, form, width) for sentence in said)
    if worst is None:
        blocks.extend(query_texts(table, form, width))
    sums = [one.summary for system in table.systems for one in system.measures]
    if any(one.value is None for one in sums):
        known = any(one.value is None and one.expected is not None for one in sums)
        told = [*why_withheld(table.method.expected), LEGEND if known else ZERO_LEGEND]
        blocks.append(paragraph(" ".join(told), form, width))
    flags = [flag for system in table.systems for one in system.measures for flag in one.flags()]
    blocks.extend(paragraph(sentence, form, width) for sentence in flags_explained(flags))
    blocks.append(method_line(table.line(), form, width))
    return "\n".join(blocks)


def ranked_by(table: ScoreTable, at: int) -> list[tuple[str, MeasureScore]]:
    """Every system with its numbers on one measure, the best first, the undefined last."""
    pairs = [(system.system, system.measures[at]) for system in table.systems]
    return [pairs[place] for place in ranking([score for _, score in pairs])]


def _columns(ranked: Sequence[tuple[str, MeasureScore]], filled: str) -> list[Column]:
    """The number with what must be known before believing it, then the tail, then all else."""
    scores = [score for _, score in ranked]
    sums = [score.summary for score in scores]
    k = Measure.parse(scores[0].measure).k
    titles = {
        "headline": _headline(sums),
        "k": "" if k is None else f"@{k}",
        "filled": filled.replace(" ", "\n"),
    }
    shown = [*COLUMNS]
    if any(mark_of(one) == ZEROED for one in sums):  # they are in the order of these
        shown.remove(ZERO_FILLED)
        shown.insert(2, ZERO_FILLED)
    return [
        Column("system", "l", [name(system) for system, _ in ranked]),
        *(
            Column(one.title.format(**titles), one.side, [*map(one.text, scores)], one.stacks)
            for one in shown
        ),
    ]


def _headline(numbers: Sequence[Summary] | Sequence[QueryScore]) -> str:
    """What the headline numbers are: values that nothing can change, expected ones, or both."""
    expected = any(one.value is None and one.expected is not None for one in numbers)
    if not expected:
        return "value"
    mixed = any(one.value is not None for one in numbers)
    return f"value, or\n{EXPECTED}" if mixed else EXPECTED


def _per_query(ranked: Sequence[tuple[str, MeasureScore]], form: Format, filled: str) -> str:
    rows = [
        [
            name(system),
            name(one.query),
            likely(one),
            interval(one.lower, one.upper),
            one.zero_filled,
            one.condensed,
            one.flags,
        ]
        for system, score in ranked
        for one in score.per_query
    ]
    headline = _headline([one for _, score in ranked for one in score.per_query])
    titles = ["system", "query", headline, "[lower, upper]", filled, "condensed", "flags"]
    return render(titles, rows, form, align="llrrrrl")


def score_records(
    table: ScoreTable, *, per_query: bool, worst: int = WORST
) -> list[dict[str, Cell]]:
    """One row a system and measure, or a query of these."""
    data = table.to_dict(per_query=per_query, worst=worst)
    method = {"method": data["method"]["fingerprint"]}
    rows: list[dict[str, Cell]] = []
    for system in data["systems"]:
        for one in system["measures"]:
            names = {"system": system["system"]}
            if per_query:
                names["measure"] = one["measure"]
                rows += [names | record(query) | method for query in one["per_query"]]
            else:
                ids = {"worst": json.dumps([query["query"] for query in one["worst"]])}
                rows.append(names | record(one) | ids | method)
    return rows
