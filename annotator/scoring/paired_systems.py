"""Two systems of a board compared, query by query; and many such pairs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from annotator.domain import IntArray
from annotator.results.comparisons import EXACT, LOOSE, Compared, QueryDifference
from annotator.results.method import Method, in_all_orders
from annotator.scoring.board import Board
from annotator.scoring.options import ScoreOptions
from rubric import Comparison, Measure, holm
from rubric.model.expectation import Estimate, mean_over_queries
from rubric.weights import mean

_EQUAL = 1e-12


def compared(
    board: Board, first: int, second: int, measure: Measure, *, seed: int, tests: bool = True
) -> Compared:
    """Compare two systems of a board; without ``tests`` on its queries alone."""
    result = board.compare(first, second, measure, seed=seed, tests=tests)
    rows = np.flatnonzero(board.counted(first) & board.counted(second))
    qids = [board.qids[row] for row in rows]
    if result.expected is None:
        rows = rows[~np.isnan(result.per_query)]
    return Compared(
        first=board.systems[first],
        second=board.systems[second],
        result=result,
        missing=(int(board.missing(first).sum()), int(board.missing(second).sum())),
        queries=_queries(qids, result),
        means=(_mean(board, first, measure, rows), _mean(board, second, measure, rows)),
    )


def _mean(board: Board, system: int, measure: Measure, rows: IntArray) -> float | None:
    """A system's mean over some queries: what is expected, else zero-filled.

    As in a scoreboard it is expected over whole gradings, in each of which other queries may count:
    so two means differ by the mean difference.
    """
    if measure not in board.measures:
        return None
    weights, drawn = board.weights(rows), board.drawn(measure)
    if drawn is not None:
        likely = Estimate.over(mean_over_queries(drawn[:, system, rows], weights)).mean
        return None if np.isnan(likely) else likely
    points = board.scores(system, measure).only(rows).point
    known = ~np.isnan(points)
    return mean(points[known], None if weights is None else weights[known])


def compared_all(
    board: Board,
    pairs: Sequence[tuple[int, int]],
    measure: Measure,
    *,
    seed: int,
    watch: Callable[[int, int], object] | None = None,
) -> list[Compared]:
    """Compare pairs of a board's systems; ``watch`` gets the pairs done and the pairs in all."""
    found = []
    for done, (first, second) in enumerate(pairs):
        if watch is not None:
            watch(done, len(pairs))
        found.append(compared(board, first, second, measure, seed=seed))
    return found


def in_every_order(
    options: ScoreOptions,
    compared_in: Callable[[ScoreOptions], tuple[Method, Sequence[Compared]]],
) -> tuple[Method, list[Compared]]:
    """Compare on each measure in its own order of ties, measures as they were asked for."""
    found = [compared_in(one) for one in options.by_order()]
    named = [(made, list(dict.fromkeys(str(one.result.measure) for one in pairs)))
             for made, pairs in found]  # fmt: skip
    places = {measure: place for place, measure in enumerate(options.measures)}
    pairs = [one for _, each in found for one in each]
    return in_all_orders(named), sorted(pairs, key=lambda one: places[one.result.measure])


def adjusted(pairs: Sequence[Compared]) -> tuple[Compared, ...]:
    """The same comparisons, their p values adjusted for all of them."""
    return tuple(
        replace(one, p_holm=p)
        for one, p in zip(pairs, holm([one.result.p_value for one in pairs]), strict=True)
    )


def _queries(qids: Sequence[str], result: Comparison) -> tuple[QueryDifference, ...]:
    columns = (
        result.query_expected,
        result.per_query,
        result.query_lower,
        result.query_upper,
        result.query_zero_filled,
        *result.query_expected95,
    )
    numbers = [[None if x != x else x for x in column.tolist()] for column in columns]
    return tuple(
        QueryDifference(
            query=qid,
            value=point if low is not None and high - low <= _EQUAL else None,
            expected=expected,
            estimate=point,
            lower=low,
            upper=high,
            zero_filled=zero_filled,
            unjudged=unjudged,
            expected95=None if least is None or most is None else (least, most),
            bounds=EXACT if exact else LOOSE,
        )
        for qid, expected, point, low, high, zero_filled, least, most, unjudged, exact in zip(
            qids, *numbers, result.query_unjudged.tolist(), result.query_exact.tolist(), strict=True
        )
    )
