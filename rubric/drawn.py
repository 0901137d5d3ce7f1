"""The exact scores, on any measure, that drawn grades of the unjudged documents give."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rubric.arrays import FloatArray, GradeArray, IntArray, product, ratio
from rubric.evaluation import Rules, setting, zero_filled
from rubric.linear import LINEAR, document_weights, ideal_sums
from rubric.measures import Measure
from rubric.rankings import JudgedRankings, gains_at

_BLOCK = 4_000_000
"""Places of rankings that are filled with drawn grades at a time."""
_COUNTED = 1_000_000
"""Drawn grades that are counted at a time."""


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

    def counts(self, top: int) -> tuple[IntArray, IntArray]:
        """The rows with any document, (u,), and how many of each grade they have: (D, u, G + 1)."""
        rows, row = np.unique(self.query, return_inverse=True)
        draws, cells = len(self.grades), len(rows) * (top + 1)
        counts = np.zeros((draws, cells), dtype=np.int64)
        block = max(1, _COUNTED // max(len(row), 1))
        for first in range(0, draws, block):
            part = self.grades[first : first + block]
            at = np.arange(len(part))[:, None] * cells + row * (top + 1) + part
            sums = np.bincount(at.ravel(), minlength=len(part) * cells)
            counts[first : first + block] = sums.reshape(len(part), cells)
        return rows, counts.reshape(draws, len(rows), top + 1)


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
    if measure.name == "Judged" or not drawn.grades.size:
        return scores
    if is_weighted(measure, rules):
        _score_weighted(measure, rankings, drawn, rules, scores)
    else:
        _score_filled(measure, rankings, drawn, rules, scores)
    return scores


def is_weighted(measure: Measure, rules: Rules) -> bool:
    """Whether a measure is a sum of gains over an ideal, so that no ranking need be filled."""
    return measure.name == "Judged" or (measure.name in LINEAR and not rules.own_ideal)


def _score_weighted(
    measure: Measure,
    rankings: JudgedRankings,
    drawn: DrawnGrades,
    rules: Rules,
    scores: FloatArray,
) -> None:
    """A sum of gains by weight, over the ideal: no ranking need be looked at again."""
    systems, top = len(drawn.place), rankings.top
    how = setting(measure, rules, top)
    weights = document_weights(measure.name, how, rankings)
    judged = np.sum(gains_at(rankings.grades, how.gains) * weights, axis=1).reshape(systems, -1)
    by_place = weights.reshape(systems, -1, weights.shape[1])
    system = np.arange(systems)[:, None]
    weight = np.where(drawn.place >= 0, by_place[system, drawn.query, drawn.place], 0.0)
    rows, counts = drawn.counts(top)
    ends = np.append(np.searchsorted(drawn.query, rows), len(drawn.query))
    for row, start, end in zip(rows, ends[:-1], ends[1:], strict=True):
        gains = how.gains[drawn.grades[:, start:end]]
        scores[:, :, row] = judged[:, row] + product(gains, weight[:, start:end].T)
    sums = ideal_sums(measure.name, how, rankings)
    if sums is None:
        return
    counts += rankings.judged[rows]
    reached = np.cumsum(counts[:, :, ::-1], axis=-1)[:, :, -2::-1]
    ideal = sums[np.minimum(reached, len(sums) - 1)] @ np.diff(how.gains)
    undefined = 0.0 if rules.empty_ideal_zero else np.nan
    whole = np.broadcast_to(ideal[:, None], (len(ideal), systems, len(rows)))
    scores[:, :, rows] = ratio(scores[:, :, rows], whole, undefined)


def _score_filled(
    measure: Measure,
    rankings: JudgedRankings,
    drawn: DrawnGrades,
    rules: Rules,
    scores: FloatArray,
) -> None:
    """Write the drawn grades into the rankings and score these, some draws at a time."""
    systems, depth = len(drawn.place), rankings.grades.shape[1]
    rows, counts = drawn.counts(rankings.top)
    system, document = np.nonzero(drawn.place >= 0)
    place = drawn.place[system, document]
    touched = np.searchsorted(rows, drawn.query[document])
    known = rankings.grades.reshape(systems, -1, depth)[:, rows]
    open_ = rankings.unjudged.reshape(systems, -1)[:, rows] - counts[0].sum(axis=-1)
    tied = None if rankings.tied is None else rankings.tied.reshape(systems, -1, depth)[:, rows]
    block = max(1, _BLOCK // max(known.size, 1))
    for first in range(0, len(drawn.grades), block):
        part = slice(first, first + block)
        grades = np.repeat(known[None], len(drawn.grades[part]), axis=0)
        grades[:, system, touched, place] = drawn.grades[part][:, document]
        size = len(grades)
        judged = counts[part] + rankings.judged[rows]
        filled = JudgedRankings(
            grades=grades.reshape(-1, depth),
            judged=np.repeat(judged[:, None], systems, axis=1).reshape(-1, rankings.top + 1),
            unjudged=np.tile(np.maximum(open_, 0).ravel(), size),
            tied=None if tied is None else np.tile(tied.reshape(-1, depth), (size, 1)),
        )
        found = zero_filled(measure, filled, rules)
        scores[part][:, :, rows] = found.reshape(size, systems, -1)
