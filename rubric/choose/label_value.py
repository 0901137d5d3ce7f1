"""What one more label would teach the grade model, as far as it moves two systems' difference.

A label moves the coefficients and its query's effect by their covariance times the score of its
residuals (one Newton step), and these move the expected grade of every document not judged yet. To
first order the sum of the expected differences moves by the product of both, which is found without
a new fit.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rubric.arrays import BoolArray, FloatArray
from rubric.choose.responses import Outlook

_LEAST_IDEAL = 1e-9


@dataclass(frozen=True, eq=False)
class Slope:
    """A number for each coefficient, (T,), and one for each query's effect, (Q,)."""

    coefficients: FloatArray
    effects: FloatArray


@dataclass(frozen=True, eq=False)
class Precision:
    """How sure the coefficients and the query effects are, all together.

    Parameters
    ----------
    coefficients
        Inverse covariance of the coefficients, query effects integrated out: shape (T, T).
    effects
        Inverse variance of each query effect, given the coefficients: shape (Q,).
    cross
        What joins the two in the inverse covariance of both: shape (Q, T).
    """

    coefficients: FloatArray
    effects: FloatArray
    cross: FloatArray

    def covariance_times(self, slope: Slope) -> Slope:
        """Their covariance times a vector, by elimination of the query effects."""
        left = slope.coefficients - self.cross.T @ (slope.effects / self.effects)
        moved = np.asarray(np.linalg.solve(self.coefficients, left), dtype=np.float64)
        return Slope(moved, (slope.effects - self.cross @ moved) / self.effects)


def sensitivity(
    outlook: Outlook, features: FloatArray, chances: FloatArray, free: BoolArray
) -> Slope:
    """How the sum over queries of the expected difference moves with coefficients and effects.

    Parameters
    ----------
    outlook
        Of all queries, with one row of weights: those of the difference.
    features
        float64, shape (Q, P, F).
    chances
        P(grade >= t | grade >= t - 1), t = 1..G: float64, shape (Q, P, G).
    free
        bool, shape (Q, P): the documents that are not judged.

    Returns
    -------
    The exact derivative; the levels come first.
    """
    steps = np.diff(outlook.gains)
    reach = outlook.at_least()
    counts = reach.sum(axis=1)
    ideal = np.maximum(outlook.discount_sum(counts) @ steps, _LEAST_IDEAL)
    difference = outlook.totals()[0] / ideal
    places = np.minimum(counts.astype(np.int64), len(outlook.ideal_sums) - 1)
    next_place = np.append(np.diff(outlook.ideal_sums), 0.0)[places]
    # A document that becomes likelier to reach grade t adds its discount, and dilutes the rest.
    worth = outlook.weights[0][:, :, None] - (difference[:, None] * next_place)[:, None, :]
    pull = reach * worth * steps / ideal[:, None, None] * free[:, :, None]
    later = np.cumsum(pull[:, :, ::-1], axis=2)[:, :, ::-1] * (1 - chances)
    each = later.sum(axis=2)
    coefficients = np.concatenate([later.sum(axis=(0, 1)), np.tensordot(each, features, 2)])
    return Slope(coefficients, each.sum(axis=1))


def lesson(direction: Slope, features: FloatArray, chances: FloatArray) -> FloatArray:
    """How far each grade of each document would move the sum of expected differences, learned.

    Parameters
    ----------
    direction
        The posterior covariance times the :func:`sensitivity`.

    Returns
    -------
    float64, shape (Q, P, G + 1); its mean over the grades' probabilities is 0.
    """
    levels = chances.shape[2]
    worth = features @ direction.coefficients[levels:] + direction.effects[:, None]
    pull = direction.coefficients[:levels] + worth[:, :, None]
    taught = np.zeros((*chances.shape[:2], levels + 1))
    taught[:, :, 1:] = np.cumsum((1 - chances) * pull, axis=2)
    taught[:, :, :-1] -= chances * pull
    return taught
