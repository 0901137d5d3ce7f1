"""The rows of the scoreboard, and the orders they can be put in."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from annotator.report.order import to_place, told, told_of_first
from annotator.sanitise import one_line
from annotator.scoring.board import Board
from annotator.scoring.method import Method
from annotator.scoring.table import MeasureScore, Neighbours, QueryScore, SystemScore
from annotator.tui.bars import bounds, flagged, interval, likely, number, percent, point

BAR = 20
AXIS = "0 ────────────── 1"
Sort = Callable[[tuple[str, MeasureScore]], tuple[float, str]]


def _falling(value: Callable[[MeasureScore], float | None]) -> Sort:
    """The highest first, what is undefined last."""

    def key(row: tuple[str, MeasureScore]) -> tuple[float, str]:
        found = value(row[1])
        return (float("inf") if found is None else -found), row[0]

    return key


SORTS: Sequence[tuple[int, Sort]] = (
    (1, _falling(point)),
    (2, _falling(lambda score: score.summary.lower)),
    (3, _falling(lambda score: score.summary.judged)),
    (4, _falling(lambda score: score.summary.p10)),
    (5, _falling(lambda score: score.summary.median)),
    (0, lambda row: (0.0, row[0])),
)
"""The columns that can be sorted by, each with its key."""
SORTED = [column for column, _ in SORTS]


def headings(measure: str, sorted_by: int) -> list[str]:
    """The headings, with a mark at the column that is sorted by."""
    names = ["system", measure, "bounds", "judged", "p10", "median", "flags", AXIS]
    names[sorted_by] += "▾" if sorted_by else "▴"
    return names


def worst_first(score: MeasureScore) -> list[QueryScore]:
    """Every query that counts, the lowest score first, those without one last."""
    return sorted(score.per_query, key=lambda one: (one.point is None, one.point or 0.0))


def system_row(name: str, score: MeasureScore) -> list[str]:
    """One system on one measure."""
    one = score.summary
    return [
        name,
        likely(score),
        bounds(one.lower, one.upper),
        "—" if one.judged is None else percent(round(one.judged * 10_000), 10_000),
        number(one.p10),
        number(one.median),
        ", ".join(score.flags()),
        interval(one.lower, point(score), one.upper, BAR),
    ]


def system_detail(name: str, score: MeasureScore, pairs: Sequence[Neighbours]) -> str:
    """Of one system what the columns have no room for, and whether it is better than the next."""
    *_, flags, drawn = system_row(name, score)
    said = [one_line(name, 60), *([flags] if flags else [])]
    said += [
        told_of_first(one) for one in pairs if one.first == name and one.measure == score.measure
    ]
    return f"{drawn}  {' · '.join(said)}"


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
        flagged(one.value, one.point),
        bounds(one.lower, one.upper),
        str(one.unjudged),
        interval(one.lower, one.point, one.upper, BAR),
    ]


def order(
    method: Method, table: Sequence[SystemScore], pairs: Sequence[Neighbours], at: int
) -> list[str]:
    """The verdict on the leader of a measure, and what would place a system outside the pool."""
    if not table:
        return []
    measure = table[0].measures[at].measure
    said = [told(one) for one in pairs if one.measure == measure]
    return said[:1] + to_place(method, table, at)
