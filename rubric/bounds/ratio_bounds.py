"""The exact least and greatest nDCG, or nDCG difference, over all gradings of unjudged documents.

"Unjudged documents are worth 0" is no lower bound for nDCG: a document graded later raises the
ideal too. For fixed numbers of documents that reach each grade the ideal is fixed, and the best
numerator gives the high grades to the documents with the largest coefficients. What remains is a
ratio over chains n(1) >= ... >= n(G), maximised by Dinkelbach's iteration (1967) with one dynamic
program a round, for all queries at once.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rubric.arrays import FloatArray, IntArray, ratio

_GROWTH = 1e-13
_ROUNDS = 100


@dataclass(frozen=True, eq=False)
class RatioProblem:
    """N queries, each asking for the extremes of one ratio.

    Parameters
    ----------
    coefficients
        float64, shape (N, u): the discount of each unjudged document in the ranking (for a
        difference of systems A and B, its discount in A minus that in B); -inf where a query has
        fewer documents. Unjudged documents that no ranking holds have coefficient 0.
    base
        float64, shape (N,): sum of gain times coefficient over the judged documents.
    judged_at_least
        int64, shape (N, G): judged documents of the query with grade t or more, t = 1..G.
    gains
        float64, shape (G + 1,).
    ideal_sums
        float64, shape (K + 1,): what the best n places of the ideal weigh together, n = 0..K; more
        than K documents weigh no more. For nDCG at k the sums of the first discounts, for recall
        the counts themselves.
    """

    coefficients: FloatArray
    base: FloatArray
    judged_at_least: IntArray
    gains: FloatArray
    ideal_sums: FloatArray


def ratio_bounds(problem: RatioProblem) -> tuple[FloatArray, FloatArray]:
    """Least and greatest ratio over all gradings under which it is defined: two arrays (N,).

    Exact. NaN where no grading makes the ideal positive.
    """
    return least_ratio(problem), _greatest(problem, problem.coefficients, problem.base)


def least_ratio(problem: RatioProblem) -> FloatArray:
    """The first of :func:`ratio_bounds` alone."""
    negated = np.where(np.isneginf(problem.coefficients), -np.inf, -problem.coefficients)
    return -_greatest(problem, negated, -problem.base)


def _greatest(problem: RatioProblem, coefficients: FloatArray, base: FloatArray) -> FloatArray:
    solver = _Solver(problem, coefficients, base)
    best = solver.start()
    open_rows = np.flatnonzero(np.isfinite(best))
    for _ in range(_ROUNDS):
        if not len(open_rows):
            break
        found = solver.improve(open_rows, best[open_rows])
        grows = found > best[open_rows] + _GROWTH
        open_rows = open_rows[grows]
        best[open_rows] = found[grows]
    return best


class _Solver:
    """Dinkelbach's iteration: each round maximises numerator - ratio * ideal over the chains."""

    def __init__(self, problem: RatioProblem, coefficients: FloatArray, base: FloatArray) -> None:
        self.steps = np.diff(problem.gains)
        self.base = base
        ordered = -np.sort(-coefficients, axis=1)
        self.count = np.sum(~np.isneginf(ordered), axis=1)
        width = ordered.shape[1] + 1
        self.places = np.arange(width)
        sums = np.zeros((len(base), width))
        np.cumsum(np.where(np.isneginf(ordered), 0.0, ordered), axis=1, out=sums[:, 1:])
        self.sums = sums
        reach = problem.judged_at_least[:, :, None] + self.places
        self.ideals = problem.ideal_sums[np.minimum(reach, len(problem.ideal_sums) - 1)]

    def start(self) -> FloatArray:
        """The ratio of one grading with a positive ideal: all 0, else all at the top grade."""
        rows = np.arange(len(self.base))
        best = np.full(len(self.base), np.nan)
        for count in (self.count, np.zeros_like(self.count)):
            numerator, ideal = self._ratio(rows, [count] * len(self.steps))
            defined = ideal > 0
            best[defined] = numerator[defined] / ideal[defined]
        return best

    def improve(self, rows: IntArray, trial: FloatArray) -> FloatArray:
        """The ratio of the chain that is best against ``trial``; -inf if its ideal is 0."""
        chain = self._best_chain(rows, trial)
        numerator, ideal = self._ratio(rows, chain)
        return ratio(numerator, ideal, undefined=-np.inf)

    def _best_chain(self, rows: IntArray, trial: FloatArray) -> list[IntArray]:
        beyond = self.places > self.count[rows, None]
        worth = np.zeros((len(rows), len(self.places)))
        choices = []
        for level in reversed(range(len(self.steps))):
            step = self.sums[rows] - trial[:, None] * self.ideals[rows, level]
            worth = np.where(beyond, -np.inf, worth + self.steps[level] * step)
            peak = np.maximum.accumulate(worth, axis=1)
            choices.append(np.maximum.accumulate(np.where(worth == peak, self.places, 0), axis=1))
            worth = peak
        at, every, chain = self.count[rows], np.arange(len(rows)), []
        for choice in reversed(choices):
            at = choice[every, at]
            chain.append(at)
        return chain

    def _ratio(self, rows: IntArray, chain: list[IntArray]) -> tuple[FloatArray, FloatArray]:
        numerator = self.base[rows].copy()
        ideal = np.zeros(len(rows))
        for level, step in enumerate(self.steps):
            numerator += step * self.sums[rows, chain[level]]
            ideal += step * self.ideals[rows, level, chain[level]]
        return numerator, ideal
