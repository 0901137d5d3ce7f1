"""One ranking on one measure, rank by rank: what each document adds to the score.

Every measure here is a sum over ranks, ``gain * weight / norm``: a document is worth its gain, its
rank lets through some of that, and the sum may be divided by what is best or by how many there are.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np

from rubric.arrays import FloatArray, GradeArray
from rubric.measures.average_precision import EPSILON
from rubric.measures.evaluation import Rules, setting, zero_filled
from rubric.measures.family import Setting
from rubric.measures.measure import Measure
from rubric.measures.ndcg import discounts, ideal_cutoff, ideal_dcg
from rubric.measures.user_models import patience, worth
from rubric.rankings import EMPTY, UNJUDGED, JudgedRankings, gains_at, is_unjudged

Terms: TypeAlias = tuple[FloatArray, FloatArray, float]
"""Gain and weight at each rank, and what their products are divided by; 0: undefined."""


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
    return TERMS[measure.name](ranking.grades[0, :places][: how.k], ranking, how)


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


def _relevant(grades: GradeArray, how: Setting) -> FloatArray:
    return (grades >= how.threshold).astype(np.float64)


def _known(ranking: JudgedRankings, how: Setting) -> int:
    return int(ranking.known(how.threshold)[0])


def _above(counted: FloatArray) -> FloatArray:
    """How many stand above each rank."""
    above: FloatArray = np.cumsum(counted) - counted
    return above


def _ranks(grades: GradeArray) -> FloatArray:
    return np.arange(1, len(grades) + 1, dtype=np.float64)


def _dcg(grades: GradeArray, _: JudgedRankings, how: Setting) -> Terms:
    return gains_at(grades, how.gains), discounts(len(grades)), 1.0


def _ndcg(grades: GradeArray, ranking: JudgedRankings, how: Setting) -> Terms:
    ideal = ideal_dcg(ranking.judged_at_least(), how.gains, ideal_cutoff(ranking, how))
    return gains_at(grades, how.gains), discounts(len(grades)), float(ideal[0])


def _each(norm: Callable[[GradeArray, JudgedRankings, Setting], float]) -> Callable[..., Terms]:
    """Every relevant document adds alike."""

    def terms(grades: GradeArray, ranking: JudgedRankings, how: Setting) -> Terms:
        return _relevant(grades, how), np.ones(len(grades)), norm(grades, ranking, how)

    return terms


def _f(grades: GradeArray, ranking: JudgedRankings, how: Setting) -> Terms:
    known, weight = _known(ranking, how), how.beta**2
    size = how.k if how.k is not None else len(grades)
    norm = (weight * known + size) / (1 + weight) if known else 0.0
    return _relevant(grades, how), np.ones(len(grades)), norm


def _first(weights: Callable[[FloatArray], FloatArray]) -> Callable[..., Terms]:
    """Only the first relevant document adds anything."""

    def terms(grades: GradeArray, _: JudgedRankings, how: Setting) -> Terms:
        found = _relevant(grades, how)
        return found, np.where(_above(found) == 0, weights(_ranks(grades)), 0.0), 1.0

    return terms


def _average_precision(grades: GradeArray, ranking: JudgedRankings, how: Setting) -> Terms:
    found = _relevant(grades, how)
    return found, np.cumsum(found) / _ranks(grades), float(_known(ranking, how))


def _r_precision(grades: GradeArray, ranking: JudgedRankings, how: Setting) -> Terms:
    known = _known(ranking, how)
    return _relevant(grades, how), (_ranks(grades) <= known).astype(np.float64), float(known)


def _rbp(grades: GradeArray, _: JudgedRankings, how: Setting) -> Terms:
    return gains_at(grades, worth(how)), patience(len(grades), how.p), 1.0


def _err(grades: GradeArray, _: JudgedRankings, how: Setting) -> Terms:
    stop = gains_at(grades, how.gains / (how.gains.max() + 1))
    reach = np.cumprod(np.concatenate([[1.0], 1 - stop]))[: len(stop)]
    return stop, reach / _ranks(grades), 1.0


def _bpref(grades: GradeArray, ranking: JudgedRankings, how: Setting) -> Terms:
    known = _known(ranking, how)
    others = int(ranking.judged.sum()) - known
    above = np.cumsum((grades >= 0) & (grades < how.threshold))
    weight = 1.0 - np.minimum(above, known) / max(min(known, others), 1)
    return _relevant(grades, how), np.where(above == 0, 1.0, weight), float(known)


def _inf_ap(grades: GradeArray, ranking: JudgedRankings, how: Setting) -> Terms:
    found, ranks = _relevant(grades, how), _ranks(grades)
    judged = _above((grades >= 0).astype(np.float64))
    pooled = judged + np.cumsum(grades == UNJUDGED)
    share = (_above(found) + EPSILON) / (judged + 2 * EPSILON)
    weight = 1.0 / ranks + np.where(ranks > 1, pooled / ranks * share, 0.0)
    return found, weight, float(_known(ranking, how))


def _judged(grades: GradeArray, _: JudgedRankings, how: Setting) -> Terms:
    return (grades >= 0).astype(np.float64), np.ones(len(grades)), float(max(len(grades), 1))


TERMS: dict[str, Callable[[GradeArray, JudgedRankings, Setting], Terms]] = {
    "nDCG": _ndcg,
    "DCG": _dcg,
    "P": _each(lambda grades, _, how: float(how.k or max(len(grades), 1))),
    "R": _each(lambda _, ranking, how: float(_known(ranking, how))),
    "F": _f,
    "Hit": _first(np.ones_like),
    "RR": _first(np.reciprocal),
    "AP": _average_precision,
    "Rprec": _r_precision,
    "RBP": _rbp,
    "ERR": _err,
    "bpref": _bpref,
    "infAP": _inf_ap,
    "Judged": _judged,
}
