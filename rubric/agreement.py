"""How far several assessors agree on the grades of the same pairs, with intervals over queries.

The labels of one query are alike, so intervals come from resampled queries: resampled pairs would
make them several times too narrow. None of these numbers is a pass mark. Alpha and kappa are low
wherever nearly all grades are equal, however careful the assessors are.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple, TypeAlias

import numpy as np

from rubric.arrays import FloatArray, IntArray, ratio

RESAMPLES = 1000
LEAST_QUERIES = 5
"""Of fewer queries a bootstrap says next to nothing: there is no interval then."""

Statistic: TypeAlias = Callable[[FloatArray], FloatArray]
"""From tables, shape (..., K, K), to one number each; NaN where it is undefined."""


class Estimate(NamedTuple):
    """A statistic and its 95% interval by the Bayesian bootstrap over queries (Rubin 1981).

    ``value`` is None where it is undefined: nobody varied, or no pair was graded twice. ``low`` and
    ``high`` are None with fewer than five queries, or where most resamples leave it undefined.
    """

    value: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True)
class PairAgreement:
    """Two assessors on the pairs that both graded.

    Parameters
    ----------
    first, second
        The rows of the two assessors.
    pairs, queries
        How many pairs both graded, and in how many queries.
    confusion
        int, shape (G + 1, G + 1): how often the first gave the row's grade and the second the
        column's.
    same, within_one
        Shares of pairs with equal grades, and with grades at most one apart, in 0..1.
    binary_kappa
        Kappa of "relevant or not" (Cohen 1960), from -1 to 1.
    weighted_kappa
        Kappa with quadratic weights (Cohen 1968), from -1 to 1.
    alpha
        Alpha for ordinal grades (Krippendorff 2011), at most 1.
    mean_difference
        Mean grade of the second less that of the first: above 0 the first is stricter.
    """

    first: int
    second: int
    pairs: int
    queries: int
    confusion: IntArray
    same: Estimate
    within_one: Estimate
    binary_kappa: Estimate
    weighted_kappa: Estimate
    alpha: Estimate
    mean_difference: Estimate


@dataclass(frozen=True)
class Agreement:
    """All assessors together, on the pairs that at least two of them graded.

    ``same`` and ``within_one`` are shares of the pairs of grades, where a pair that m assessors
    graded counts m times, as it does for ``alpha``. ``by_query``, float64, has alpha of each query,
    NaN where it is undefined. ``each`` has every two assessors, those without a common pair too.
    """

    pairs: int
    queries: int
    same: Estimate
    within_one: Estimate
    alpha: Estimate
    by_query: FloatArray
    each: tuple[PairAgreement, ...]


def agreement(
    grades: IntArray, queries: IntArray, *, highest: int, threshold: int = 1, seed: int = 0
) -> Agreement:
    """Compare the grades that several assessors gave.

    Parameters
    ----------
    grades
        int, shape (A, N): the grade that each of A assessors gave each of N pairs, 0..``highest``,
        or -1 where an assessor gave none.
    queries
        int, shape (N,): the query of each pair, numbered from 0.
    highest
        The highest grade of the scale.
    threshold
        The lowest grade that counts as relevant, for binary kappa.
    seed
        Of the bootstrap.

    Raises
    ------
    ValueError
        If a grade is above ``highest``.
    """
    if grades.size and grades.max() > highest:
        raise ValueError(f"a grade is above {highest}, the highest of the scale")
    number, scale = int(queries.max(initial=-1)) + 1, highest + 1
    weights = np.random.default_rng(seed).standard_exponential((RESAMPLES, number))
    tables = _coincidences(grades, queries, number, scale)
    shared = (grades >= 0).sum(axis=0) > 1
    counted = _Resampled(tables, weights)
    estimate = counted.estimate
    return Agreement(
        pairs=int(shared.sum()),
        queries=counted.queries,
        same=estimate(partial(_share, apart=0)),
        within_one=estimate(partial(_share, apart=1)),
        alpha=estimate(alpha),
        by_query=alpha(tables),
        each=tuple(
            _two(first, second, grades, queries, weights, scale, threshold)
            for first in range(len(grades))
            for second in range(first + 1, len(grades))
        ),
    )


def _two(
    first: int,
    second: int,
    grades: IntArray,
    queries: IntArray,
    weights: FloatArray,
    scale: int,
    threshold: int,
) -> PairAgreement:
    """Compare two assessors, on the pairs that both graded."""
    one, two = grades[first], grades[second]
    both = np.flatnonzero((one >= 0) & (two >= 0))
    at = (queries[both] * scale + one[both]) * scale + two[both]
    tables = np.bincount(at, minlength=weights.shape[1] * scale**2).reshape(-1, scale, scale)
    counted = _Resampled(tables.astype(np.float64), weights)
    estimate = counted.estimate
    return PairAgreement(
        first,
        second,
        pairs=len(both),
        queries=counted.queries,
        confusion=tables.sum(axis=0),
        same=estimate(partial(_share, apart=0)),
        within_one=estimate(partial(_share, apart=1)),
        binary_kappa=estimate(partial(_binary_kappa, threshold=threshold)),
        weighted_kappa=estimate(weighted_kappa),
        alpha=estimate(lambda counts: alpha(counts + counts.swapaxes(-1, -2))),
        mean_difference=estimate(_mean_difference),
    )


class _Resampled:
    """Tables of queries, shape (Q, K, K), added up: as they are, and with resampled queries."""

    def __init__(self, tables: FloatArray, weights: FloatArray) -> None:
        scale = tables.shape[1]
        given = np.flatnonzero(tables.any(axis=(1, 2)))
        chosen = weights if len(given) == len(tables) else weights[:, given]
        self.queries = len(given)
        self.whole = tables.sum(axis=0)
        drawn = (chosen @ tables[given].reshape(-1, scale**2)).reshape(-1, scale, scale)
        total = ratio(np.full(len(drawn), self.whole.sum()), drawn.sum(axis=(1, 2)))
        self.drawn = drawn * total[:, None, None]

    def estimate(self, statistic: Statistic) -> Estimate:
        """Give a statistic of the whole, with its interval."""
        value = float(statistic(self.whole))
        if np.isnan(value):
            return Estimate(None, None, None)
        drawn = statistic(self.drawn)
        drawn = drawn[~np.isnan(drawn)]
        if self.queries < LEAST_QUERIES or 2 * len(drawn) < RESAMPLES:
            return Estimate(value, None, None)
        low, high = np.percentile(drawn, [2.5, 97.5])
        return Estimate(value, float(low), float(high))


def _coincidences(grades: IntArray, queries: IntArray, number: int, scale: int) -> FloatArray:
    """Each grade of a pair beside each other grade of it, by query: shape (Q, K, K).

    A pair with m grades counts m times (Krippendorff 2011).
    """
    counts = np.stack([(grades == grade).sum(axis=0) for grade in range(scale)], axis=1)
    beside = ratio(np.ones(len(queries)), counts.sum(axis=1) - 1.0, 0.0)
    tables = np.zeros((number, scale, scale))
    for row in range(scale):
        for column in range(scale):
            both = counts[:, row] * (counts[:, column] - (row == column)) * beside
            tables[:, row, column] = np.bincount(queries, weights=both, minlength=number)
    return tables


def alpha(coincidences: FloatArray) -> FloatArray:
    """Krippendorff's alpha for ordinal grades, of symmetric tables of coincidences (..., K, K).

    The distance of two grades is the number of grades given between them, half of each end's
    (Krippendorff 2011, "Computing Krippendorff's alpha-reliability", section on ordinal data).
    NaN where all grades are equal.
    """
    given = coincidences.sum(axis=-1)
    upto = given.cumsum(axis=-1) - given / 2
    distance = (upto[..., :, None] - upto[..., None, :]) ** 2
    seen = (coincidences * distance).sum(axis=(-1, -2))
    product = given[..., :, None] * given[..., None, :]
    expected = (product * distance).sum(axis=(-1, -2))
    return 1 - ratio(seen * (given.sum(axis=-1) - 1), expected)


def weighted_kappa(tables: FloatArray) -> FloatArray:
    """Cohen's kappa with quadratic weights, of tables (..., K, K); NaN where nobody varies.

    Of two rows and columns it is Cohen's plain kappa.
    """
    grades = np.arange(tables.shape[-1])
    weight = np.subtract.outer(grades, grades) ** 2.0
    rows, columns = tables.sum(axis=-1), tables.sum(axis=-2)
    expected = (rows[..., :, None] * columns[..., None, :] * weight).sum(axis=(-1, -2))
    seen = (tables * weight).sum(axis=(-1, -2)) * rows.sum(axis=-1)
    return 1 - ratio(seen, expected)


def _binary_kappa(tables: FloatArray, *, threshold: int) -> FloatArray:
    ends = np.array([0, max(1, min(threshold, tables.shape[-1] - 1))])
    halves = np.add.reduceat(np.add.reduceat(tables, ends, axis=-1), ends, axis=-2)
    return weighted_kappa(halves)


def _share(tables: FloatArray, *, apart: int) -> FloatArray:
    grades = np.arange(tables.shape[-1])
    near = np.abs(np.subtract.outer(grades, grades)) <= apart
    return ratio((tables * near).sum(axis=(-1, -2)), tables.sum(axis=(-1, -2)))


def _mean_difference(tables: FloatArray) -> FloatArray:
    grades = np.arange(tables.shape[-1])
    more = np.subtract.outer(grades, grades).T
    return ratio((tables * more).sum(axis=(-1, -2)), tables.sum(axis=(-1, -2)))
