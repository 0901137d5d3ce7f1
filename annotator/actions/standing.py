"""From a project to what is known so far of what an order of judging is for."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import NamedTuple

from annotator.actions.judged_pool import MEASURE, JudgedPool, judged_pool
from annotator.actions.model_labels import model_grades
from annotator.actions.orders import strategy_of
from annotator.actions.scoring import load_board
from annotator.results.comparisons import Compared
from annotator.results.more_labels import MoreLabels
from annotator.results.standings import Standing
from annotator.scoring.board import Board
from annotator.scoring.neighbours import ranking
from annotator.scoring.options import ScoreOptions
from annotator.scoring.paired_systems import compared
from annotator.store import Project
from rubric import Measure
from rubric.choose.orders import Strategy, best_of
from rubric.choose.survey import Survey
from rubric.model.evidence import Withheld

PATIENCE = 4.0
"""Seconds after which the search for the labels to a goal is left."""
DECIDE, BEST, RANK = "decide", "best", "rank"


class Ground(NamedTuple):
    """What standings are read from: expected scores, and the pool that orders choose from."""

    board: Board
    pool: JudgedPool
    survey: Survey
    measure: Measure


def load_ground(project: Project, pool: JudgedPool, measure: Measure = MEASURE) -> Ground | None:
    """Read the rest of it; None where there are not two systems to compare."""
    if pool.ranks.systems < 2:
        return None
    models = bool(model_grades(project))
    board = load_board(project, ScoreOptions(measures=(measure,), models=models))
    board.estimate()
    return Ground(board, pool, pool.survey(), measure)


def load_standing(
    project: Project, order: str, systems: Sequence[str] = (), measure: Measure = MEASURE
) -> Standing:
    """How sure it is by now which of the two systems is better; which is best; how all rank.

    An order that is for nothing of the kind is asked which system is best.

    Raises
    ------
    UsageError
        As :func:`annotator.actions.orders.load_order`, and if nothing is pooled.
    """
    order = order if order in (DECIDE, RANK) else BEST
    strategy = strategy_of(project, order, systems)
    ground = load_ground(project, judged_pool(project, measure), measure)
    if ground is None or strategy is None:
        return Standing(_goal(order, systems), order, str(measure), (), False, None)
    return standing_on(ground, strategy, order, systems)


def standing_on(
    ground: Ground,
    strategy: Strategy,
    order: str,
    systems: Sequence[str] = (),
    *,
    patience: float = PATIENCE,
    clock: Callable[[], float] = time.monotonic,
) -> Standing:
    """The same from what was read; ``patience`` is how many seconds the search may take."""
    board, pool, found, measure = ground
    pairs = tuple(
        _compared(board, *pair, measure, tests=at == 0)
        for at, pair in enumerate(_pairs(board, found, order, systems))
    )
    reached = strategy.is_known((one.verdict for one in pairs), found)
    known = None
    why = found.evidence.withheld
    if not reached and order == DECIDE and why is None:
        known = pairs[0].more
    elif not reached and why in (None, Withheld.NO_LABELS):
        known = _ahead(pool, strategy, patience, clock)
    return Standing(
        goal=_goal(order, systems),
        order=order,
        measure=str(measure),
        pairs=pairs,
        reached=reached,
        more=known,
        leader=board.systems[_leader(board, found)],
        unpooled=pool.unpooled,
        basis=board.basis,
    )


def _ahead(
    pool: JudgedPool, strategy: Strategy, patience: float, clock: Callable[[], float]
) -> MoreLabels:
    """What is foreseen of a goal that is not reached: it takes a label at the least."""
    begun = clock()
    ahead = pool.forecast(strategy, lambda: clock() - begun > patience)
    fewest, most = ahead.range
    median = None if ahead.median is None else max(1, ahead.median)
    return MoreLabels(median, max(1, fewest), max(1, most), ahead.unfinished)


def _goal(order: str, systems: Sequence[str]) -> str:
    if order == DECIDE:
        return f"which of {systems[0]} and {systems[1]} is better"
    return "how the systems rank" if order == RANK else "which system is best"


def _pairs(
    board: Board, found: Survey, order: str, systems: Sequence[str]
) -> Sequence[tuple[int, int]]:
    """The comparisons to look at: the leader's with every rival, or of neighbours."""
    if order == DECIDE:
        first, second = map(board.systems.index, systems)
        return [(first, second)]
    if order == RANK:
        return list(pairwise(ranking([one.measures[0] for one in board.table()])))
    leader, *rivals = _ranked(board, found)
    return [(leader, rival) for rival in rivals]


def _leader(board: Board, found: Survey) -> int:
    """The system that is expected to be best, as the order ``best`` sees it."""
    return _ranked(board, found)[0]


def _ranked(board: Board, found: Survey) -> list[int]:
    """The systems as the order ``best`` sees them; where nothing is expected, as a scoreboard."""
    if found.evidence.withheld is not None:
        return ranking([one.measures[0] for one in board.table()])
    return best_of(found)


def _compared(board: Board, first: int, second: int, measure: Measure, *, tests: bool) -> Compared:
    """Compare two systems, the one that is expected to be better first."""
    one = compared(board, first, second, measure, seed=0, tests=tests)
    if (one.result.estimate or 0.0) < 0:
        one = compared(board, second, first, measure, seed=0, tests=tests)
    return one
