"""Rank-biased precision (Moffat and Zobel 2008)."""

from __future__ import annotations

import numpy as np

from rubric.arrays import FloatArray, GradeArray
from rubric.bounds.monotone import monotone
from rubric.bounds.weighted_sum import WeightedSum
from rubric.kind import REL, Equal, Kind, in_first_ranks
from rubric.rankings import EMPTY, JudgedRankings, gains_at, is_unjudged
from rubric.setting import DEFAULT_P, Setting, Terms


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


def _worth(how: Setting) -> FloatArray:
    """Gains as shares of the highest."""
    highest = np.float64(how.gains.max())
    return how.gains / (highest or 1.0)


def _rbp(rankings: JudgedRankings, how: Setting) -> FloatArray:
    return rbp(rankings.grades[:, : how.k], _worth(how), how.p)


def _terms(grades: GradeArray, _: JudgedRankings, how: Setting) -> Terms:
    return gains_at(grades, _worth(how)), patience(len(grades), how.p), 1.0


def _foreseen(k: int | None, p: float | None) -> bool:
    """Later ranks hardly count for a reader who is not very patient."""
    return in_first_ranks(k, p) or (p or DEFAULT_P) <= DEFAULT_P


_SUM = WeightedSum(lambda how, ranks: patience(ranks, how.p) / (how.gains.max() or 1.0))

RBP = Kind(
    name="RBP",
    says="rank-biased precision: a reader goes on with chance p",
    formula="(1 - p) sum of worth * p^(rank - 1); worth 1 if relevant, or gain / top gain",
    source="Moffat and Zobel 2008",
    parameters={"p": str(DEFAULT_P), **REL, "gain": "none"},
    also=("rank_biased_precision",),
    score=_rbp,
    bounds=monotone(_rbp),  # what lies beyond the ranking's end is not in them
    terms=_terms,
    weighted=_SUM,
    difference=_SUM.difference,
    foreseen=_foreseen,
    residual=lambda grades, how: rbp_residual(grades, how.p),
    equals={"ir_measures": Equal(("",), lacks=("gain",), orders={"": "score"})},
)
