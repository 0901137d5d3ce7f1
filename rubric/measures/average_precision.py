"""Average precision and its estimate infAP, with exact bounds in one pass over the ranks."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rubric.arrays import BoolArray, FloatArray, IntArray, ratio
from rubric.measures.binary import relevant
from rubric.measures.family import Bounds, Family, Setting
from rubric.rankings import UNJUDGED, JudgedRankings, is_unjudged, place_in_row

EPSILON = 0.00001
"""The smoothing of trec_eval's infAP."""


@dataclass(frozen=True, eq=False)
class RankWorth:
    """What a relevant document at each rank adds to the sum once everything is judged.

    ``own`` by itself, ``pair`` with each relevant document above it: float64, shape (w,) each.
    """

    own: FloatArray
    pair: FloatArray


def rank_worth(name: str, depth: int) -> RankWorth:
    """The worth of each rank in AP or infAP, of which only the smoothing e is left.

    AP: (1 + above) / rank. infAP: 1/r + (r-1)/r * (above + e) / (r-1 + 2e), nothing at rank 1.
    """
    ranks = np.arange(1, depth + 1, dtype=np.float64)
    if name == "AP":
        return RankWorth(1.0 / ranks, 1.0 / ranks)
    share = (ranks - 1) / ranks / (ranks - 1 + 2 * EPSILON)
    return RankWorth(1.0 / ranks + share * EPSILON, share)


def _average_precision(rankings: JudgedRankings, setting: Setting) -> FloatArray:
    """Mean over the relevant judged documents of precision at their rank (trec_eval map).

    A relevant document that was not retrieved (in the top k) counts 0.
    """
    return ratio(_total(relevant(rankings, setting)), rankings.known(setting.threshold))


def _inf_ap(rankings: JudgedRankings, setting: Setting) -> FloatArray:
    """Yilmaz and Aslam 2006, in trec_eval's form: the pool is a sample, part of it judged.

    At a relevant document of rank r, with j = r - 1 documents above it, the expected precision is
    1/r + (j/r) * (pooled above / j) * (relevant above + e) / (judged above + 2e).
    """
    grades = rankings.grades
    found = grades >= setting.threshold
    relevant_above: IntArray = np.cumsum(found, axis=1) - found
    judged_above: IntArray = np.cumsum(grades >= 0, axis=1) - (grades >= 0)
    pooled_above = judged_above + np.cumsum(grades == UNJUDGED, axis=1)
    ranks = np.arange(1, grades.shape[1] + 1)
    share = (relevant_above + EPSILON) / (judged_above + 2 * EPSILON)
    each = 1.0 / ranks + np.where(ranks > 1, pooled_above / ranks * share, 0.0)
    known = rankings.known(setting.threshold)
    return ratio(np.where(found, each, 0.0).sum(axis=1), known)


def _bounds(name: str, rankings: JudgedRankings, setting: Setting) -> Bounds:
    """Exact. For a given number of relevant ones among the unjudged documents retrieved, the sum
    is greatest where they stand first and least where they stand last; so each bound is the best
    over that number, with the documents outside all non-relevant or relevant.
    """  # noqa: D205 -- one thought
    found, holes = relevant(rankings, setting), is_unjudged(rankings.grades[:, : setting.k])
    known, beside = rankings.known(setting.threshold), rankings.beside(setting.k)
    worth = rank_worth(name, found.shape[1])
    counts = np.cumsum(found, axis=1)
    above: IntArray = counts - found
    below = _sum_after(np.where(found, worth.pair, 0.0))
    taken: IntArray = np.cumsum(holes, axis=1) - holes
    first = np.where(holes, worth.own + (above + taken) * worth.pair + below, 0.0)
    below_all = _sum_after(np.where(found | holes, worth.pair, 0.0))
    last = np.where(holes, worth.own + above * worth.pair + below_all, 0.0)
    start = np.where(found, worth.own + above * worth.pair, 0.0).sum(axis=1)
    lower = _extreme(start, last[:, ::-1], holes[:, ::-1], known + beside, np.fmin)
    upper = _extreme(start, first, holes, known, np.fmax)
    # Where the documents outside are the only ones that could be relevant, AP is 0.
    return lower, np.where(np.isnan(upper) & (beside > 0), 0.0, upper)


def _extreme(
    start: FloatArray, steps: FloatArray, holes: BoolArray, known: IntArray, best: np.ufunc
) -> FloatArray:
    """The best of (start + first m steps) / (known + m) over m."""
    sums = start[:, None] + np.cumsum(steps, axis=1)
    more = np.cumsum(holes, axis=1)
    values = ratio(sums, known[:, None] + more)
    values = np.where(holes, values, np.nan)
    found: FloatArray = best(ratio(start, known), best.reduce(values, axis=1, initial=np.nan))
    return found


def _total(found: BoolArray) -> FloatArray:
    """The sum of precision at each relevant rank."""
    rows, ranks = np.nonzero(found)
    precision = ratio(place_in_row(rows, len(found)) + 1, ranks + 1)
    return np.bincount(rows, weights=precision, minlength=len(found)).astype(np.float64)


def _sum_after(weights: FloatArray) -> FloatArray:
    """For each rank, the sum of the weights at later ranks."""
    after: FloatArray = weights.sum(axis=1, keepdims=True) - np.cumsum(weights, axis=1)
    return after


AP = Family(_average_precision, lambda rankings, setting: _bounds("AP", rankings, setting))
INF_AP = Family(_inf_ap, lambda rankings, setting: _bounds("infAP", rankings, setting))
