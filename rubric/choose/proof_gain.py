"""How much nearer to a proof a label is expected to bring the difference of two systems."""

from __future__ import annotations

import numpy as np

from rubric.arrays import BoolArray, FloatArray, GradeArray, IntArray
from rubric.bounds.ratio_bounds import RatioProblem, least_ratio
from rubric.choose.target import Target
from rubric.rankings import gains_at


def least_difference(
    coefficients: FloatArray,
    free: BoolArray,
    grades: GradeArray,
    target: Target,
) -> FloatArray:
    """The least that each query can add to the sum of differences: shape (R,). Exact.

    A query adds 0 as long as it may turn out to hold nothing relevant.

    Parameters
    ----------
    coefficients
        float64, shape (R, P): each document's weight in the first system less that in the second.
    free
        bool, shape (R, P): the documents that nobody has judged.
    grades
        int8, shape (R, P), below 0 where there is no grade.
    """
    at_least = grades[:, :, None] >= np.arange(1, len(target.gains))
    judged: IntArray = at_least.sum(axis=1)
    base = (coefficients * gains_at(grades, target.gains)).sum(axis=1)
    return _least(np.where(free, coefficients, -np.inf), base, judged, target)


def least_between_firsts(
    first: FloatArray, second: FloatArray, free: BoolArray, relevant: BoolArray
) -> FloatArray:
    """The least that each query can add where only the first relevant document counts: (R,). Exact.

    One unjudged document that is relevant can raise what the second has; a further one could only
    raise the first as well.

    Parameters
    ----------
    first, second
        float64, shape (R, P): what each document is worth in either system if it is the first.
    free, relevant
        bool, shape (R, P): the documents that nobody has judged, and those known to be relevant.
    """
    one, other = (
        np.where(relevant, worth, 0.0).max(axis=1, initial=0.0)[:, None]
        for worth in (first, second)
    )
    each = np.maximum(first, one) - np.maximum(second, other)
    least: FloatArray = np.where(free, each, np.inf).min(axis=1, initial=np.inf)
    return np.asarray(np.minimum(least, (one - other)[:, 0]))


def expected_rise(
    coefficients: FloatArray,
    free: BoolArray,
    grades: GradeArray,
    probabilities: FloatArray,
    target: Target,
) -> FloatArray:
    """By how much a label is expected to raise :func:`least_difference`: shape (R, P).

    -inf where there is nothing to judge. ``probabilities`` are those of the grades, of shape
    (R, P, G + 1); the other arguments are those of :func:`least_difference`.
    """
    rise = np.full(free.shape, -np.inf)
    rows, places = np.nonzero(free)
    if not len(rows):
        return rise
    before = least_difference(coefficients, free, grades, target)
    gains = target.gains
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
        target,
    ).reshape(-1, len(levels))
    mean = (after[same.ravel()] * probabilities[rows, places]).sum(axis=1)
    rise[rows, places] = mean - before[rows]
    return rise


def _least(
    open_coefficients: FloatArray,
    base: FloatArray,
    judged_at_least: IntArray,
    target: Target,
) -> FloatArray:
    least = least_ratio(
        RatioProblem(open_coefficients, base, judged_at_least, target.gains, target.ideal_sums)
    )
    undefined = np.isnan(least) | (judged_at_least[:, 0] == 0)
    return np.where(undefined, np.fmin(least, 0.0), least)
