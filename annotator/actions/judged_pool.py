"""From a project to its pool: where systems ranked each document, and what is known of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from annotator.actions.model_labels import model_grades
from annotator.actions.rankings import ranked_documents
from annotator.actions.scoring import named_systems
from annotator.domain import BoolArray, Int32Array, IntArray
from annotator.errors import UsageError
from annotator.pooling.presentation import shuffling
from annotator.scoring.options import Ties
from annotator.scoring.pairs import ModelGrades, ranks_of
from annotator.store import Labels, Project
from rubric import Measure, Rules
from rubric.arrays import GradeArray
from rubric.choose.forecast import Forecast, forecast
from rubric.choose.orders import Strategy
from rubric.choose.survey import Survey, survey
from rubric.choose.target import Target
from rubric.errors import RubricError
from rubric.model.grade_model import GradeModel
from rubric.model.model_labels import ModelLabels
from rubric.model.pooled_ranks import DEEPEST, PooledRanks
from rubric.rankings import place_in_row

CUTOFF = 10
"""Documents down to this rank count although nobody pooled them."""
MEASURE = Measure("nDCG", CUTOFF)
"""What an order of judging decides on if nothing else is asked for."""
_SPAN = np.int64(2**31)


class JudgedPool(NamedTuple):
    """Q queries with up to P documents each, shuffled, and what is known of these.

    They are the pooled ones, and those that a system has in its top k although nobody pooled them:
    these cannot be judged yet, but count in what is claimed.

    Parameters
    ----------
    queries
        The number of each query, rising: shape (Q,).
    pairs
        The number of each pair, 0 where a query has fewer, below 0 where it is not pooled: shape
        (Q, P).
    ranks
        Where every system of the project ranked them.
    grades
        int8, shape (Q, P): the labels that hold, -1 where there is none.
    given
        The entry of the log that gave each label, 0 where there is none: shape (Q, P).
    by_eye
        Which judged documents were picked for judging by what they are: shape (Q, P).
    foreign
        Of which labels it is not known how their documents were chosen: shape (Q, P).
    target
        The measure that orders of judging decide on.
    seed
        What everything random about it comes from.
    """

    queries: IntArray
    pairs: IntArray
    ranks: PooledRanks
    grades: GradeArray
    given: IntArray
    by_eye: BoolArray
    foreign: BoolArray
    target: Target
    seed: int

    @property
    def pooled(self) -> BoolArray:
        """Which documents are pooled: shape (Q, P)."""
        return np.asarray(self.pairs > 0)

    @property
    def unpooled(self) -> int:
        """How many documents in a top k are neither pooled nor judged."""
        return int(((self.pairs < 0) & (self.grades < 0)).sum())

    def survey(self) -> Survey:
        """What labels and grade model say of it, as an order of judging sees it too."""
        model = GradeModel(self.ranks, len(self.target.gains) - 1)
        return survey(
            model,
            self.grades,
            self.target,
            by_eye=self.by_eye,
            foreign=self.foreign,
            seed=self.seed,
        )

    def forecast(self, strategy: Strategy, time_is_up: Callable[[], bool]) -> Forecast:
        """How many more labels a strategy's goal is likely to take."""
        return forecast(
            self.ranks,
            self.grades,
            self.target,
            strategy,
            by_eye=self.by_eye,
            foreign=self.foreign,
            seed=self.seed,
            time_is_up=time_is_up,
        )


