"""Relevant or not: how many documents of a top k are, may be, or are there at all.

A document is relevant if its grade reaches the threshold.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from rubric.arrays import BoolArray, FloatArray, GradeArray, IntArray
from rubric.rankings import EMPTY, JudgedRankings, is_unjudged
from rubric.setting import Setting, Terms


def relevant(rankings: JudgedRankings, setting: Setting) -> BoolArray:
    """Where the top k holds a document known to be relevant: shape (N, k or depth)."""
    return np.asarray(rankings.grades[:, : setting.k] >= setting.threshold)


def hits(rankings: JudgedRankings, setting: Setting) -> IntArray:
    """How many documents of the top k are known to be relevant: shape (N,)."""
    count: IntArray = relevant(rankings, setting).sum(axis=1)
    return count


def possible(rankings: JudgedRankings, setting: Setting) -> IntArray:
    """How many documents of the top k are unjudged: shape (N,)."""
    count: IntArray = is_unjudged(rankings.grades[:, : setting.k]).sum(axis=1)
    return count


def retrieved(rankings: JudgedRankings, setting: Setting) -> IntArray:
    """How many documents the top k holds: shape (N,)."""
    count: IntArray = (rankings.grades[:, : setting.k] != EMPTY).sum(axis=1)
    return count


def reach(held: BoolArray) -> IntArray:
    """How many of these places the top R holds, R = 0..w: shape (N, w + 1)."""
    counts = np.zeros((len(held), held.shape[1] + 1), dtype=np.int64)
    np.cumsum(held, axis=1, out=counts[:, 1:])
    return counts


def found_at(grades: GradeArray, how: Setting) -> FloatArray:
    """1 at each rank of one ranking that holds a relevant document, else 0: shape (n,)."""
    return (grades >= how.threshold).astype(np.float64)


def known_of(ranking: JudgedRankings, how: Setting) -> int:
    """How many relevant documents the query of one ranking has."""
    return int(ranking.known(how.threshold)[0])


def above(counted: FloatArray) -> FloatArray:
    """How many stand above each rank."""
    sums: FloatArray = np.cumsum(counted) - counted
    return sums


def ranks(grades: GradeArray) -> FloatArray:
    """The numbers of the ranks of one ranking, from 1."""
    return np.arange(1, len(grades) + 1, dtype=np.float64)


TermsOf = Callable[[GradeArray, JudgedRankings, Setting], Terms]


def each_relevant(norm: Callable[[GradeArray, JudgedRankings, Setting], float]) -> TermsOf:
    """The terms of a measure to which every relevant document adds alike."""

    def terms(grades: GradeArray, ranking: JudgedRankings, how: Setting) -> Terms:
        return found_at(grades, how), np.ones(len(grades)), norm(grades, ranking, how)

    return terms


def first_relevant(weights: Callable[[FloatArray], FloatArray]) -> TermsOf:
    """The terms of a measure to which only the first relevant document adds anything."""

    def terms(grades: GradeArray, _: JudgedRankings, how: Setting) -> Terms:
        found = found_at(grades, how)
        return found, np.where(above(found) == 0, weights(ranks(grades)), 0.0), 1.0

    return terms
