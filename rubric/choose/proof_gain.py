"""How much nearer to a proof a label is expected to bring the difference of two systems."""

from __future__ import annotations

import numpy as np

from rubric.arrays import BoolArray, FloatArray, GradeArray, IntArray
from rubric.bounds.ratio_bounds import RatioProblem, least_ratio
from rubric.rankings import gains_at


def least_difference(
    coefficients: FloatArray,
    free: BoolArray,
    grades: GradeArray,
    gains: FloatArray,
    ideal_sums: FloatArray,
) -> FloatArray:
    """The least that each query can add to the sum of nDCG differences: shape (R,). Exact.

    A query adds 0 as long as it may turn out to hold nothing relevant.

    Parameters
    ----------
    coefficients
        float64, shape (R, P): each document's discount in the first system less that in the second.
    free
        bool, shape (R, P): the documents that nobody has judged.
    grades
        int8, shape (R, P), below 0 where there is no grade.
    """
    at_least = grades[:, :, None] >= np.arange(1, len(gains))
    judged: IntArray = at_least.sum(axis=1)
    base = (coefficients * gains_at(grades, gains)).sum(axis=1)
    return _least(np.where(free, coefficients, -np.inf), base, judged, gains, ideal_sums)


def expected_rise(
    coefficients: FloatArray,
    free: BoolArray,
    grades: GradeArray,
    probabilities: FloatArray,
    gains: FloatArray,
    ideal_sums: FloatArray,
) -> FloatArray:
    """By how much a label is expected to raise :func:`least_difference`: shape (R, P).

    -inf where there is nothing to judge. ``probabilities`` are those of the grades, of shape
    (R, P, G + 1); the other arguments are those of :func:`least_difference`.
    """
    rise = np.full(free.shape, -np.inf)
    rows, places = np.nonzero(free)
    if not len(rows):
        return rise
    before = least_difference(coefficients, free, grades, gains, ideal_sums)
    # Documents with one coefficient in one query leave the same bound behind: ask once.
    asked = np.stack([rows.astype(np.float64), coefficients[rows, places]])
    _, first, same = np.unique(asked, axis=1, return_index=True, return_inverse=True)
    row, place = rows[first], places[first]
    left = np.where(free, coefficients, -np.inf)[row]
    left[np.arange(len(row)), place] = -np.inf
    levels = np.arange(len(gains))
    at_least = grades[row][:, :, None] >= levels[1:]
    judged = at_least.sum(axis=1)[:, None] + (levels[:, None] >= levels[1:])
    own = coefficients[row, place]
    base = (coefficients * gains_at(grades, gains)).sum(axis=1)[row]
    after = _least(
        np.repeat(left, len(levels), axis=0),
        (base[:, None] + own[:, None] * gains).ravel(),
        judged.reshape(-1, len(levels) - 1),
        gains,
        ideal_sums,
    ).reshape(-1, len(levels))
    mean = (after[same.ravel()] * probabilities[rows, places]).sum(axis=1)
    rise[rows, places] = mean - before[rows]
    return rise


def _least(
    open_coefficients: FloatArray,
    base: FloatArray,
    judged_at_least: IntArray,
    gains: FloatArray,
    ideal_sums: FloatArray,
) -> FloatArray:
    least = least_ratio(RatioProblem(open_coefficients, base, judged_at_least, gains, ideal_sums))
    undefined = np.isnan(least) | (judged_at_least[:, 0] == 0)
    return np.where(undefined, np.fmin(least, 0.0), least)
