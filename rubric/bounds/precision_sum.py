"""Bounds of a mean over relevant documents of what each is worth alone and with those above it.

Average precision is such a mean, and so is its estimate infAP once everything is judged.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from rubric.arrays import BoolArray, FloatArray, IntArray, ratio
from rubric.bounds.difference import Difference, searched
from rubric.bounds.quadratic_form import Form, greatest
from rubric.bounds.tops import Tops
from rubric.counts import relevant
from rubric.rankings import JudgedRankings, is_unjudged
from rubric.setting import Bounds, ScoreBounds, Setting

WIDEST = 600
"""Unjudged documents of one query, in either top k, up to which a difference is looked at."""


@dataclass(frozen=True, eq=False)
class RankWorth:
    """What a relevant document at each rank adds to the sum once everything is judged.

    ``own`` by itself, ``pair`` with each relevant document above it: float64, shape (w,) each.
    """

    own: FloatArray
    pair: FloatArray


WorthOfRanks = Callable[[int], RankWorth]
"""The worth of the first w ranks."""


def mean_bounds(worth_of: WorthOfRanks) -> ScoreBounds:
    """The bounds of such a mean. Exact."""

    def bounds(rankings: JudgedRankings, how: Setting) -> Bounds:
        return _bounds(worth_of, rankings, how)

    return bounds


def mean_difference(worth_of: WorthOfRanks) -> Difference:
    """The bounds of a difference of two such means: the ratio of a quadratic form."""

    def forms(tops: Tops, _: Setting) -> Iterator[Form | None]:
        return _forms(tops, worth_of(tops.depth))

    return searched(forms, greatest)


def _bounds(worth_of: WorthOfRanks, rankings: JudgedRankings, how: Setting) -> Bounds:
    """For a given number of relevant ones among the unjudged documents retrieved.

    The sum is greatest where they stand first and least where they stand last; so each bound is the
    best over that number, with the documents outside all non-relevant or relevant.
    """
    found, holes = relevant(rankings, how), is_unjudged(rankings.grades[:, : how.k])
    known, beside = rankings.known(how.threshold), rankings.beside(how.k)
    worth = worth_of(found.shape[1])
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


def _sum_after(weights: FloatArray) -> FloatArray:
    """For each rank, the sum of the weights at later ranks."""
    after: FloatArray = weights.sum(axis=1, keepdims=True) - np.cumsum(weights, axis=1)
    return after


def _forms(tops: Tops, worth: RankWorth) -> Iterator[Form | None]:
    """First minus second, query by query; None where too much is unjudged."""
    (found, other), (open_, theirs) = tops.relevant, tops.open_
    lead = _by_itself(found, worth), _by_itself(other, worth)
    base = _total(found, worth) - _total(other, worth)
    own = worth.pair
    for row in range(len(found)):
        mine = np.flatnonzero(open_[row])
        rest = np.flatnonzero(theirs[row] & (tops.in_first[row] < 0))
        here = np.concatenate([mine, np.full(len(rest), -1)])
        there = np.concatenate([tops.in_second[row, mine], rest])
        if len(here) > WIDEST:
            yield None
            continue
        yield Form(
            base=float(base[row]),
            own=_at(lead[0][row], here) - _at(lead[1][row], there),
            pairs=_pairs(own, here) - _pairs(own, there),
            known=int(tops.known[row]),
            beside=int(tops.beside[row]),
        )


def _at(worth: FloatArray, ranks: IntArray) -> FloatArray:
    """The worth at each rank, 0 at -1."""
    return np.append(worth, 0.0)[ranks]


def _pairs(worth: FloatArray, ranks: IntArray) -> FloatArray:
    lower = np.maximum(ranks[:, None], ranks)
    held = (ranks >= 0)[:, None] & (ranks >= 0)
    np.fill_diagonal(held, val=False)
    return np.where(held, _at(worth, lower), 0.0)


def _by_itself(found: BoolArray, worth: RankWorth) -> FloatArray:
    """What one more relevant document at each rank adds to the known ones: shape (N, w)."""
    size = found.shape[1]
    above: IntArray = np.cumsum(found, axis=1) - found
    weights = np.where(found, worth.pair[:size], 0.0)
    below = weights.sum(axis=1, keepdims=True) - np.cumsum(weights, axis=1)
    return np.asarray(worth.own[:size] + above * worth.pair[:size] + below)


def _total(found: BoolArray, worth: RankWorth) -> FloatArray:
    size = found.shape[1]
    above: IntArray = np.cumsum(found, axis=1) - found
    each = worth.own[:size] + above * worth.pair[:size]
    return np.asarray(np.where(found, each, 0.0).sum(axis=1))
