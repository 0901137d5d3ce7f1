"""Measures that model a person reading down the ranking: RBP and ERR."""

from __future__ import annotations

import numpy as np

from rubric.arrays import FloatArray, GradeArray
from rubric.measures.family import Bounds, Family, Setting
from rubric.rankings import EMPTY, JudgedRankings, gains_at, hopeful, is_unjudged


def rbp(grades: GradeArray, worth: FloatArray, p: float) -> FloatArray:
    """Rank-biased precision, (1 - p) * sum of worth * p^(rank - 1) (Moffat and Zobel 2008).

    Parameters
    ----------
    grades
        int8, shape (N, depth).
    worth
        What a document of each grade is worth, 0..1: shape (G + 1,).
    p
        The chance to read on after a document, 0 < p < 1.

    Returns
    -------
    float64, shape (N,), 0..1.
    """
    return gains_at(grades, worth) @ patience(grades.shape[1], p)


def rbp_residual(grades: GradeArray, p: float) -> FloatArray:
    """How much RBP could still gain: from unjudged documents, and from beyond the ranking's end.

    The second part is p^d for a ranking of d documents, so the true value for an endless ranking
    lies in [RBP, RBP + residual]. float64, shape (N,).
    """
    unjudged = is_unjudged(grades) @ patience(grades.shape[1], p)
    beyond: FloatArray = np.power(p, (grades != EMPTY).sum(axis=1))
    return unjudged + beyond


def patience(depth: int, p: float) -> FloatArray:
    """The weight of each rank, (1 - p) * p^(rank - 1): shape (depth,)."""
    return (1 - p) * p ** np.arange(depth, dtype=np.float64)


def worth(setting: Setting) -> FloatArray:
    """Gains as shares of the highest."""
    highest = np.float64(setting.gains.max())
    return setting.gains / (highest or 1.0)


def _rbp(rankings: JudgedRankings, setting: Setting) -> FloatArray:
    return rbp(rankings.grades[:, : setting.k], worth(setting), setting.p)


def _rbp_bounds(rankings: JudgedRankings, setting: Setting) -> Bounds:
    """Exact: it rises with each grade. What lies beyond the ranking's end is not in them."""
    best = hopeful(rankings.grades[:, : setting.k], rankings.top)
    return _rbp(rankings, setting), rbp(best, worth(setting), setting.p)


def _err(rankings: JudgedRankings, setting: Setting) -> FloatArray:
    """Expected reciprocal rank (Chapelle et al. 2009).

    A reader is satisfied by a document with chance gain / (highest gain + 1), which is
    (2^g - 1) / 2^G for the exponential gain, and stops there.
    """
    return _err_of(rankings.grades[:, : setting.k], setting)


def _err_bounds(rankings: JudgedRankings, setting: Setting) -> Bounds:
    """Exact: it rises with each grade."""
    best = hopeful(rankings.grades[:, : setting.k], rankings.top)
    return _err(rankings, setting), _err_of(best, setting)


def _err_of(grades: GradeArray, setting: Setting) -> FloatArray:
    return err_of_stops(stops(grades, setting))


def stops(grades: GradeArray, setting: Setting) -> FloatArray:
    """The chance that each document satisfies a reader who looks at it, 0 for an unjudged one."""
    return gains_at(grades, setting.gains / (setting.gains.max() + 1))


def err_of_stops(stop: FloatArray, offset: int = 0) -> FloatArray:
    """ERR of chances to stop, (N, w), at the ranks behind the first ``offset``: shape (N,)."""
    reach = np.cumprod(np.hstack([np.ones((len(stop), 1)), 1 - stop]), axis=1)[:, :-1]
    return (reach * stop) @ (1.0 / np.arange(offset + 1, offset + stop.shape[1] + 1))


RBP = Family(_rbp, _rbp_bounds)
ERR = Family(_err, _err_bounds)
