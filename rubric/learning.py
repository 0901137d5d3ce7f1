"""What one more label would teach the grade model, as far as it moves two systems' difference.

A label moves the coefficients by S^-1 times the score of its residuals (one Newton step), and the
coefficients move the expected grade of every document not judged yet. To first order the sum of the
expected differences moves by the product of both, which is found without a new fit.
"""

from __future__ import annotations

import numpy as np

from rubric.arrays import BoolArray, FloatArray
from rubric.responses import Outlook

_LEAST_IDEAL = 1e-9


def sensitivity(
    outlook: Outlook, features: FloatArray, chances: FloatArray, free: BoolArray
) -> FloatArray:
    """How the sum over queries of the expected difference moves with each coefficient.

    Parameters
    ----------
    outlook
        Of all queries, with one row of discounts: those of the difference.
    features
        float64, shape (Q, P, F).
    chances
        P(grade >= t | grade >= t - 1), t = 1..G: float64, shape (Q, P, G).
    free
        bool, shape (Q, P): the documents that are not judged.

    Returns
    -------
    float64, shape (G + F,): the intercepts first. The exact derivative.
    """
    steps = np.diff(outlook.gains)
    reach = outlook.at_least()
    counts = reach.sum(axis=1)
    ideal = np.maximum(outlook.discount_sum(counts) @ steps, _LEAST_IDEAL)
    difference = outlook.totals()[0] / ideal
    places = np.minimum(counts.astype(np.int64), len(outlook.ideal_sums) - 1)
    next_place = np.append(np.diff(outlook.ideal_sums), 0.0)[places]
    # A document that becomes likelier to reach grade t adds its discount, and dilutes the rest.
    worth = outlook.discounts[0][:, :, None] - (difference[:, None] * next_place)[:, None, :]
    pull = reach * worth * steps / ideal[:, None, None] * free[:, :, None]
    later = np.cumsum(pull[:, :, ::-1], axis=2)[:, :, ::-1] * (1 - chances)
    return np.concatenate([later.sum(axis=(0, 1)), np.tensordot(later.sum(axis=2), features, 2)])


def lesson(direction: FloatArray, features: FloatArray, chances: FloatArray) -> FloatArray:
    """How far each grade of each document would move the sum of expected differences, learned.

    Parameters
    ----------
    direction
        float64, shape (G + F,): the posterior covariance of the coefficients times their
        :func:`sensitivity`.

    Returns
    -------
    float64, shape (Q, P, G + 1); its mean over the grades' probabilities is 0.
    """
    levels = chances.shape[2]
    pull = direction[:levels] + (features @ direction[levels:])[:, :, None]
    taught = np.zeros((*chances.shape[:2], levels + 1))
    taught[:, :, 1:] = np.cumsum((1 - chances) * pull, axis=2)
    taught[:, :, :-1] -= chances * pull
    return taught
