"""The rows of the scoreboard, and the orders they can be put in."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple

from annotator.report.neighbour_verdicts import to_place, verdict_on_both, verdict_on_second
from annotator.report.score_columns import COLUMNS, Number
from annotator.report.withheld import why_withheld
from annotator.results.method import Method
from annotator.results.scores import MeasureScore, Neighbours, QueryScore, SystemScore
from annotator.scoring.board import Board
from annotator.text.numbers import BRIEF, decimal, mark_of, span
from annotator.text.safe import one_line
from annotator.tui.bar_charts import interval
from annotator.tui.widgets.columns import Columns

BAR = 20
AXIS = "0 ────────────── 1"
Sort = Callable[[tuple[str, MeasureScore]], tuple[float, str]]


def _falling(number: Number) -> Sort:
    """The highest first, what is undefined last."""

    def key(row: tuple[str, MeasureScore]) -> tuple[float, str]:
        found = number(row[1].summary)
        return (float("inf") if found is None else -found), row[0]

    return key


SHOWN = [(column, column.screen_text) for column in COLUMNS if column.screen_text is not None]
"""The columns of numbers, and what a cell of each says."""
NUMBERS = tuple(range(1, len(SHOWN) + 1))
SORTS: Sequence[tuple[int, Sort]] = (
    *((at, _falling(one.number)) for at, (one, _) in zip(NUMBERS, SHOWN, strict=True)
      if one.number is not None),
    (0, lambda row: (0.0, row[0])),
)  # fmt: skip
"""The columns that can be sorted by, each with its key."""
SORTED = [column for column, _ in SORTS]


class Systems(NamedTuple):
    """The systems on one measure, as a table of a width has room for them."""

    headings: list[str]
    rows: list[list[str]]
    right: tuple[int, ...]


def systems(
    measure: str, sorted_by: int, scores: Sequence[tuple[str, MeasureScore]], width: int
) -> Systems:
    """A row a system: with flags and a drawing, with flags, or with what is unjudged of them.

    Where the flags have no room it is the row under the cursor that has them in full.
    """
    names = ["system", *(one.screen_title.format(measure=measure) for one, _ in SHOWN)]
    names[sorted_by] += "▾" if sorted_by else "▴"
    rows = [_numbers(*one) for one in scores]
    flags = [", ".join(score.flags()) for _, score in scores]
    drawn = [_drawn(score) for _, score in scores]
    wide = Systems(
        [*names, "flags", AXIS],
        [[*row, *more] for row, *more in zip(rows, flags, drawn, strict=True)],
        NUMBERS,
    )
    medium = Systems(wide.headings[:-1], [row[:-1] for row in wide.rows], NUMBERS)
    for one in (wide, medium):
        if Columns(one.headings, one.rows).width <= width:
            return one
    unjudged = [f"{score.summary.unjudged:,}" for _, score in scores]
    narrow = [[*row, count] for row, count in zip(rows, unjudged, strict=True)]
    return Systems([*names, "unjudged"], narrow, (*NUMBERS, len(names)))


def worst_first(score: MeasureScore) -> list[QueryScore]:
    """Every query that counts, the lowest score first, those without one last."""
    return sorted(score.per_query, key=lambda one: (one.point is None, one.point or 0.0))


def _numbers(name: str, found: MeasureScore) -> list[str]:
    return [name, *(text(found) for _, text in SHOWN)]


def _drawn(score: MeasureScore) -> str:
    return interval(score.summary.lower, score.summary.point, score.summary.upper, BAR)


def system_detail(name: str, score: MeasureScore, pairs: Sequence[Neighbours]) -> str:
    """Of one system what the columns have no room for, and whether it is better than the next.

    Of the leader :func:`order` says that.
    """
    these = [one for one in pairs if one.measure == score.measure]
    said = [one_line(name, 60), *([", ".join(score.flags())] if score.flags() else [])]
    said += [verdict_on_second(one) for one in these[1:] if one.first == name]
    return f"{_drawn(score)}  {' · '.join(said)}"


def method_now(method: Method, board: Board, judged: int, pooled: int) -> Method:
    """How the numbers are made, with the measures and labels that a scoreboard has now."""
    cutoffs = tuple(dict.fromkeys(one.k for one in board.measures if one.k is not None))
    return replace(
        method, k=cutoffs, pooled_judged=judged, pooled_pairs=pooled, expected=board.basis
    )


def query_row(one: QueryScore) -> list[str]:
    """One query of a system."""
    return [
        one.query,
        decimal(one.point, BRIEF, mark=mark_of(one)),
        span(one.lower, one.upper, BRIEF),
        f"{one.unjudged:,}",
        interval(one.lower, one.point, one.upper, BAR),
    ]


def order(
    method: Method, table: Sequence[SystemScore], pairs: Sequence[Neighbours], at: int
) -> list[str]:
    """The verdict on the leader of a measure, and what would place a system outside the pool."""
    if not table:
        return []
    measure = table[0].measures[at].measure
    said = [verdict_on_both(one) for one in pairs if one.measure == measure][:1]
    said += [] if said else [" ".join(why_withheld(method.expected))]
    return said + to_place(method, table, at)
