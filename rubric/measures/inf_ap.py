"""infAP: average precision estimated from a partly judged pool (Yilmaz and Aslam 2006)."""

from __future__ import annotations

import numpy as np

from rubric.arrays import FloatArray, GradeArray, IntArray, ratio
from rubric.bounds.precision_sum import RankWorth, mean_bounds, mean_difference
from rubric.counts import above, found_at, known_of, ranks
from rubric.kind import REL, Cutoff, Equal, Kind
from rubric.rankings import UNJUDGED, JudgedRankings
from rubric.setting import Setting, Terms

EPSILON = 0.00001
"""The smoothing of trec_eval's infAP."""


def _inf_ap(rankings: JudgedRankings, how: Setting) -> FloatArray:
    """Yilmaz and Aslam 2006, in trec_eval's form: the pool is a sample, part of it judged.

    At a relevant document of rank r, with j = r - 1 documents above it, the expected precision is
    1/r + (j/r) * (pooled above / j) * (relevant above + e) / (judged above + 2e).
    """
    grades = rankings.grades
    found = grades >= how.threshold
    relevant_above: IntArray = np.cumsum(found, axis=1) - found
    judged_above: IntArray = np.cumsum(grades >= 0, axis=1) - (grades >= 0)
    pooled_above = judged_above + np.cumsum(grades == UNJUDGED, axis=1)
    ranks = np.arange(1, grades.shape[1] + 1)
    share = (relevant_above + EPSILON) / (judged_above + 2 * EPSILON)
    each = 1.0 / ranks + np.where(ranks > 1, pooled_above / ranks * share, 0.0)
    known = rankings.known(how.threshold)
    return ratio(np.where(found, each, 0.0).sum(axis=1), known)


def _worth(depth: int) -> RankWorth:
    """The worth of each rank once everything is judged, of which only the smoothing e is left.

    1/r + (r-1)/r * (above + e) / (r-1 + 2e), nothing at rank 1.
    """
    ranks = np.arange(1, depth + 1, dtype=np.float64)
    share = (ranks - 1) / ranks / (ranks - 1 + 2 * EPSILON)
    return RankWorth(1.0 / ranks + share * EPSILON, share)


def _terms(grades: GradeArray, ranking: JudgedRankings, how: Setting) -> Terms:
    found, rank = found_at(grades, how), ranks(grades)
    judged = above((grades >= 0).astype(np.float64))
    pooled = judged + np.cumsum(grades == UNJUDGED)
    share = (above(found) + EPSILON) / (judged + 2 * EPSILON)
    weight = 1.0 / rank + np.where(rank > 1, pooled / rank * share, 0.0)
    return found, weight, float(known_of(ranking, how))


INF_AP = Kind(
    name="infAP",
    says="average precision estimated from a partly judged pool",
    formula="mean over relevant of 1/r + (r-1)/r * pooled share * relevant share above",
    source="Yilmaz and Aslam 2006; trec_eval infAP",
    parameters=REL,
    cutoff=Cutoff.NONE,
    score=_inf_ap,
    bounds=mean_bounds(_worth),
    terms=_terms,
    difference=mean_difference(_worth),
    over_relevant=True,
    equals={"trec_eval": Equal(), "ir_measures": Equal()},
)
