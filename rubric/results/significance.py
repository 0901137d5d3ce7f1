"""Paired tests over queries; all randomness comes from a seed."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from rubric.arrays import FloatArray, ratio

EXACT_UP_TO = 12
"""Queries up to which every sign pattern is tried: 4,096 of them."""
PATTERNS = 9999
RESAMPLES = 2000
DRAWN_UP_TO = 5_000
"""Queries up to which resamples are drawn."""
_NORMAL_95 = 1.959963984540054
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
        float64, shape (N,): one a query. Or (W, N), where they are not known: under each of W
        drawn gradings, NaN where one leaves a query undefined. p is then twice the chance, over
        gradings and signs, of a sum as far on the side that fewer gradings speak for: it comes
        down to the test itself as the gradings come to agree.

    Returns
    -------
    0 < p <= 1; None if there is no query.

    >>> import numpy as np
    >>> randomisation_test(np.array([0.1, 0.2, 0.3]))
    0.25
    """
    worlds = np.nan_to_num(np.atleast_2d(differences)).T
    size = len(worlds)
    if not size:
        return None
    sums = worlds.sum(axis=0)
    seen = np.abs(sums) - _ROUNDING
    if size <= EXACT_UP_TO:
        signs = 1.0 - 2.0 * ((np.arange(2**size)[:, None] >> np.arange(size)) & 1)
        return _combined(np.mean(np.abs(signs @ worlds) >= seen, axis=0), sums)
    rng = np.random.default_rng(seed)
    extreme, block = np.zeros(len(sums)), max(1, _BLOCK // size)
    for start in range(0, PATTERNS, block):
        rows = min(block, PATTERNS - start)
        signs = 1.0 - 2.0 * rng.integers(0, 2, (rows, size), dtype=np.int8)
        extreme += np.sum(np.abs(signs @ worlds) >= seen, axis=0)
    return _combined((extreme + 1) / (PATTERNS + 1), sums)


def _combined(p_values: FloatArray, sums: FloatArray) -> float:
    """One two-sided p from those of equally likely worlds, whose differences may point apart."""
    if len(sums) == 1:
        return float(p_values[0])
    sides = (np.where(side >= 0, p_values / 2, 1 - p_values / 2) for side in (sums, -sums))
    return min(1.0, 2 * min(float(side.mean()) for side in sides))


def bootstrap_interval(
    points: FloatArray, *, weights: FloatArray | None = None, seed: int = 0
) -> tuple[float, float] | None:
    """95% percentile bootstrap interval of the mean of N points (Efron 1979); None if N < 2.

    For paired differences of two systems this is the paired bootstrap (Sakai 2006). Points of
    shape (W, N) are those under each of W drawn gradings, NaN where one leaves a query undefined:
    each resample is then of one grading, so that their doubt is within the interval. Queries are
    drawn alike whatever their ``weights`` (N,), which they bring into the mean of the resample.
    Above 5,000 queries the interval is the normal one, which it comes to: nothing is drawn.
    """
    worlds = np.atleast_2d(points)
    size = worlds.shape[1]
    if size < 2:
        return None
    given = ~np.isnan(worlds)
    held = given * (1.0 if weights is None else weights)
    if size > DRAWN_UP_TO:
        return _normal_interval(np.where(given, worlds, 0.0), held)
    sums = _sums_of_resamples(np.where(given, worlds, 0.0) * held, seed)
    alike = weights is None and given.all()
    means = sums / size if alike else ratio(sums, _sums_of_resamples(held, seed))
    low, high = np.nanpercentile(means, [2.5, 97.5]).tolist()
    return low, high


def _normal_interval(points: FloatArray, held: FloatArray) -> tuple[float, float] | None:
    """What the bootstrap interval comes to with many queries, by the variance of the mean.

    Over gradings, rows of ``points``, that is the mean variance and the variance of the mean.
    """
    totals = held.sum(axis=1)
    counted = totals > 0
    if not counted.any():
        return None
    points, held, totals = points[counted], held[counted], totals[counted]
    means = (points * held).sum(axis=1) / totals
    within = ((held * (points - means[:, None])) ** 2).sum(axis=1) / totals**2
    half = _NORMAL_95 * math.sqrt(float(within.mean() + means.var()))
    return float(means.mean()) - half, float(means.mean()) + half


def _sums_of_resamples(points: FloatArray, seed: int) -> FloatArray:
    """The sum of each resample, of the grading (one row of points) that it is of."""
    counts, sums = _resamples(points.shape[1], seed), np.empty(RESAMPLES)
    block = max(1, _BLOCK // points.shape[1])
    for start in range(0, RESAMPLES, block):
        rows = slice(start, start + block)
        drawn = np.arange(start, min(start + block, RESAMPLES)) % len(points)
        if len(points) == 1:
            sums[rows] = counts[rows] @ points[0]
        else:
            sums[rows] = np.einsum("ij,ij->i", counts[rows], points[drawn])
    return sums


@lru_cache(maxsize=2)
def _resamples(size: int, seed: int) -> npt.NDArray[np.uint16]:
    """How often each of ``size`` queries is in each resample: shape (2,000, size).

    Every system and measure of a scoreboard asks for the same.
    """
    rng, counts = np.random.default_rng(seed), np.empty((RESAMPLES, size), dtype=np.uint16)
    block = max(1, _BLOCK // size)
    for start in range(0, RESAMPLES, block):
        rows = min(block, RESAMPLES - start)
        chosen = rng.integers(0, size, (rows, size))
        chosen += np.arange(rows)[:, None] * size
        found = np.bincount(chosen.ravel(), minlength=rows * size)
        counts[start : start + rows] = found.reshape(rows, size)
    return counts


def effect_size(differences: FloatArray, weights: FloatArray | None = None) -> float | None:
    """Mean over standard deviation of paired differences (Cohen 1988); None if they do not vary.

    With ``weights`` w the variance is sum(w (d - mean)^2) / (sum(w) - sum(w^2) / sum(w)), which is
    that of a sample where all are equal.
    """
    if len(differences) < 2:
        return None
    held = np.ones(len(differences)) if weights is None else weights
    total = float(held.sum())
    average = float((held * differences).sum()) / total
    freedom = total - float((held**2).sum()) / total
    if freedom <= 0:
        return None
    spread = math.sqrt(float((held * (differences - average) ** 2).sum()) / freedom)
    return average / spread if spread > _ROUNDING else None


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
