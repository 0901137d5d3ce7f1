"""From a project to what is known so far of what an order of judging is for."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from itertools import pairwise

from annotator.actions.orders import CUTOFF, strategy_of
from annotator.actions.planning import judged_pool
from annotator.actions.scoring import load_board
from annotator.scoring.board import Board
from annotator.scoring.options import ScoreOptions
from annotator.scoring.standings import PairStanding, Standing
from annotator.store import Project
from rubric import Measure, Verdict
from rubric.expectation import SHOWN_DRAWS
from rubric.strategies import STAYING_LABELS
from rubric.survey import Survey

PATIENCE = 3.0
"""Seconds after which the number of labels to come is left unknown."""
MEASURE = Measure("nDCG", CUTOFF)
DECIDE, BEST, RANK = "decide", "best", "rank"


def load_standing(
    project: Project,
    order: str,
    systems: Sequence[str] = (),
    *,
    stay: bool = False,
    clock: Callable[[], float] = time.monotonic,
) -> Standing:
    """How sure it is by now which of the two systems is better; which is best; how all rank.

    An order that is for nothing of the kind is asked which system is best.

    Raises
    ------
    UsageError
        As :func:`annotator.actions.orders.load_order`.
    """
    order = order if order in (DECIDE, RANK) else BEST
    strategy = strategy_of(project, order, systems)
    board = load_board(project, ScoreOptions(measures=(MEASURE,)))
    if len(board.systems) < 2 or strategy is None:
        return Standing(_goal(order, systems), order, (), False, None)
    pool = judged_pool(project)
    found = pool.survey(SHOWN_DRAWS)
    board.estimate()
    pairs = tuple(_between(board, *pair) for pair in _pairs(board, found, order, systems))
    few = stay and found.labels < STAYING_LABELS
    reached = all(one.proved if few else one.verdict is not Verdict.OPEN for one in pairs)
    if reached or (order == BEST and strategy.reached(found, stay=stay)):
        return Standing(_goal(order, systems), order, pairs, True, None)
    begun = clock()
    ahead = pool.forecast(strategy, lambda: clock() - begun > PATIENCE)
    return Standing(_goal(order, systems), order, pairs, False, ahead)


def _goal(order: str, systems: Sequence[str]) -> str:
    if order == DECIDE:
        return f"which of {systems[0]} and {systems[1]} is better"
    return "how the systems rank" if order == RANK else "which system is best"


def _pairs(
    board: Board, found: Survey, order: str, systems: Sequence[str]
) -> Sequence[tuple[int, int]]:
    """The comparisons to look at: the leader's with every rival, or of neighbours."""
    ranked = (-found.means.mean(axis=0)).argsort(kind="stable").tolist()
    if order == DECIDE:
        first, second = sorted(map(board.systems.index, systems), key=ranked.index)
        return [(first, second)]
    if order == RANK:
        return list(pairwise(ranked))
    return [(ranked[0], rival) for rival in ranked[1:]]


def _between(board: Board, first: int, second: int) -> PairStanding:
    compared = board.compare(first, second, MEASURE)
    return PairStanding(
        first=board.systems[first],
        second=board.systems[second],
        verdict=compared.verdict,
        chance=compared.better,
        expected=compared.expected,
        lower=compared.lower,
        upper=compared.upper,
        labels=compared.labels,
    )
