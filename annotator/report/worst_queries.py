"""The worst queries of systems, with their texts: where to look for what went wrong."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from annotator.report.columns import with_texts
from annotator.report.tables import Cell, Format, name, render, title
from annotator.results.scores import MeasureScore, ScoreTable
from annotator.text.numbers import decimal, mark_of
from annotator.text.safe import one_line

FEW = 3
"""How many are named on a scoreboard that was asked for no more."""
LONGEST_ID = 20


def named(score: MeasureScore) -> str:
    """The ids of a few, the worst first."""
    return ", ".join(one_line(one.query, LONGEST_ID) for one in score.worst(FEW))


def query_texts(table: ScoreTable, form: Format, width: int) -> list[str]:
    """The texts of the queries that a scoreboard names, as far as there are any."""
    ids = dict.fromkeys(
        one.query
        for at in range(len(table.systems[0].measures) if table.systems else 0)
        for system in table.systems
        for one in system.measures[at].worst(FEW)
    )
    rows = [[one_line(qid, LONGEST_ID), table.texts[qid]] for qid in ids if qid in table.texts]
    if not rows:
        return []
    return [title("Worst queries", form), with_texts(["query", "text"], rows, form, width)]


def worst_queries(
    ranked: Sequence[tuple[str, MeasureScore]],
    count: int,
    texts: Mapping[str, str],
    form: Format,
    width: int,
) -> str:
    """Each system's worst queries with their scores, the worst first."""
    rows: list[list[Cell]] = [
        [
            name(system) if not place else "",
            one_line(one.query, LONGEST_ID),
            decimal(one.point, mark=mark_of(one)),
            one.flags,
            texts.get(one.query, ""),
        ]
        for system, score in ranked
        for place, one in enumerate(score.worst(count))
    ]
    headers = ["system", "worst query", "score", "flags", "text"]
    if not any(row[-1] for row in rows):
        return render(headers[:-1], [row[:-1] for row in rows], form, align="llrl")
    return with_texts(headers, rows, form, width, align="llrll")
