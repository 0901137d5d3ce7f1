"""Rankings with the grades of their documents, as arrays over many queries at once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rubric.arrays import BoolArray, FloatArray, GradeArray, IntArray

UNJUDGED = -1
"""Stands at a rank whose document is pooled, and that nobody has graded."""

EMPTY = -2
"""Stands at a rank that holds no document."""

UNPOOLED = -3
"""Stands at a rank whose document is outside the pool, and that nobody has graded."""


@dataclass(frozen=True, eq=False)
class JudgedRankings:
    """N rankings, each of one system for one query.

    Parameters
    ----------
    grades
        int8, shape (N, depth): the grade of the document at each rank, :data:`UNJUDGED`,
        :data:`UNPOOLED`, or :data:`EMPTY` (only after the last document).
    judged
        int64, shape (N, G + 1): how many judged documents the query has at each grade 0..G,
        retrieved or not. The ideal ranking is made of these.
    unjudged
        int64, shape (N,): how many unjudged documents of the query could still be graded; at
        least those in the evaluated top k of this ranking, and those of the pool beside them.
    """

    grades: GradeArray
    judged: IntArray
    unjudged: IntArray

    @property
    def top(self) -> int:
        """The highest grade, G."""
        return int(self.judged.shape[1]) - 1

    def cut(self, k: int | None) -> GradeArray:
        """The first k ranks, shape (N, k), :data:`EMPTY` where a ranking is shorter; None: all."""
        grades = self.grades[:, :k]
        if k is None or grades.shape[1] == k:
            return grades
        room = np.full((len(grades), k - grades.shape[1]), EMPTY, dtype=np.int8)
        return np.hstack([grades, room])

    def judged_at_least(self) -> IntArray:
        """How many judged documents have grade t or more, for t = 1..G: shape (N, G)."""
        return np.cumsum(self.judged[:, ::-1], axis=1)[:, -2::-1]

    def known(self, threshold: int) -> IntArray:
        """How many judged documents reach the threshold, retrieved or not: shape (N,)."""
        count: IntArray = self.judged[:, threshold:].sum(axis=1)
        return count

    def beside(self, k: int | None) -> IntArray:
        """How many unjudged documents of the query the top k does not hold: shape (N,)."""
        inside: IntArray = is_unjudged(self.grades[:, :k]).sum(axis=1)
        outside: IntArray = np.maximum(self.unjudged - inside, 0)
        return outside


def condense(grades: GradeArray) -> GradeArray:
    """Remove the unjudged documents, so that the judged ones close up (Sakai 2007).

    Takes and gives shape (N, depth); freed places at the end are :data:`EMPTY`.
    """
    order = np.argsort(grades < 0, axis=1, kind="stable")
    closed = np.take_along_axis(grades, order, axis=1)
    return np.where(closed < 0, np.int8(EMPTY), closed)


def gains_at(grades: GradeArray, gains: FloatArray) -> FloatArray:
    """The gain at each rank, 0 where nothing is judged."""
    return np.where(grades >= 0, gains[np.maximum(grades, 0)], 0.0)


def is_unjudged(grades: GradeArray) -> BoolArray:
    """Where a ranking holds a document that nobody has graded."""
    return np.asarray((grades == UNJUDGED) | (grades == UNPOOLED))


def hopeful(grades: GradeArray, top: int) -> GradeArray:
    """The same rankings with every unjudged document at the highest grade."""
    return np.where(is_unjudged(grades), np.int8(top), grades)
