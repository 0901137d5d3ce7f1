"""One system over all queries: never the mean alone."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from rubric.arrays import BoolArray, FloatArray, IntArray
from rubric.evaluate import Scores

RESAMPLES = 2000
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
    p10, median, ci95
        Of the value of each query, or its condensed score where it has none: 10th percentile,
        median, and a percentile bootstrap interval of the mean.
    judged, unjudged
        Share of the top-k places that are judged, and how many are not.
    scored, undefined
        Queries in the mean, and queries left out of it.
    """

    value: float | None
    lower: float | None
    upper: float | None
    condensed: float | None
    zero_filled: float | None
    p10: float | None
    median: float | None
    ci95: tuple[float, float] | None
    judged: float | None
    unjudged: int
    scored: int
    undefined: int


def summarise(scores: Scores, *, seed: int = 0) -> Summary:
    """Summarise one system's scores over its queries."""
    defined = ~np.isnan(scores.zero_filled)
    lower, upper = mean_bounds(scores.lower, scores.upper, scores.doubtful)
    zero_filled = _mean(scores.zero_filled[defined])
    settled = lower is not None and upper is not None and upper - lower <= _EQUAL
    points = scores.point[defined]
    places = int(scores.places.sum())
    judged = int(scores.judged.sum())
    return Summary(
        value=zero_filled if settled and not scores.doubtful.any() else None,
        lower=lower,
        upper=upper,
        condensed=_mean(scores.condensed[defined]),
        zero_filled=zero_filled,
        p10=float(np.percentile(points, 10)) if len(points) else None,
        median=float(np.median(points)) if len(points) else None,
        ci95=bootstrap_interval(points, seed=seed),
        judged=judged / places if places else None,
        unjudged=places - judged,
        scored=int(defined.sum()),
        undefined=int((~defined).sum()),
    )


def mean_bounds(
    lower: FloatArray, upper: FloatArray, doubtful: BoolArray
) -> tuple[float | None, float | None]:
    """Exact bounds of a mean over queries, some of which may turn out not to count.

    Queries are independent, so the mean is least where each counted query is least, and a
    doubtful query counts only where that lowers the mean. All arrays have shape (N,); NaN bounds
    mark queries that never count. None if no query can count.
    """
    sure = ~doubtful & ~np.isnan(lower)
    least = _least_mean(lower[sure], lower[doubtful])
    most = _least_mean(-upper[sure], -upper[doubtful])
    return least, None if most is None else -most


def _least_mean(sure: FloatArray, doubtful: FloatArray) -> float | None:
    totals = sure.sum() + np.concatenate([[0.0], np.cumsum(np.sort(doubtful))])
    counts = len(sure) + np.arange(len(doubtful) + 1)
    counted = counts > 0
    return float(np.min(totals[counted] / counts[counted])) if counted.any() else None


def bootstrap_interval(points: FloatArray, *, seed: int = 0) -> tuple[float, float] | None:
    """95% percentile bootstrap interval of the mean of N points (Efron 1979); None if N < 2."""
    if len(points) < 2:
        return None
    means = _resampling_counts(len(points), seed) @ points / len(points)
    low, high = np.percentile(means, [2.5, 97.5])
    return float(low), float(high)


@lru_cache(maxsize=2)
def _resampling_counts(size: int, seed: int) -> FloatArray:
    """How often each of ``size`` queries is drawn in each resample: (RESAMPLES, size)."""
    rng = np.random.default_rng(seed)
    return rng.multinomial(size, np.full(size, 1 / size), size=RESAMPLES).astype(np.float64)


def worst(points: FloatArray, count: int = 20) -> IntArray:
    """Positions of the ``count`` lowest points, lowest first; NaN is left out, ties keep order."""
    order = np.argsort(points, kind="stable")
    return order[: min(count, int(np.sum(~np.isnan(points))))]


def _mean(points: FloatArray) -> float | None:
    return float(points.mean()) if len(points) else None