def judged_pool(project: Project, measure: Measure = MEASURE) -> JudgedPool:
    """The pool of a project with its labels; no document or text is read.

    Raises
    ------
    UsageError
        If nothing is pooled, or no order of judging decides on the measure.
    """
    target = target_of(project, measure)
    numbered = project.pool.numbered_pairs()
    if not len(numbered[0]):
        raise UsageError("nothing is pooled yet; run `annotator pool`")
    every = np.array(list(project.queries.all()), dtype=np.int64)
    systems = list(named_systems(project, None).values())
    ranked, _ = ranked_documents(project, systems, every, Ties.DISPLAYED, DEEPEST)
    pair, query, document = _with_unpooled(*numbered, every, ranked)
    queries, row = np.unique(query.astype(np.int64), return_inverse=True)
    # Where two documents are worth the same, the first column comes first: it must say nothing.
    seed = project.pool.seed()
    order = np.lexsort((shuffling(seed, query, document), row))
    column = np.empty(len(order), dtype=np.int64)
    column[order] = place_in_row(row[order], len(queries))
    shape = len(queries), int(column.max()) + 1
    pairs = np.zeros(shape, dtype=np.int64)
    pairs[row, column] = pair
    labels = labels_of(project)
    found, label = _same(labels.query, labels.document, query, document)
    place = row[found], column[found]
    grades = np.full(shape, -1, dtype=np.int8)
    given = np.zeros(shape, dtype=np.int64)
    by_eye, foreign = np.zeros((2, *shape), dtype=np.bool_)
    grades[place], given[place] = labels.grade[label], labels.given[label]
    by_eye[place], foreign[place] = labels.by_eye[label], labels.foreign[label]
    ranks = np.zeros((len(systems), *shape), dtype=np.int64)
    ranks[:, row, column] = ranks_of(row * _SPAN + document, ranked[:, np.isin(every, queries)])
    known = pairs != 0
    models = [_said(one, row, column, query, document, shape) for one in model_grades(project)]
    said = ModelLabels.of(np.stack(models), known, len(target.gains) - 1) if models else None
    pooled = PooledRanks(ranks, known, CUTOFF, said)
    return JudgedPool(
        queries=queries,
        pairs=pairs,
        ranks=pooled,
        grades=grades,
        given=given,
        by_eye=by_eye,
        foreign=foreign,
        target=target,
        seed=seed,
    )


def _said(
    model: ModelGrades, row: IntArray, column: IntArray, query: Int32Array, document: Int32Array,
    shape: tuple[int, int],
) -> GradeArray:  # fmt: skip
    """What a model said of the pairs that stand at these places: shape (Q, P), -1 for nothing."""
    found, label = _same(model.query, model.document, query, document)
    said = np.full(shape, -1, dtype=np.int8)
    said[row[found], column[found]] = model.grade[label]
    return said


def _with_unpooled(
    pair: Int32Array, query: Int32Array, document: Int32Array, every: IntArray, ranked: Int32Array
) -> tuple[Int32Array, Int32Array, Int32Array]:
    """Number, query and document of the pooled pairs, and of those in a top k that are not.

    ``ranked`` (S, Q, ranks) are the rankings of ``every`` query. Sorted by query and document.
    """
    top = ranked[:, :, :CUTOFF]
    held = (every[:, None] * _SPAN + top)[top > 0]
    pooled = query * _SPAN + document
    unpooled = np.setdiff1d(held, pooled)
    keys = np.concatenate([pooled, unpooled])
    order = np.argsort(keys, kind="stable")
    numbers = np.concatenate([pair, -1 - np.arange(len(unpooled), dtype=np.int32)])
    queries, documents = (part.astype(np.int32) for part in np.divmod(keys[order], _SPAN))
    return numbers[order], queries, documents


def target_of(project: Project, measure: Measure) -> Target:
    """What a measure is under the project's rubric. Raises as :func:`judged_pool`."""
    rubric = project.rubrics.active().rubric
    try:
        return Target.of(measure, Rules(rubric.gain, rubric.threshold), rubric.top)
    except RubricError as error:
        raise UsageError(error.faults[0]) from None


def labels_of(project: Project) -> Labels:
    """The labels that count."""
    return project.judgments.labels(project.rubrics.counted())


def _same(
    query: Int32Array, document: Int32Array, of_query: Int32Array, of_document: Int32Array
) -> tuple[IntArray, IntArray]:
    """Where the pairs of one list stand in a sorted one, and which these are."""
    wanted, sorted_ = query * _SPAN + document, of_query * _SPAN + of_document
    at = np.minimum(np.searchsorted(sorted_, wanted), len(sorted_) - 1)
    held = np.flatnonzero(sorted_[at] == wanted)
    return at[held], held
