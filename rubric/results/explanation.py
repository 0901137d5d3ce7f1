"""One ranking on one measure, rank by rank: what each document adds to the score.

Every measure here is a sum over ranks, ``gain * weight / norm``: a document is worth its gain, its
rank lets through some of that, and the sum may be divided by what is best or by how many there are.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from rubric.arrays import FloatArray
from rubric.evaluation.measure import Measure
from rubric.evaluation.scores import Rules, setting, zero_filled
from rubric.rankings import EMPTY, JudgedRankings, is_unjudged
from rubric.setting import Terms


@dataclass(frozen=True, eq=False)
class Explanation:
    """What each rank of one ranking adds; all arrays have shape (n,), from the first rank on.

    Parameters
    ----------
    gain
        What the document at each rank is worth; 0 where it is unjudged.
    weight
        How much of that its rank lets through.
    norm
        What the sum of gain times weight is divided by; 0 where the measure is undefined.
    least, most
        How much the score would change, at the least and at the most, if this document alone were
        judged; 0 where it is judged already.
    """

    gain: FloatArray
    weight: FloatArray
    norm: float
    least: FloatArray
    most: FloatArray

    @property
    def contribution(self) -> FloatArray:
        """Gain times weight."""
        product: FloatArray = self.gain * self.weight
        return product

    @property
    def share(self) -> FloatArray:
        """What each rank adds to the score: these sum up to it; 0 where it is undefined."""
        return self.contribution / self.norm if self.norm else np.zeros_like(self.gain)

    @property
    def score(self) -> float | None:
        """The score with unjudged documents counted as grade 0; None where it is undefined."""
        return float(self.share.sum()) if self.norm else None


def explain(measure: Measure, ranking: JudgedRankings, rules: Rules | None = None) -> Explanation:
    """Explain one ranking, of shape (1, depth), down to the measure's cutoff.

    Raises
    ------
    RubricError
        If the measure's gain table does not fit the grades.
    ValueError
        If tied scores are to be averaged: there is no one ranking then.

    >>> import numpy as np
    >>> one = JudgedRankings(
    ...     np.array([[2, 0, 3, 1]], dtype=np.int8), np.array([[1, 1, 1, 1]]), np.array([0])
    ... )
    >>> told = explain(Measure.parse("nDCG@4"), one)
    >>> told.contribution.round(3), round(told.norm, 3), round(told.score, 3)
    (array([3.   , 0.   , 3.5  , 0.431]), 9.393, 0.738)
    """
    if ranking.tied is not None:
        raise ValueError("there is no one ranking where tied scores are averaged")
    rules = rules or Rules()
    gain, weight, norm = _terms(measure, ranking, rules)
    if np.isnan(zero_filled(measure, ranking, rules)[0]):
        norm = 0.0
    least, most = _changes(measure, ranking, rules)
    return Explanation(gain, weight, norm, least[: len(gain)], most[: len(gain)])


def best_ranking(ranking: JudgedRankings) -> JudgedRankings:
    """The judged documents of the query in the order of their grades: the ideal ranking."""
    counts = ranking.judged[0][::-1]
    grades = np.repeat(np.arange(ranking.top, -1, -1), counts).astype(np.int8)[None]
    return replace(ranking, grades=grades)


def _terms(measure: Measure, ranking: JudgedRankings, rules: Rules) -> Terms:
    how = setting(measure, rules, ranking.top)
    places = int(np.sum(ranking.grades[0] != EMPTY))
    return measure.kind.terms(ranking.grades[0, :places][: how.k], ranking, how)


def _changes(
    measure: Measure, ranking: JudgedRankings, rules: Rules
) -> tuple[FloatArray, FloatArray]:
    """How much each unjudged document could change the score by itself: least and most."""
    cut = ranking.grades[:, : measure.k]
    open_ = np.flatnonzero(is_unjudged(cut[0]))
    least, most = np.zeros(cut.shape[1]), np.zeros(cut.shape[1])
    if not len(open_):
        return least, most
    grades = np.arange(ranking.top + 1)
    count = len(open_) * len(grades)
    tried = np.repeat(ranking.grades, count, axis=0)
    judged = np.repeat(ranking.judged, count, axis=0)
    which = np.arange(count)
    tried[which, np.repeat(open_, len(grades))] = np.tile(grades, len(open_))
    judged[which, np.tile(grades, len(open_))] += 1
    unjudged = np.repeat(ranking.unjudged - 1, count)
    scores = zero_filled(measure, JudgedRankings(tried, judged, unjudged), rules)
    now = zero_filled(measure, ranking, rules)
    change = np.nan_to_num(scores).reshape(len(open_), -1) - np.nan_to_num(now)
    least[open_], most[open_] = change.min(axis=1), change.max(axis=1)
    return least, most
