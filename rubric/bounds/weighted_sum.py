"""Measures that are a sum of gain times weight, or such a sum over an ideal.

They share two things. A difference of two systems can be bounded exactly. And tied scores can be
averaged over all orders that they allow: every document of a tie then has the mean weight of the
ranks that the tie spans (McSherry and Najork 2008).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from rubric.arrays import FloatArray, GradeArray, IntArray, ratio
from rubric.bounds.difference import Difference, DifferenceBounds
from rubric.bounds.pair import Pair
from rubric.bounds.ratio_bounds import RatioProblem, ratio_bounds
from rubric.rankings import JudgedRankings, gains_at, is_unjudged
from rubric.setting import Bounds, Setting, Terms


@dataclass(frozen=True, eq=False)
class WeightedSum:
    """Such a measure; from its two functions all else follows.

    Parameters
    ----------
    at_ranks
        From the setting and a number of ranks w, not beyond the cutoff: what a unit of gain adds
        at each, shape (w,), never rising.
    ideal
        From the setting and how many documents a query has at the most: what the best n places of
        the ideal weigh together, n = 0..K, shape (K + 1,); more weigh no more. None where the sum
        is not divided.
    """

    at_ranks: Callable[[Setting, int], FloatArray]
    ideal: Callable[[Setting, int], FloatArray] | None = None

    def rank_weights(self, how: Setting, depth: int) -> FloatArray:
        """What a unit of gain adds to the (undivided) sum at each rank to the cutoff: (w,)."""
        return self.at_ranks(how, depth if how.k is None else min(how.k, depth))

    def document_weights(self, how: Setting, rankings: JudgedRankings) -> FloatArray:
        """The weight of each document of each ranking, averaged over ties.

        Shape (N, w): no document behind the first w weighs anything.
        """
        count, depth = rankings.grades.shape
        weights = self.rank_weights(how, depth)
        if rankings.tied is None or not depth:
            return np.broadcast_to(weights, (count, len(weights)))
        weights = np.concatenate([weights, np.zeros(depth - len(weights))])
        groups = rankings.tied + np.arange(count)[:, None] * np.int64(depth)
        size = rankings.grades.size
        every = np.broadcast_to(weights, groups.shape).ravel()
        sums = np.bincount(groups.ravel(), every, minlength=size)
        counts = np.bincount(groups.ravel(), minlength=size)
        shared = ratio(sums, counts, undefined=0.0)[groups]
        return shared[:, : int(np.flatnonzero(shared.any(axis=0)).max(initial=-1)) + 1]

    def ideal_sums(self, how: Setting, rankings: JudgedRankings) -> FloatArray | None:
        """What the best n places of the ideal weigh together; None where nothing is divided."""
        if self.ideal is None:
            return None
        return self.ideal(
            how, int((rankings.judged.sum(axis=1) + rankings.unjudged).max(initial=1))
        )

    def of_ideal(self, how: Setting, rankings: JudgedRankings) -> FloatArray | None:
        """The sum that the best ranking of the judged documents has, (N,)."""
        sums = self.ideal_sums(how, rankings)
        if sums is None:
            return None
        return ideal_of(rankings.judged_at_least(), how.gains, sums)

    def score(self, rankings: JudgedRankings, how: Setting) -> FloatArray:
        """The score of each ranking, averaged over ties: shape (N,), NaN where undefined."""
        if rankings.tied is None:
            cut = rankings.grades[:, : how.k]
            total = gains_at(cut, how.gains) @ self.at_ranks(how, cut.shape[1])
        else:
            total = judged_sums(self.document_weights(how, rankings), rankings, how.gains)
        best = self.of_ideal(how, rankings)
        return total if best is None else ratio(total, best)

    def bounds(self, rankings: JudgedRankings, how: Setting) -> Bounds:
        """The least and greatest such score. Exact."""
        weights = self.document_weights(how, rankings)
        open_ = is_unjudged(rankings.grades[:, : weights.shape[1]]) & (weights > 0)
        coefficients = np.where(open_, weights, -np.inf)
        base = judged_sums(weights, rankings, how.gains)
        return self.bounds_of(rankings, how, coefficients, base)

    def bounds_of(
        self, rankings: JudgedRankings, how: Setting, coefficients: FloatArray, base: FloatArray
    ) -> Bounds:
        """Bounds of ``base`` + sum of coefficient times gain over the unjudged documents.

        Divided by the ideal where the measure is. ``coefficients`` has shape (N, u), -inf where a
        query has fewer; its other unjudged documents count for the ideal alone.
        """
        sums = self.ideal_sums(how, rankings)
        given = ~np.isneginf(coefficients)
        if sums is None:
            spare = np.where(given, coefficients, 0.0) * how.gains.max()
            return base + np.minimum(spare, 0).sum(axis=1), base + np.maximum(spare, 0).sum(axis=1)
        # Beyond what fills the ideal, more documents outside the rankings change nothing.
        count: IntArray = given.sum(axis=1)
        beside = np.clip(rankings.unjudged - count, 0, len(sums) - 1)
        fillers = np.where(np.arange(beside.max(initial=0)) < beside[:, None], 0.0, -np.inf)
        every = -np.sort(-np.hstack([coefficients, fillers]), axis=1)
        widest = int((count + beside).max(initial=0))
        return ratio_bounds(
            RatioProblem(every[:, :widest], base, rankings.judged_at_least(), how.gains, sums)
        )

    @property
    def difference(self) -> Difference:
        """The bounds of a difference: those of one such sum, with weights of the pair. Exact."""
        return Difference("exact", self._difference_bounds)

    def _difference_bounds(self, pair: Pair, how: Setting) -> DifferenceBounds:
        lower, upper = self.bounds_of(pair.first, how, *self._combined(pair, how))
        return DifferenceBounds(lower, upper, np.ones(len(lower), dtype=np.bool_))

    def _combined(self, pair: Pair, how: Setting) -> tuple[FloatArray, FloatArray]:
        """Each unjudged document's weight in the first minus in the second, and the judged sum."""
        here = self.document_weights(how, pair.first)
        there = self.document_weights(how, pair.second)
        first = pair.first.grades[:, : here.shape[1]]
        second = pair.second.grades[:, : there.shape[1]]
        place = pair.place_in_second[:, : here.shape[1]]
        rows, ranks = np.nonzero((place >= 0) & (place < there.shape[1]))
        shared = np.zeros(first.shape)
        shared[rows, ranks] = there[rows, place[rows, ranks]]
        in_first = np.zeros(second.shape, dtype=np.bool_)
        in_first[rows, place[rows, ranks]] = True
        base = judged_sums(here, pair.first, how.gains) - judged_sums(there, pair.second, how.gains)
        own = np.where(is_unjudged(first) & ((here != 0) | (shared != 0)), here - shared, -np.inf)
        others = np.where(is_unjudged(second) & ~in_first & (there != 0), -there, -np.inf)
        return np.hstack([own, others]), base

    def terms(self, grades: GradeArray, ranking: JudgedRankings, how: Setting) -> Terms:
        """What each rank of one ranking adds, from the grades of its top k: shape (n,)."""
        best = self.of_ideal(how, ranking)
        norm = 1.0 if best is None else float(best[0])
        return gains_at(grades, how.gains), self.at_ranks(how, len(grades)), norm


def judged_sums(weights: FloatArray, rankings: JudgedRankings, gains: FloatArray) -> FloatArray:
    """The sum of gain times weight over the judged documents of each ranking: shape (N,)."""
    gained = gains_at(rankings.grades[:, : weights.shape[1]], gains)
    total: FloatArray = np.sum(gained * weights, axis=1)
    return total


def ideal_of(at_least: IntArray, gains: FloatArray, sums: FloatArray) -> FloatArray:
    """The sum of the best ranking of documents, ``at_least`` of which reach each grade 1..G.

    A document of grade g adds gain(t) - gain(t-1) for each t = 1..g, so the ideal is a sum over
    grades of how many documents reach them. ``at_least`` has shape (..., G), the result (...).
    """
    best: FloatArray = sums[np.minimum(at_least, len(sums) - 1)] @ np.diff(gains)
    return best
