"""What a number that hangs on unjudged documents is expected to be, and how sure that is."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from rubric.arrays import BoolArray, FloatArray, ratio
from rubric.evaluation.measure import Measure

SPREAD = 1.25
"""How much wider than the draws chances and intervals are, for what the model cannot know.

Chosen where the truth was known: it lay 0.98 to 1.18 standard deviations off in root mean square.
"""

SHOWN_DRAWS = 1000
NORMAL_95 = 1.959963984540054


def is_foreseen(measure: Measure) -> bool:
    """Whether the model's intervals hold for a measure.

    They do, as measured on eight collections, for measures of the first ten ranks, and for those
    that weigh later ones little. They do not for those that count every relevant document (R, AP,
    F and their like) or that look deeper: the model takes the relevant documents of a query to be
    less alike, and less near the top, than they are.
    """
    return measure.kind.foreseen(measure.k, measure.p)


@dataclass(frozen=True)
class Estimate:
    """Mean and standard deviation of a number over the draws, NaN where none defines it.

    What it says takes the number to be normal, and the deviation to be wider by :data:`SPREAD`.
    """

    mean: float
    sd: float

    @classmethod
    def over(cls, draws: FloatArray) -> Estimate:
        """The estimate that draws (D,) make; those that are NaN are left out."""
        mean, sd = moments(draws[:, None])
        return cls(float(mean[0]), float(sd[0]))

    def above(self, value: float = 0.0) -> float:
        """P(number > value); 1/2 if it is that value for sure."""
        off, wide = self.mean - value, SPREAD * self.sd
        if wide == 0:
            return 0.5 if off == 0 else float(off > 0)
        return 0.5 * (1 + math.erf(off / (wide * math.sqrt(2))))

    def interval(self, lower: float, upper: float) -> tuple[float, float]:
        """95% interval, cut at the exact bounds, beyond which the number cannot be."""
        half = NORMAL_95 * SPREAD * self.sd
        return max(lower, self.mean - half), min(upper, self.mean + half)


def moments(draws: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Mean and standard deviation over the first axis, NaN left out; NaN where all are."""
    given = ~np.isnan(draws)
    count = given.sum(axis=0)
    mean = ratio(np.where(given, draws, 0.0).sum(axis=0), count)
    off = np.where(given, draws - mean, 0.0)
    return mean, np.sqrt(ratio((off**2).sum(axis=0), count))


def intervals(
    draws: FloatArray, lower: FloatArray, upper: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """The 95% interval of each of N numbers over the draws (D, N), as of an :class:`Estimate`.

    NaN where most draws leave it undefined.
    """
    mean, sd = moments(draws)
    half = NORMAL_95 * SPREAD * np.where(_likely(draws), sd, np.nan)
    return np.maximum(lower, mean - half), np.minimum(upper, mean + half)


def mean_over_queries(scores: FloatArray, weights: FloatArray | None = None) -> FloatArray:
    """The mean over the last axis of what is defined in each draw; NaN where nothing is.

    ``weights`` are those of the queries, the last axis.
    """
    given = ~np.isnan(scores)
    filled = np.where(given, scores, 0.0)
    if weights is not None:
        return ratio(filled @ weights, given @ weights)
    total: FloatArray = filled.sum(axis=-1)
    return ratio(total, given.sum(axis=-1))


def expected(draws: FloatArray, lower: FloatArray, upper: FloatArray) -> FloatArray:
    """The mean of each of N numbers over the draws (D, N) that define it.

    NaN where most draws leave it undefined. It lies within the exact bounds, since every draw
    does; the cut there takes away no more than rounding.
    """
    mean, _ = moments(draws)
    return np.where(_likely(draws), np.clip(mean, lower, upper), np.nan)


def _likely(draws: FloatArray) -> BoolArray:
    """Which numbers most draws define."""
    return np.asarray(np.mean(~np.isnan(draws), axis=0) >= 0.5)
