"""Paired tests over queries; all randomness comes from a seed."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rubric.arrays import FloatArray

EXACT_UP_TO = 12
"""Queries up to which every sign pattern is tried: 4,096 of them."""
PATTERNS = 9999
RESAMPLES = 2000
_BLOCK = 2_000_000
_ROUNDING = 1e-12


def randomisation_test(differences: FloatArray, *, seed: int = 0) -> float | None:
    """Two-sided p of the paired randomisation test on the mean (Fisher 1935; Smucker et al. 2007).

    Under "the two systems are interchangeable" each difference could as well have the other sign.
    Up to 12 queries every pattern of signs is tried and p is exact; beyond, p is
    (b + 1) / (n + 1) for b of n = 9,999 drawn patterns at least as extreme (never 0).

    Parameters
    ----------
    differences
        float64, shape (N,): one a query, without NaN.

    Returns
    -------
    0 < p <= 1; None if there is no query.

    >>> import numpy as np
    >>> randomisation_test(np.array([0.1, 0.2, 0.3]))
    0.25
    """
    size = len(differences)
    if not size:
        return None
    seen = abs(float(differences.sum())) - _ROUNDING
    if size <= EXACT_UP_TO:
        signs = 1.0 - 2.0 * ((np.arange(2**size)[:, None] >> np.arange(size)) & 1)
        return float(np.mean(np.abs(signs @ differences) >= seen))
    rng = np.random.default_rng(seed)
    extreme, block = 0, max(1, _BLOCK // size)
    for start in range(0, PATTERNS, block):
        rows = min(block, PATTERNS - start)
        signs = 1.0 - 2.0 * rng.integers(0, 2, (rows, size), dtype=np.int8)
        extreme += int(np.sum(np.abs(signs @ differences) >= seen))
    return (extreme + 1) / (PATTERNS + 1)


def bootstrap_interval(points: FloatArray, *, seed: int = 0) -> tuple[float, float] | None:
    """95% percentile bootstrap interval of the mean of N points (Efron 1979); None if N < 2.

    For paired differences of two systems this is the paired bootstrap (Sakai 2006).
    """
    size = len(points)
    if size < 2:
        return None
    rng = np.random.default_rng(seed)
    block = max(1, _BLOCK // size)
    means = np.concatenate(
        [
            points[rng.integers(0, size, (min(block, RESAMPLES - start), size))].mean(axis=1)
            for start in range(0, RESAMPLES, block)
        ]
    )
    low, high = np.percentile(means, [2.5, 97.5])
    return float(low), float(high)


def effect_size(differences: FloatArray) -> float | None:
    """Mean over standard deviation of paired differences (Cohen 1988); None if they do not vary."""
    if len(differences) < 2:
        return None
    spread = float(differences.std(ddof=1))
    return float(differences.mean()) / spread if spread > _ROUNDING else None


def holm(p_values: Sequence[float | None]) -> list[float | None]:
    """Adjust p for many tests so that any false alarm is held at the level (Holm 1979).

    None stays None and is not counted.

    >>> holm([0.01, 0.04, 0.03, None])
    [0.03, 0.06, 0.06, None]
    """
    given = sorted((p, at) for at, p in enumerate(p_values) if p is not None)
    adjusted: list[float | None] = [None] * len(p_values)
    least = 0.0
    for place, (p, at) in enumerate(given):
        least = max(least, min(1.0, (len(given) - place) * p))
        adjusted[at] = least
    return adjusted
