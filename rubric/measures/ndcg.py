"""Discounted cumulative gain and its normalised form (Järvelin and Kekäläinen 2002)."""

from __future__ import annotations

import numpy as np

from rubric.arrays import FloatArray, GradeArray, IntArray, ratio
from rubric.measures.family import Bounds, Family, Setting
from rubric.measures.ratio_bounds import RatioProblem, ratio_bounds
from rubric.rankings import JudgedRankings, gains_at, hopeful, is_unjudged


def discounts(k: int) -> FloatArray:
    """1 / log2(rank + 1) for ranks 1..k: shape (k,)."""
    return 1.0 / np.log2(np.arange(2, k + 2, dtype=np.float64))


def discount_sums(k: int) -> FloatArray:
    """The sum of the first n discounts, n = 0..k: shape (k + 1,)."""
    return np.concatenate([[0.0], np.cumsum(discounts(k))])


def dcg(grades: GradeArray, gains: FloatArray, k: int | None) -> FloatArray:
    """DCG at k of each ranking, unjudged documents gaining nothing.

    Parameters
    ----------
    grades
        int8, shape (N, depth).
    gains
        Gain of each grade 0..G, shape (G + 1,).
    k
        Cutoff; ranks after it are not looked at.

    Returns
    -------
    float64, shape (N,), from 0 up.

    >>> import numpy as np
    >>> dcg(np.array([[2, 0, 3, 1, 0]], dtype=np.int8), np.array([0.0, 1, 3, 7]), 5).round(3)
    array([6.931])
    """
    cut = grades[:, :k]
    return gains_at(cut, gains) @ discounts(cut.shape[1])


def ideal_dcg(judged_at_least: IntArray, gains: FloatArray, k: int) -> FloatArray:
    """DCG at k of the best ranking of the judged documents.

    A document of grade g adds gain(t) - gain(t-1) for each t = 1..g, so the ideal is a sum over
    grades of how many documents reach them.

    Parameters
    ----------
    judged_at_least
        int64, shape (N, G): judged documents with grade t or more, t = 1..G.

    Returns
    -------
    float64, shape (N,); 0 where nothing judged has a gain.
    """
    sums = discount_sums(k)
    return sums[np.minimum(judged_at_least, k)] @ np.diff(gains)


def _ndcg(rankings: JudgedRankings, setting: Setting) -> FloatArray:
    k = ideal_cutoff(rankings, setting)
    ideal = ideal_dcg(rankings.judged_at_least(), setting.gains, k)
    return ratio(dcg(rankings.grades, setting.gains, setting.k), ideal)


def _ndcg_bounds(rankings: JudgedRankings, setting: Setting) -> Bounds:
    """Exact."""
    cut = rankings.grades[:, : setting.k]
    k = ideal_cutoff(rankings, setting)
    discount = discounts(cut.shape[1])
    # Beyond k documents outside the ranking the ideal is full: more of them change nothing.
    outside = np.minimum(rankings.beside(setting.k), k)
    coefficients = np.where(is_unjudged(cut), discount, -np.inf)
    fillers = np.where(np.arange(outside.max(initial=0)) < outside[:, None], 0.0, -np.inf)
    return ratio_bounds(
        RatioProblem(
            coefficients=np.hstack([coefficients, fillers]),
            base=gains_at(cut, setting.gains) @ discount,
            judged_at_least=rankings.judged_at_least(),
            gains=setting.gains,
            ideal_sums=discount_sums(k),
        )
    )


def ideal_cutoff(rankings: JudgedRankings, setting: Setting) -> int:
    """Where the ideal is cut; without a cutoff it takes in every document of the query."""
    if setting.k is not None:
        return setting.k
    return int((rankings.judged.sum(axis=1) + rankings.unjudged).max(initial=1))


def _dcg(rankings: JudgedRankings, setting: Setting) -> FloatArray:
    return dcg(rankings.grades, setting.gains, setting.k)


def _dcg_bounds(rankings: JudgedRankings, setting: Setting) -> Bounds:
    """Exact: it rises with each grade."""
    best = hopeful(rankings.grades, rankings.top)
    return _dcg(rankings, setting), dcg(best, setting.gains, setting.k)


NDCG = Family(_ndcg, _ndcg_bounds)
DCG = Family(_dcg, _dcg_bounds)
