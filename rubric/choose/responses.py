"""How far one more label would move the expected scores of systems.

Everything rests on two expectations for a query: the gain of each document, and how many documents
reach each grade, from which the expected ideal is read off between whole numbers. Both move when a
document's grade becomes known, and the differences of systems move with them.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rubric.arrays import FloatArray, wide_product
from rubric.choose.target import Target

_LEAST_IDEAL = 1e-9


@dataclass(frozen=True, eq=False)
class Outlook:
    """What labels and a grade model say of the documents of R queries.

    Parameters
    ----------
    weights
        float64, shape (S, R, P): the weight of each document in each system, 0 where it does not
        count; or any other coefficients, such as a difference of two systems'.
    probabilities
        float64, shape (R, P, G + 1): the probability of each grade; 1 at the grade of a judged
        document, 0 throughout where there is no document.
    target
        The measure that is to be known.
    """

    weights: FloatArray
    probabilities: FloatArray
    target: Target

    @property
    def gains(self) -> FloatArray:
        """The gain of each grade: shape (G + 1,)."""
        return self.target.gains

    @property
    def ideal_sums(self) -> FloatArray:
        """What the best n places of the ideal weigh together: shape (K + 1,)."""
        return self.target.ideal_sums

    def at_least(self) -> FloatArray:
        """The probability of grade t or more, t = 1..G: shape (R, P, G)."""
        return np.cumsum(self.probabilities[:, :, :0:-1], axis=2)[:, :, ::-1]

    def totals(self) -> FloatArray:
        """Each system's expected sum of gain times weight: shape (S, R)."""
        return np.asarray((self.weights * (self.probabilities @ self.gains)).sum(axis=2))

    def discount_sum(self, counts: FloatArray) -> FloatArray:
        """What ``counts`` ideal places weigh; linear between whole numbers."""
        places = np.arange(len(self.ideal_sums))
        return np.asarray(np.interp(counts, places, self.ideal_sums))


def responses(outlook: Outlook) -> FloatArray:
    """The expected score after each grade of each document, less its mean: (S, R, P, G + 1).

    For a judged document there is no other grade to get; its response to its own grade is 0.
    """
    steps = np.diff(outlook.gains)
    reach = outlook.at_least()
    others = reach.sum(axis=1, keepdims=True) - reach
    below = outlook.discount_sum(others) * steps
    rise = outlook.discount_sum(others + 1) * steps - below
    ideal = np.zeros(outlook.probabilities.shape)
    ideal[:, :, 0] = below.sum(axis=2)
    ideal[:, :, 1:] = ideal[:, :, :1] + np.cumsum(rise, axis=2)
    surprise = outlook.gains - (outlook.probabilities @ outlook.gains)[:, :, None]
    moved = outlook.totals()[:, :, None, None] + outlook.weights[..., None] * surprise
    values = moved / np.maximum(ideal, _LEAST_IDEAL)
    mean = (values * outlook.probabilities).sum(axis=-1, keepdims=True)
    return np.asarray(values - mean)


def expected_variance(
    responses: FloatArray, probabilities: FloatArray, weights: FloatArray
) -> FloatArray:
    """Sum over pairs of systems of weight x variance of their difference's response: shape (R, P).

    Parameters
    ----------
    weights
        float64, shape (S, S), symmetric, 0 on the diagonal.
    """
    laplacian = np.diag(weights.sum(axis=1)) - weights
    each = responses.reshape(len(weights), -1)
    spread = (wide_product(laplacian, each) * each).sum(axis=0).reshape(probabilities.shape)
    return np.asarray((spread * probabilities).sum(axis=-1))
