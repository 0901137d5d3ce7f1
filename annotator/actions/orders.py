"""From a project to an order of judging."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np

from annotator.actions.judged_pool import MEASURE, judged_pool
from annotator.actions.scoring import named_systems
from annotator.errors import UsageError
from annotator.judging import Order
from annotator.judging.order import Background, PoolOrder
from annotator.store import Project
from annotator.store.judgments import JudgmentTable
from rubric import Measure
from rubric.choose.orders import Best, Decide, MoveToFront, Random, Rank, Strategy


def load_order(
    project: Project,
    assessor: str,
    name: str,
    systems: Sequence[str] = (),
    *,
    measure: Measure = MEASURE,
    stay: bool = False,
    log: JudgmentTable | None = None,
    background: Background | None = None,
) -> Order | None:
    """An order of judging as the pool and the labels are now; None is query by query.

    Parameters
    ----------
    systems
        The two systems that ``decide`` is to tell apart.
    measure
        What is to be known of the systems: the orders that decide something decide on it.
    stay
        Whether to judge up to five documents of a query in a row.
    log
        The log as the thread reads it in which is judged; None: the project's.
    background
        How to work beside the assessor; None: in a thread of its own.

    Raises
    ------
    UsageError
        If ``decide`` has not got two different systems of the project, or another order has any;
        or no order decides on the measure.
    """
    strategy = strategy_of(project, name, systems)
    if strategy is None:
        return None
    judgments, words = project.judgments, in_words(name, systems, measure)
    as_of, pool = judgments.last_event(), judged_pool(project, measure)
    number, log = judgments.assessors()[assessor], log or judgments
    return PoolOrder(
        words,
        strategy,
        pool,
        (np.isin(pool.pairs, judgments.put_aside(number)) & (pool.grades < 0)) | ~pool.pooled,
        as_of=as_of,
        stay=stay,
        latest=partial(log.latest_chosen, number, words),
        background=background,
    )


def in_words(name: str, systems: Sequence[str] = (), measure: Measure = MEASURE) -> str:
    """An order as it is asked for: ``decide A B -m P@5``."""
    return " ".join([name, *systems, *(["-m", str(measure)] if measure != MEASURE else [])])


def strategy_of(project: Project, name: str, systems: Sequence[str]) -> Strategy | None:
    """How an order chooses; None is query by query. Raises as :func:`load_order`."""
    if name != "decide":
        if systems:
            raise UsageError(f"the order {name} takes no systems; `decide A B` does")
        seed = project.pool.seed()
        others: dict[str, Strategy] = {
            "random": Random(seed),
            "mtf": MoveToFront(seed),
            "best": Best(),
            "rank": Rank(),
        }
        return others.get(name)
    if len(systems) != 2 or systems[0] == systems[1]:
        raise UsageError(
            "a verdict on two systems takes two names: `--order decide A B`, `plan A B`"
        )
    known = list(named_systems(project, None))
    named_systems(project, systems)
    return Decide(*(known.index(system) for system in systems))
