"""From a project to a plan: how many labels and hours each goal is likely to take from here."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from statistics import median

import numpy as np

from annotator.actions.orders import CUTOFF, pooled_ranks, strategy_of
from annotator.actions.ranked import ranked_documents
from annotator.actions.scoring import named_systems
from annotator.errors import UsageError
from annotator.records import IntArray
from annotator.scoring.options import Ties
from annotator.scoring.plans import Goal, Plan
from annotator.store import Labels, Project
from rubric.arrays import FloatArray, GradeArray
from rubric.planning import forecast
from rubric.pooled_ranks import PooledRanks

ASSUMED_PACE = 20.0
"""Seconds a judgment, while nothing is known of the assessor."""
LEAST_TIMED = 5
PATIENCE = 6.0
"""Seconds after which the search for one goal is left."""


def plan(
    project: Project,
    systems: Sequence[str] = (),
    *,
    assessor: str | None = None,
    k: int = CUTOFF,
    patience: float = PATIENCE,
    clock: Callable[[], float] = time.monotonic,
) -> Plan:
    """How far it is to full coverage at depth k, to the best system, and to a verdict on two.

    Parameters
    ----------
    systems
        The two on which a verdict is wanted, or none.
    assessor
        Whose pace counts; everybody's where they have judged too little.
    patience
        Seconds for each goal.

    Raises
    ------
    UsageError
        If nothing is pooled, or the systems are not two of the project.
    """
    pooled, grades, gains = pool_and_grades(project)
    goals = [Goal(f"every top {k} judged", "depth", _missing(project, k))]
    orders: list[tuple[str, Sequence[str], str]] = []
    if systems:
        orders.append(("decide", systems, f"verdict on {' and '.join(systems)}"))
    if len(pooled.ranks) > 1:
        orders.append(("best", (), "best system, to within 0.01"))
    for name, of, goal in orders:
        strategy, begun = strategy_of(project, name, of), clock()
        if strategy is None:
            continue

        def time_is_up(begun: float = begun) -> bool:
            return clock() - begun > patience

        found = forecast(pooled, grades, gains, strategy, time_is_up=time_is_up)
        fewest, most = found.range
        order = " ".join([name, *of])
        goals.append(Goal(goal, order, found.median, fewest, most, found.unfinished))
    pace, timed = _pace(project, assessor)
    judged, every = int((grades[pooled.known] >= 0).sum()), int(pooled.known.sum())
    return Plan(tuple(goals), pace, timed, every - judged, judged)


def pool_and_grades(project: Project) -> tuple[PooledRanks, GradeArray, FloatArray]:
    """Where systems ranked the pooled documents, their grades (-1: none), and each grade's gain.

    Raises
    ------
    UsageError
        If nothing is pooled.
    """
    queries, documents = _pool(project)
    rubric = project.rubrics.active().rubric
    grades = _grades(_labels(project), queries, documents)
    return pooled_ranks(project, queries, documents), grades, rubric.gain.values(rubric.top)


def _labels(project: Project) -> Labels:
    return project.judgments.labels(project.rubrics.counted())


def _pool(project: Project) -> tuple[IntArray, IntArray]:
    """The numbers of the pooled queries, rising, and of their documents, (Q, P)."""
    query, document = project.pool.pairs()
    if not len(query):
        raise UsageError("nothing is pooled yet; run `annotator pool`")
    queries, row, counts = np.unique(query, return_inverse=True, return_counts=True)
    starts = np.concatenate([[0], np.cumsum(counts)[:-1]])
    documents = np.zeros((len(queries), int(counts.max())), dtype=np.int64)
    documents[row, np.arange(len(query)) - starts[row]] = document
    return queries.astype(np.int64), documents


def _grades(labels: Labels, queries: IntArray, documents: IntArray) -> GradeArray:
    """The grade of every pooled document, -1 where there is none."""
    grades = np.full(documents.shape, -1, dtype=np.int8)
    row = np.minimum(np.searchsorted(queries, labels.query), len(queries) - 1)
    here = queries[row] == labels.query
    at = documents[row] == labels.document[:, None]
    label, column = np.nonzero(at & here[:, None])
    grades[row[label], column] = labels.grade[label]
    return grades


def _missing(project: Project, k: int) -> int:
    """How many documents of any system's top k, pooled or not, nobody has judged."""
    labels = _labels(project)
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
