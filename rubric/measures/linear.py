"""Measures that are a weighted sum of gains, or such a sum over an ideal: nDCG, DCG, P, R, RBP.

They share two things. A difference of two systems can be bounded exactly. And tied scores can be
averaged over all orders that they allow: every document of a tie then has the mean weight of the
ranks that the tie spans (McSherry and Najork 2008).
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from rubric.arrays import FloatArray, IntArray, ratio
from rubric.measures.family import Bounds, Setting
from rubric.measures.ndcg import discount_sums, discounts, ideal_cutoff, ideal_dcg
from rubric.measures.ratio_bounds import RatioProblem, ratio_bounds
from rubric.measures.user_models import patience
from rubric.rankings import JudgedRankings, gains_at, is_unjudged

LINEAR = ("nDCG", "DCG", "P", "R", "RBP")


def rank_weights(name: str, setting: Setting, depth: int) -> FloatArray:
    """What a unit of gain adds to the (undivided) score at each rank down to the cutoff, (w,)."""
    size = depth if setting.k is None else min(setting.k, depth)
    by_name: dict[str, Callable[[int], FloatArray]] = {
        "nDCG": discounts,
        "DCG": discounts,
        "P": lambda size: np.full(size, 1.0 / (setting.k or 1)),
        "R": np.ones,
        "RBP": lambda size: patience(size, setting.p) / (setting.gains.max() or 1.0),
    }
    return by_name[name](size)


def document_weights(name: str, setting: Setting, rankings: JudgedRankings) -> FloatArray:
    """The same for each document of each ranking, averaged over ties.

    Shape (N, w): no document behind the first w weighs anything.
    """
    count, depth = rankings.grades.shape
    weights = rank_weights(name, setting, depth)
    if rankings.tied is None or not depth:
        return np.broadcast_to(weights, (count, len(weights)))
    weights = np.concatenate([weights, np.zeros(depth - len(weights))])
    groups = rankings.tied + np.arange(len(rankings.grades))[:, None] * np.int64(depth)
    size = rankings.grades.size
    sums = np.bincount(
        groups.ravel(), np.broadcast_to(weights, groups.shape).ravel(), minlength=size
    )
    counts = np.bincount(groups.ravel(), minlength=size)
    shared = ratio(sums, counts, undefined=0.0)[groups]
    return shared[:, : int(np.flatnonzero(shared.any(axis=0)).max(initial=-1)) + 1]


def judged_sums(weights: FloatArray, rankings: JudgedRankings, gains: FloatArray) -> FloatArray:
    """The sum of gain times weight over the judged documents of each ranking: shape (N,)."""
    total: FloatArray = np.sum(
        gains_at(rankings.grades[:, : weights.shape[1]], gains) * weights, axis=1
    )
    return total


def ideal_sums(name: str, setting: Setting, rankings: JudgedRankings) -> FloatArray | None:
    """What the best n places of the ideal weigh together, None where nothing is divided by it."""
    if name == "nDCG":
        return discount_sums(ideal_cutoff(rankings, setting))
    if name == "R":
        most = int((rankings.judged.sum(axis=1) + rankings.unjudged).max(initial=0))
        return np.arange(most + 1, dtype=np.float64)
    return None


def score_of_ties(name: str, rankings: JudgedRankings, setting: Setting) -> FloatArray:
    """The mean score over all orders of tied documents: shape (N,), NaN where undefined."""
    weights = document_weights(name, setting, rankings)
    total = judged_sums(weights, rankings, setting.gains)
    if name == "nDCG":
        cutoff = ideal_cutoff(rankings, setting)
        return ratio(total, ideal_dcg(rankings.judged_at_least(), setting.gains, cutoff))
    if name == "R":
        return ratio(total, rankings.known(setting.threshold))
    return total


def bounds_of_ties(name: str, rankings: JudgedRankings, setting: Setting) -> Bounds:
    """The least and greatest mean over all orders of tied documents. Exact."""
    weights = document_weights(name, setting, rankings)
    open_ = is_unjudged(rankings.grades[:, : weights.shape[1]]) & (weights > 0)
    coefficients = np.where(open_, weights, -np.inf)
    base = judged_sums(weights, rankings, setting.gains)
    return weighted_bounds(name, rankings, setting, coefficients, base)


def weighted_bounds(
    name: str,
    rankings: JudgedRankings,
    setting: Setting,
    coefficients: FloatArray,
    base: FloatArray,
) -> Bounds:
    """Bounds of ``base`` + sum of coefficient times gain over the unjudged documents.

    Divided by the ideal where the measure is. ``coefficients`` has shape (N, u), -inf where a query
    has fewer; its other unjudged documents count for the ideal alone.
    """
    sums = ideal_sums(name, setting, rankings)
    given = ~np.isneginf(coefficients)
    if sums is None:
        spare = np.where(given, coefficients, 0.0) * setting.gains.max()
        return base + np.minimum(spare, 0).sum(axis=1), base + np.maximum(spare, 0).sum(axis=1)
    # Beyond what fills the ideal, more documents outside the rankings change nothing.
    count: IntArray = given.sum(axis=1)
    beside = np.clip(rankings.unjudged - count, 0, len(sums) - 1)
    fillers = np.where(np.arange(beside.max(initial=0)) < beside[:, None], 0.0, -np.inf)
    every = -np.sort(-np.hstack([coefficients, fillers]), axis=1)
    widest = int((count + beside).max(initial=0))
    return ratio_bounds(
        RatioProblem(every[:, :widest], base, rankings.judged_at_least(), setting.gains, sums)
    )
