"""The exact scores, on any measure, that drawn grades of the unjudged documents give."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

import numpy as np

from rubric.arrays import FloatArray, GradeArray, IntArray, product, ratio
from rubric.bounds.weighted_sum import WeightedSum, ideal_of, judged_sums
from rubric.evaluation.measure import Measure
from rubric.evaluation.scores import Rules, setting, zero_filled
from rubric.rankings import JudgedRankings

_BLOCK = 4_000_000
"""Places of rankings that are filled with drawn grades at a time."""
_CACHED = 64_000
"""Drawn grades looked at at a time, so that they stay in the processor's cache."""


@dataclass(frozen=True, eq=False)
class DrawnGrades:
    """Grades of n unjudged documents, drawn D times.

    Parameters
    ----------
    query
        int, shape (n,): the row of each document's query, rising.
    place
        int, shape (S, n): at which rank (from 0) each system holds it, -1 where it does not.
    grades
        int8, shape (D, n): the grades, from 0.
    """

    query: IntArray
    place: IntArray
    grades: GradeArray

    @cached_property
    def rows(self) -> IntArray:
        """The rows that have any document: shape (u,)."""
        return self.query[self._starts]

    @cached_property
    def _starts(self) -> IntArray:
        """Where the documents of each row begin."""
        return np.flatnonzero(np.diff(self.query, prepend=-1))

    @cached_property
    def spans(self) -> list[tuple[int, int]]:
        """Where the documents of each row begin and end."""
        return list(pairwise([*self._starts.tolist(), len(self.query)]))

    def at_least(self, top: int) -> IntArray:
        """How many documents of each row have grade t or more, t = 1..G: shape (D, u, G)."""
        reached = np.empty((len(self.grades), len(self.rows), top), dtype=np.int64)
        size = max(1, _CACHED // max(1, len(self.query)))
        for start in range(0, len(self.grades), size):
            grades = self.grades[start : start + size]
            for grade in range(1, top + 1):
                holds = (grades >= grade).view(np.int8)
                sums = np.add.reduceat(holds, self._starts, axis=1, dtype=np.int32)
                reached[start : start + size, :, grade - 1] = sums
        return reached

    def counts(self, top: int) -> IntArray:
        """How many documents of each row have each grade: shape (D, u, G + 1)."""
        sizes = np.diff(self._starts, append=len(self.query))
        shape = len(self.grades), len(sizes), 1
        every = np.broadcast_to(sizes[:, None], shape), self.at_least(top)
        return -np.diff(np.concatenate(every, axis=2), append=0)


def drawn_scores(
    measure: Measure, rankings: JudgedRankings, drawn: DrawnGrades, rules: Rules | None = None
) -> FloatArray:
    """Score S systems for Q queries under each draw; unjudged documents not drawn count as grade 0.

    Parameters
    ----------
    rankings
        S x Q rankings: those of the first system for every query, then those of the next.

    Returns
    -------
    float64, shape (D, S, Q); NaN where a draw leaves the measure undefined, as no relevant
    document is then in the ideal (0 if the rules say so).

    Raises
    ------
    RubricError
        As :func:`rubric.evaluate`.
    """
    rules = rules or Rules()
    systems = len(drawn.place)
    settled = zero_filled(measure, rankings, rules).reshape(systems, -1)
    scores = np.repeat(settled[None], len(drawn.grades), axis=0)
    if not measure.kind.by_grade or not drawn.grades.size:
        return scores
    if measure.kind.weighted and is_weighted(measure, rules):
        _score_weighted(measure, measure.kind.weighted, rankings, drawn, rules, scores)
    else:
        _score_filled(measure, rankings, drawn, rules, scores)
    return scores


def is_weighted(measure: Measure, rules: Rules) -> bool:
    """Whether a measure is a sum of gains over an ideal, so that no ranking need be filled."""
    kind = measure.kind
    return not kind.by_grade or (kind.weighted is not None and not rules.own_ideal)


def _score_weighted(
    measure: Measure,
    weighted: WeightedSum,
    rankings: JudgedRankings,
    drawn: DrawnGrades,
    rules: Rules,
    scores: FloatArray,
) -> None:
    """A sum of gains by weight, over the ideal: no ranking need be looked at again."""
    systems, top = len(drawn.place), rankings.top
    how = setting(measure, rules, top)
    weights = weighted.document_weights(how, rankings)
    judged = judged_sums(weights, rankings, how.gains).reshape(systems, -1)
    by_place = weights.reshape(systems, -1, weights.shape[1])
    weight = np.zeros(drawn.place.shape)
    weighed = (drawn.place >= 0) & (drawn.place < weights.shape[1])
    system, document = np.nonzero(weighed)
    weight[weighed] = by_place[system, drawn.query[document], drawn.place[weighed]]
    weighs = np.asarray(weight.any(axis=0))
    for row, (start, end) in zip(drawn.rows, drawn.spans, strict=True):
        use = start + np.flatnonzero(weighs[start:end])
        gains = how.gains.take(drawn.grades[:, use])
        scores[:, :, row] = judged[:, row] + product(gains, weight[:, use].T)
    sums = weighted.ideal_sums(how, rankings)
    if sums is None:
        return
    reached = drawn.at_least(top) + rankings.judged_at_least()[drawn.rows]
    ideal = ideal_of(reached, how.gains, sums)
    undefined = 0.0 if rules.empty_ideal_zero else np.nan
    whole = np.broadcast_to(ideal[:, None], (len(ideal), systems, len(drawn.rows)))
    scores[:, :, drawn.rows] = ratio(scores[:, :, drawn.rows], whole, undefined)


def _score_filled(
    measure: Measure,
    rankings: JudgedRankings,
    drawn: DrawnGrades,
    rules: Rules,
    scores: FloatArray,
) -> None:
    """Write the drawn grades into the rankings and score these, some draws at a time."""
    if not rules.own_ideal and rankings.tied is None:
        rankings = replace(rankings, grades=rankings.grades[:, : measure.k])
    systems, depth = len(drawn.place), rankings.grades.shape[1]
    rows, counts = drawn.rows, drawn.counts(rankings.top)
    system, document = np.nonzero((drawn.place >= 0) & (drawn.place < depth))
    place = drawn.place[system, document]
    row = np.searchsorted(rows, drawn.query[document])
    known = rankings.grades.reshape(systems, -1, depth)[:, rows]
    open_ = rankings.unjudged.reshape(systems, -1)[:, rows] - counts[0].sum(axis=-1)
    tied = None if rankings.tied is None else rankings.tied.reshape(systems, -1, depth)[:, rows]
    # Each place takes its grade from the column of its document, or from one of the fixed ones.
    fixed = np.arange(known.min(initial=0), rankings.top + 1, dtype=np.int8)
    source = drawn.grades.shape[1] + known.astype(np.int32) - fixed[0]
    source[system, row, place] = document
    block = max(1, _BLOCK // max(known.size, 1))
    for first in range(0, len(drawn.grades), block):
        part = slice(first, first + block)
        size = len(drawn.grades[part])
        columns = np.hstack([drawn.grades[part], np.broadcast_to(fixed, (size, len(fixed)))])
        judged = counts[part] + rankings.judged[rows]
        filled = JudgedRankings(
            grades=columns[:, source.ravel()].reshape(-1, depth),
            judged=np.repeat(judged[:, None], systems, axis=1).reshape(-1, rankings.top + 1),
            unjudged=np.tile(np.maximum(open_, 0).ravel(), size),
            tied=None if tied is None else np.tile(tied.reshape(-1, depth), (size, 1)),
        )
        found = zero_filled(measure, filled, rules)
        scores[part][:, :, rows] = found.reshape(size, systems, -1)
