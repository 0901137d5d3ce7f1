"""One system over all queries: never the mean alone."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rubric.arrays import BoolArray, FloatArray, IntArray
from rubric.evaluation.scores import Scores
from rubric.model.expectation import Estimate, mean_over_queries
from rubric.results.significance import bootstrap_interval
from rubric.weights import mean, percentiles, unequal

_EQUAL = 1e-12


@dataclass(frozen=True)
class Summary:
    """A measure's numbers for one system; None stands for "undefined", never 0 or NaN.

    Parameters
    ----------
    value
        The mean, if no grading of the unjudged documents could change it, else None.
    lower, upper
        Exact bounds of the mean.
    condensed, zero_filled
        Means over the queries that are defined by the labels there are.
    p10, p25, median, p75, ci95
        Of the value of each query, or its expected (else zero-filled) score where it has none: 10th
        percentile, quartiles, and a percentile bootstrap interval of the mean, which takes in the
        doubt about drawn grades.
    judged, unjudged
        Share of the top-k places that are judged, and how many are not.
    scored, undefined
        Queries in the mean, and queries left out of it.
    residual
        Mean residual, for RBP only.
    expected, expected95
        What the mean over these queries is expected to be once everything is judged, and the 95%
        interval of that; the value itself where there is one. None where nothing was drawn.
    """

    value: float | None
    lower: float | None
    upper: float | None
    condensed: float | None
    zero_filled: float | None
    p10: float | None
    p25: float | None
    median: float | None
    p75: float | None
    ci95: tuple[float, float] | None
    judged: float | None
    unjudged: int
    scored: int
    undefined: int
    residual: float | None = None
    expected: float | None = None
    expected95: tuple[float, float] | None = None

    @property
    def point(self) -> float | None:
        """The one number to sort by: the value, else what is expected, else zero-filled."""
        guess = self.zero_filled if self.expected is None else self.expected
        return guess if self.value is None else self.value


def summarise(
    scores: Scores,
    *,
    draws: FloatArray | None = None,
    weights: FloatArray | None = None,
    seed: int = 0,
) -> Summary:
    """Summarise one system's scores over its N queries.

    ``draws`` (D, N) are the scores under each draw of the grades of unjudged documents, if any.
    ``weights`` (N,) say how much each query counts (:mod:`rubric.weights`): in means, their bounds
    and intervals, and percentiles; what is judged and the counts of queries go by queries alone.
    """
    weights = unequal(weights)
    hoped_mean = None if draws is None else Estimate.over(mean_over_queries(draws, weights))
    defined = ~np.isnan(scores.zero_filled)
    of_defined = None if weights is None else weights[defined]
    lower, upper = mean_bounds(scores.lower, scores.upper, scores.doubtful, weights)
    zero_filled = mean(scores.zero_filled[defined], of_defined)
    settled = lower is not None and upper is not None and upper - lower <= _EQUAL
    counts = ~np.isnan(scores.point)
    points = scores.point[counts]
    of_points = None if weights is None else weights[counts]
    value = zero_filled if settled and not scores.doubtful.any() else None
    hoped, hoped95 = believed(value, lower, upper, hoped_mean)
    p10, p25, median, p75 = percentiles(points, (10, 25, 50, 75), of_points)
    places = int(scores.places.sum())
    judged = int(scores.judged.sum())
    return Summary(
        value=value,
        lower=lower,
        upper=upper,
        condensed=mean(scores.condensed[defined], of_defined),
        zero_filled=zero_filled,
        p10=p10,
        p25=p25,
        median=median,
        p75=p75,
        ci95=bootstrap_interval(
            points if draws is None or value is not None else draws[:, counts],
            weights=of_points,
            seed=seed,
        ),
        judged=judged / places if places else None,
        unjudged=places - judged,
        scored=int(defined.sum()),
        undefined=int((~defined).sum()),
        residual=None if scores.residual is None else mean(scores.residual[defined], of_defined),
        expected=hoped,
        expected95=hoped95,
    )


def believed(
    value: float | None, lower: float | None, upper: float | None, estimate: Estimate | None
) -> tuple[float | None, tuple[float, float] | None]:
    """What a number is expected to be and its 95% interval: the value where there is one."""
    if value is not None:
        return value, (value, value)
    if estimate is None or np.isnan(estimate.mean) or lower is None or upper is None:
        return None, None
    return min(max(estimate.mean, lower), upper), estimate.interval(lower, upper)


def mean_bounds(
    lower: FloatArray, upper: FloatArray, doubtful: BoolArray, weights: FloatArray | None = None
) -> tuple[float | None, float | None]:
    """Exact bounds of a mean over queries, some of which may turn out not to count.

    Queries are independent, so the mean is least where each counted query is least, and a
    doubtful query counts only where that lowers the mean. All arrays have shape (N,); NaN bounds
    mark queries that never count. None if no query can count.
    """
    held = np.ones(len(lower)) if weights is None else weights
    sure = ~doubtful & ~np.isnan(lower)
    least = _least_mean(lower, held, sure, doubtful)
    most = _least_mean(-upper, held, sure, doubtful)
    return least, None if most is None else 0.0 - most  # never -0.0


def _least_mean(
    points: FloatArray, weights: FloatArray, sure: BoolArray, doubtful: BoolArray
) -> float | None:
    """Whatever its weight, a doubtful query lowers a mean that lies above it: the lowest first."""
    maybe = np.flatnonzero(doubtful)
    maybe = maybe[np.argsort(points[maybe], kind="stable")]
    added = np.cumsum(points[maybe] * weights[maybe]), np.cumsum(weights[maybe])
    totals = (points[sure] * weights[sure]).sum() + np.concatenate([[0.0], added[0]])
    counts = weights[sure].sum() + np.concatenate([[0.0], added[1]])
    counted = counts > 0
    return float(np.min(totals[counted] / counts[counted])) if counted.any() else None


def worst(points: FloatArray, count: int = 20) -> IntArray:
    """Positions of the ``count`` lowest points, lowest first; NaN is left out, ties keep order."""
    order = np.argsort(points, kind="stable")
    return order[: min(count, int(np.sum(~np.isnan(points))))]
