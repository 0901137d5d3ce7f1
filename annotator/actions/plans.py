"""From a project to a plan: how many labels and hours each goal is likely to take from here."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from statistics import median

import numpy as np

from annotator.actions.judged_pool import CUTOFF, MEASURE, judged_pool, labels_of
from annotator.actions.orders import in_words, strategy_of
from annotator.actions.rankings import ranked_documents
from annotator.actions.scoring import named_systems
from annotator.actions.standing import PATIENCE, load_ground, standing_on
from annotator.results.more_labels import MoreLabels
from annotator.results.plans import Goal, Plan
from annotator.results.standings import Standing
from annotator.scoring.options import Ties
from annotator.store import Project
from annotator.text.numbers import plain
from rubric import Measure
from rubric.choose.orders import NEAR

ASSUMED_PACE = 20.0
"""Seconds a judgment, while nothing is known of the assessor."""
LEAST_TIMED = 5


def plan(
    project: Project,
    systems: Sequence[str] = (),
    *,
    assessor: str | None = None,
    k: int = CUTOFF,
    measure: Measure = MEASURE,
    patience: float = PATIENCE,
    clock: Callable[[], float] = time.monotonic,
) -> Plan:
    """How far it is to full coverage at depth k, to the best system, and to a verdict on two.

    Parameters
    ----------
    systems
        The two on which a verdict is wanted, or none.
    measure
        What is to be known of the systems.
    assessor
        Whose pace counts; everybody's where they have judged too little.
    patience
        Seconds for each goal.

    Raises
    ------
    UsageError
        If nothing is pooled, the systems are not two of the project, or no order decides on the
        measure.
    """
    orders: list[tuple[str, Sequence[str], str]] = []
    if systems:
        orders.append(("decide", systems, f"verdict on {' and '.join(systems)}"))
    orders.append(("best", (), f"best system, to within {plain(NEAR)}"))
    strategies = [strategy_of(project, name, of) for name, of, _ in orders]
    pool = judged_pool(project, measure)
    ground = load_ground(project, pool, measure)
    missing = _missing(project, k)
    goals = [Goal(f"every top {k} judged", "depth", MoreLabels(missing, missing, missing))]
    for strategy, (name, of, goal) in zip(strategies, orders, strict=True):
        if strategy is not None and ground is not None:
            found = standing_on(ground, strategy, name, of, patience=patience, clock=clock)
            goals.append(_goal(goal, in_words(name, of, measure), found))
    pace, timed = _pace(project, assessor)
    judged, every = int((pool.grades[pool.pooled] >= 0).sum()), int(pool.pooled.sum())
    return Plan(tuple(goals), str(measure), pace, timed, every - judged, judged, pool.unpooled)


def _goal(goal: str, order: str, found: Standing) -> Goal:
    return Goal(goal, order, MoreLabels(0, 0, 0) if found.reached else found.more)


def _missing(project: Project, k: int) -> int:
    """How many documents of any system's top k, pooled or not, nobody has judged."""
    labels = labels_of(project)
    systems = list(named_systems(project, None).values())
    every = np.array(list(project.queries.all()), dtype=np.int64)
    ranked, _ = ranked_documents(project, systems, every, Ties.DISPLAYED)
    top = ranked[:, :, :k].astype(np.int64)
    span = np.int64(2**31)
    keys = (every[:, None] * span + top)[top > 0]
    judged = labels.query.astype(np.int64) * span + labels.document
    return len(np.setdiff1d(keys, judged))


def _pace(project: Project, assessor: str | None) -> tuple[float, int]:
    """Seconds a judgment, and from how many judgments that is known."""
    number = project.judgments.assessors().get(assessor or "")
    for who in ([number] if number is not None else []) + [None]:
        seconds = project.judgments.seconds(who)
        if len(seconds) >= LEAST_TIMED:
            return median(seconds), len(seconds)
    return ASSUMED_PACE, 0
