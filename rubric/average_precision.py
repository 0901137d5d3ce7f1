"""Average precision, with exact bounds in one pass over the ranks."""

from __future__ import annotations

import numpy as np

from rubric.arrays import BoolArray, FloatArray, IntArray, ratio
from rubric.binary import relevant
from rubric.families import Bounds, Family, Setting
from rubric.rankings import JudgedRankings, is_unjudged, place_in_row


def _average_precision(rankings: JudgedRankings, setting: Setting) -> FloatArray:
    """Mean over the relevant judged documents of precision at their rank (trec_eval map).

    A relevant document that was not retrieved (in the top k) counts 0.
    """
    return ratio(_total(relevant(rankings, setting)), rankings.known(setting.threshold))


def _bounds(rankings: JudgedRankings, setting: Setting) -> Bounds:
    """Exact. For a given number of relevant ones among the unjudged documents retrieved, the sum
    of precisions is greatest where they stand first and least where they stand last; so each
    bound is the best over that number, with the documents outside all non-relevant or relevant.
    """  # noqa: D205 -- one thought
    found, holes = relevant(rankings, setting), is_unjudged(rankings.grades[:, : setting.k])
    known, beside = rankings.known(setting.threshold), rankings.beside(setting.k)
    weight = 1.0 / np.arange(1, found.shape[1] + 1)
    counts = np.cumsum(found, axis=1)
    above: IntArray = counts - found
    below = _sum_after(np.where(found, weight, 0.0))
    taken: IntArray = np.cumsum(holes, axis=1) - holes
    first = np.where(holes, (above + taken + 1) * weight + below, 0.0)
    below_all = _sum_after(np.where(found | holes, weight, 0.0))
    last = np.where(holes, (above + 1) * weight + below_all, 0.0)
    start = _total(found)
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


AP = Family(_average_precision, _bounds)
