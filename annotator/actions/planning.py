"""From a project to a plan: how many labels and hours each goal is likely to take from here."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from statistics import median
from typing import NamedTuple

import numpy as np

from annotator.actions.orders import CUTOFF, pooled_ranks, strategy_of
from annotator.actions.ranked import ranked_documents
from annotator.actions.scoring import named_systems
from annotator.errors import UsageError
from annotator.records import BoolArray, IntArray
from annotator.scoring.options import Ties
from annotator.scoring.plans import Goal, Plan
from annotator.store import Labels, Project
from rubric.arrays import FloatArray, GradeArray
from rubric.grade_model import GradeModel
from rubric.planning import Forecast, forecast
from rubric.pooled_ranks import PooledRanks
from rubric.strategies import Strategy
from rubric.survey import Survey, survey

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
    pool = judged_pool(project)
    goals = [Goal(f"every top {k} judged", "depth", _missing(project, k))]
    orders: list[tuple[str, Sequence[str], str]] = []
    if systems:
        orders.append(("decide", systems, f"verdict on {' and '.join(systems)}"))
    if pool.ranks.systems > 1:
        orders.append(("best", (), "best system, to within 0.01"))
    for name, of, goal in orders:
        strategy, begun = strategy_of(project, name, of), clock()
        if strategy is None:
            continue

        def time_is_up(begun: float = begun) -> bool:
            return clock() - begun > patience

        found = pool.forecast(strategy, time_is_up)
        fewest, most = found.range
        order = " ".join([name, *of])
        goals.append(Goal(goal, order, found.median, fewest, most, found.unfinished))
    pace, timed = _pace(project, assessor)
    known = pool.ranks.known
    judged, every = int((pool.grades[known] >= 0).sum()), int(known.sum())
    return Plan(tuple(goals), pace, timed, every - judged, judged)


class JudgedPool(NamedTuple):
    """Where systems ranked the pooled documents, and what is known of these.

    ``grades`` are int8, shape (Q, P), -1 where there is no label; ``by_eye`` (Q, P) tells which
    were picked for judging by what they are; ``gains`` are those of the grades.
    """

    ranks: PooledRanks
    grades: GradeArray
    by_eye: BoolArray
    gains: FloatArray

    def survey(self, draws: int) -> Survey:
        """What labels and grade model say of it."""
        model = GradeModel(self.ranks, len(self.gains) - 1)
        return survey(model, self.grades, self.gains, by_eye=self.by_eye, draws=draws)

    def forecast(self, strategy: Strategy, time_is_up: Callable[[], bool]) -> Forecast:
        """How many more labels a strategy's goal is likely to take."""
        return forecast(
            self.ranks,
            self.grades,
            self.gains,
            strategy,
            by_eye=self.by_eye,
            time_is_up=time_is_up,
        )


def judged_pool(project: Project) -> JudgedPool:
    """The pool of a project with its labels.

    Raises
    ------
    UsageError
        If nothing is pooled.
    """
    queries, documents = _pool(project)
    rubric = project.rubrics.active().rubric
    grades, by_eye = _grades(_labels(project), queries, documents)
    ranks = pooled_ranks(project, queries, documents)
    return JudgedPool(ranks, grades, by_eye, rubric.gain.values(rubric.top))


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


def _grades(labels: Labels, queries: IntArray, documents: IntArray) -> tuple[GradeArray, BoolArray]:
    """The grade of every pooled document, -1 where there is none; which were picked by eye."""
    grades = np.full(documents.shape, -1, dtype=np.int8)
    row = np.minimum(np.searchsorted(queries, labels.query), len(queries) - 1)
    here = queries[row] == labels.query
    at = documents[row] == labels.document[:, None]
    label, column = np.nonzero(at & here[:, None])
    grades[row[label], column] = labels.grade[label]
    by_eye = np.zeros(documents.shape, dtype=np.bool_)
    by_eye[row[label], column] = labels.by_eye[label]
    return grades, by_eye


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
