"""Discounted cumulative gain and its normalised form (Järvelin and Kekäläinen 2002)."""

from __future__ import annotations

import numpy as np

from rubric.arrays import FloatArray, GradeArray, IntArray
from rubric.rankings import gains_at


def discounts(k: int) -> FloatArray:
    """1 / log2(rank + 1) for ranks 1..k: shape (k,)."""
    return 1.0 / np.log2(np.arange(2, k + 2, dtype=np.float64))


def discount_sums(k: int) -> FloatArray:
    """The sum of the first n discounts, n = 0..k: shape (k + 1,)."""
    return np.concatenate([[0.0], np.cumsum(discounts(k))])


def dcg(grades: GradeArray, gains: FloatArray, k: int) -> FloatArray:
    """DCG at k of each ranking, unjudged documents gaining nothing.

    Parameters
    ----------
    grades
        int8, shape (N, depth).
    gains
        Gain of each grade 0..G, shape (G + 1,).
    k
        Cutoff; ranks after it are not looked at.

    Returns
    -------
    float64, shape (N,), from 0 up.

    >>> import numpy as np
    >>> dcg(np.array([[2, 0, 3, 1, 0]], dtype=np.int8), np.array([0.0, 1, 3, 7]), 5).round(3)
    array([6.931])
    """
    cut = grades[:, :k]
    return gains_at(cut, gains) @ discounts(cut.shape[1])


def ideal_dcg(judged_at_least: IntArray, gains: FloatArray, k: int) -> FloatArray:
    """DCG at k of the best ranking of the judged documents.

    A document of grade g adds gain(t) - gain(t-1) for each t = 1..g, so the ideal is a sum over
    grades of how many documents reach them.

    Parameters
    ----------
    judged_at_least
        int64, shape (N, G): judged documents with grade t or more, t = 1..G.

    Returns
    -------
    float64, shape (N,); 0 where nothing judged has a gain.
    """
    sums = discount_sums(k)
    return sums[np.minimum(judged_at_least, k)] @ np.diff(gains)
