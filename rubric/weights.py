"""Means, percentiles and sums over queries that do not all count alike.

Weights are float64, shape (N,), finite, at least 0, and not all 0; only their proportions matter.
None stands for equal weights, and equal weights give exactly what none give.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rubric.arrays import FloatArray
from rubric.errors import RubricError

PERCENTILES = (
    "p10, p25, median and p75 are interpolated between queries that stand in the middle of their "
    "weight"
)


def unequal(weights: FloatArray | None) -> FloatArray | None:
    """Weights as they are, or None where all are the same.

    Raises
    ------
    RubricError
        If one is not finite or below 0, or all are 0.
    """
    if weights is None or not len(weights):
        return None
    if not np.all(np.isfinite(weights) & (weights >= 0)) or not weights.any():
        raise RubricError("weights", ["expected finite numbers of at least 0, not all of them 0"])
    return None if np.all(weights == weights[0]) else weights


def mean(points: FloatArray, weights: FloatArray | None = None) -> float | None:
    """The mean of N points; None where there is none, or none has a weight."""
    if not len(points):
        return None
    if weights is None:
        return float(points.mean())
    total = float(weights.sum())
    return float((points * weights).sum()) / total if total else None


def percentiles(
    points: FloatArray, shares: Sequence[float], weights: FloatArray | None = None
) -> list[float | None]:
    """Percentiles of N points, ``shares`` of 0..100; None each where there is no point.

    Without weights they are numpy's. With weights w of the points in rising order, each stands at
    t = (sum of w before it) + w / 2, the first at 0% and the last at 100%, and what lies between
    is interpolated: equal weights come to the same as none. Points without a weight are left out.

    >>> import numpy as np
    >>> percentiles(np.array([0.0, 0.5, 1.0]), [50], np.array([3.0, 1.0, 1.0]))
    [0.375]
    """
    nothing: list[float | None] = [None] * len(shares)
    if not len(points):
        return nothing
    if weights is None:
        found: list[float | None] = np.percentile(points, shares).tolist()
        return found
    order = np.argsort(points, kind="stable")
    order = order[weights[order] > 0]
    if not len(order):
        return nothing
    held = weights[order]
    at = np.cumsum(held) - held / 2
    targets = at[0] + np.array(shares) / 100 * (at[-1] - at[0])
    return [float(one) for one in np.interp(targets, at, points[order])]
