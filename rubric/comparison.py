"""Two systems on one measure: the difference, what it could still become, and a verdict."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from rubric.arrays import BoolArray, FloatArray, IntArray
from rubric.differences import Pair, difference_bounds
from rubric.evaluate import Rules, Scores, evaluate
from rubric.measures import Measure
from rubric.rankings import is_unjudged
from rubric.significance import bootstrap_interval, effect_size, randomisation_test
from rubric.summary import mean_bounds

LEVEL = 0.05
_EQUAL = 1e-12


class Verdict(StrEnum):
    """What the labels say about two systems on these queries."""

    PROVED = "proved"
    SUPPORTED = "supported"
    EQUAL = "equal"
    UNDECIDED = "not decidable with these labels"


@dataclass(frozen=True, eq=False)
class Comparison:
    """First minus second on one measure; None stands for "undefined".

    Parameters
    ----------
    value
        The mean difference, if no grading of the unjudged documents could change it.
    lower, upper
        Its bounds over all gradings.
    estimate
        The mean of the per-query point differences (value, else condensed scores).
    zero_filled
        The mean difference with unjudged documents counted as grade 0.
    wins, losses, ties
        Queries by the sign of the point difference.
    p_value, ci95, effect
        Paired randomisation test, paired bootstrap interval and effect size of the point
        differences: about other queries than these.
    unjudged
        Unjudged documents in either top k, each counted once.
    per_query, query_lower, query_upper
        float64, shape (N,): point differences and bounds, NaN where undefined.
    query_unjudged
        int64, shape (N,): ``unjudged`` of each query.
    """

    measure: Measure
    value: float | None
    lower: float | None
    upper: float | None
    estimate: float | None
    zero_filled: float | None
    wins: int
    losses: int
    ties: int
    p_value: float | None
    ci95: tuple[float, float] | None
    effect: float | None
    unjudged: int
    per_query: FloatArray
    query_lower: FloatArray
    query_upper: FloatArray
    query_unjudged: IntArray

    def verdict(self, p_value: float | None = None) -> Verdict:
        """The verdict, with a p value adjusted for many tests if one is given.

        Proved: the bounds exclude 0. Equal: they are 0. Supported: the estimate's test and interval
        exclude 0, on labels that leave some documents unjudged.
        """
        p = self.p_value if p_value is None else p_value
        if self.lower is None or self.upper is None:
            return Verdict.UNDECIDED
        if self.lower > _EQUAL or self.upper < -_EQUAL:
            return Verdict.PROVED
        if self.lower >= -_EQUAL and self.upper <= _EQUAL:
            return Verdict.EQUAL
        sure = self.ci95 is not None and (self.ci95[0] > 0 or self.ci95[1] < 0)
        return Verdict.SUPPORTED if sure and p is not None and p < LEVEL else Verdict.UNDECIDED


def compare(
    measure: Measure, pair: Pair, rules: Rules | None = None, *, seed: int = 0
) -> Comparison:
    """Compare two systems on one measure over N queries.

    A query counts if the measure is defined for it by the labels there are (both systems have the
    same judged documents, so it is defined for both or neither); the bounds take in the queries
    that may yet turn out to count.
    """
    rules = rules or Rules()
    first, second = (evaluate(measure, one, rules) for one in (pair.first, pair.second))
    lower, upper = difference_bounds(measure, pair, rules, first, second)
    doubtful = first.doubtful | second.doubtful
    least, most = mean_bounds(lower, upper, doubtful & ~np.isnan(lower))
    points = _points(first, second, lower, upper, doubtful)
    counted = points[~np.isnan(points)]
    settled = least is not None and most is not None and most - least <= _EQUAL
    zero_filled = first.zero_filled - second.zero_filled
    unjudged = _unjudged(pair, measure.k)
    return Comparison(
        measure=measure,
        value=_mean(zero_filled) if settled and not doubtful.any() else None,
        lower=least,
        upper=most,
        estimate=_mean(points),
        zero_filled=_mean(zero_filled),
        wins=int(np.sum(counted > _EQUAL)),
        losses=int(np.sum(counted < -_EQUAL)),
        ties=int(np.sum(np.abs(counted) <= _EQUAL)),
        p_value=randomisation_test(counted, seed=seed),
        ci95=bootstrap_interval(counted, seed=seed),
        effect=effect_size(counted),
        unjudged=int(unjudged.sum()),
        per_query=points,
        query_lower=lower,
        query_upper=upper,
        query_unjudged=unjudged,
    )


def _points(
    first: Scores, second: Scores, lower: FloatArray, upper: FloatArray, doubtful: BoolArray
) -> FloatArray:
    """The settled difference where there is one, else the difference of the condensed scores."""
    settled = (upper - lower <= _EQUAL) & ~doubtful
    return np.where(
        settled, first.zero_filled - second.zero_filled, first.condensed - second.condensed
    )


def _unjudged(pair: Pair, k: int | None) -> IntArray:
    """Unjudged documents of each query in either top k, those in both once."""
    first, second = (is_unjudged(one.grades[:, :k]) for one in (pair.first, pair.second))
    place = pair.place_in_second[:, :k]
    shared = first & (place >= 0) & (place < second.shape[1])
    count: IntArray = first.sum(axis=1) + second.sum(axis=1) - shared.sum(axis=1)
    return count


def _mean(points: FloatArray) -> float | None:
    counted = points[~np.isnan(points)]
    return float(counted.mean()) if len(counted) else None
