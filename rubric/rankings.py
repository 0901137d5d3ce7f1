"""Rankings with the grades of their documents, as arrays over many queries at once."""

from __future__ import annotations

from dataclasses import dataclass, replace

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
    tied
        int64, shape (N, depth), or None: the rank (from 0) at which the tie of each rank begins.
        With it a score is the mean over all orders that the ties allow.
    """

    grades: GradeArray
    judged: IntArray
    unjudged: IntArray
    tied: IntArray | None = None

    @property
    def top(self) -> int:
        """The highest grade, G."""
        return int(self.judged.shape[1]) - 1

    def only(self, rows: IntArray | BoolArray | slice) -> JudgedRankings:
        """Some of the rankings."""
        tied = None if self.tied is None else self.tied[rows]
        return JudgedRankings(self.grades[rows], self.judged[rows], self.unjudged[rows], tied)

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

    def in_top(self, k: int | None) -> BoolArray:
        """Where documents stand that the top k holds, in some order of the ties: (N, k or depth).

        With ties a row is as wide as the whole ranking: a tie that begins within the top k may
        reach far beyond it.
        """
        if k is None or self.tied is None:
            return np.asarray(self.grades[:, :k] != EMPTY)
        return np.asarray((self.grades != EMPTY) & (self.tied < k))

    def open_in_top(self, k: int | None) -> BoolArray:
        """Where nobody has graded these documents."""
        held = self.in_top(k)
        return held & is_unjudged(self.grades[:, : held.shape[1]])

    def beside(self, k: int | None) -> IntArray:
        """How many unjudged documents of the query the top k does not hold: shape (N,)."""
        inside: IntArray = self.open_in_top(k).sum(axis=1)
        outside: IntArray = np.maximum(self.unjudged - inside, 0)
        return outside


def condense(rankings: JudgedRankings) -> JudgedRankings:
    """Remove the unjudged documents, so that the judged ones close up (Sakai 2007).

    The depth of the result is that of the ranking with the most judged documents.
    """
    rows, ranks = np.nonzero(rankings.grades >= 0)
    place = place_in_row(rows, len(rankings.grades))
    depth = int(place.max(initial=-1)) + 1
    grades = np.full((len(rankings.grades), depth), EMPTY, dtype=np.int8)
    grades[rows, place] = rankings.grades[rows, ranks]
    if rankings.tied is None:
        return replace(rankings, grades=grades)
    ties = np.full(grades.shape, -1, dtype=np.int64)
    ties[rows, place] = rankings.tied[rows, ranks]
    return replace(rankings, grades=grades, tied=first_of_ties(ties))


def place_in_row(rows: IntArray, count: int) -> IntArray:
    """For rising row numbers below ``count``, how many of the same row stand before each."""
    starts = np.searchsorted(rows, np.arange(count))
    return np.arange(len(rows)) - starts[rows]


def first_of_ties(values: FloatArray | IntArray) -> IntArray:
    """Where each run of equal neighbours begins, row by row: shape (N, depth), ranks from 0."""
    begins = np.ones(values.shape, dtype=np.bool_)
    begins[:, 1:] = values[:, 1:] != values[:, :-1]
    ranks = np.arange(values.shape[1])
    return np.maximum.accumulate(np.where(begins, ranks, 0), axis=1)


def own_documents_only(rankings: JudgedRankings) -> JudgedRankings:
    """The same rankings as if nothing but what each returned had been judged.

    Takes the ideal from the documents returned, which flatters: for comparison with tools that
    do so.
    """
    counts = [(rankings.grades == grade).sum(axis=1) for grade in range(rankings.top + 1)]
    return replace(
        rankings,
        judged=np.stack(counts, axis=1),
        unjudged=is_unjudged(rankings.grades).sum(axis=1),
    )


def gains_at(grades: GradeArray, gains: FloatArray) -> FloatArray:
    """The gain at each rank, 0 where nothing is judged."""
    return np.where(grades >= 0, gains[np.maximum(grades, 0)], 0.0)


def is_unjudged(grades: GradeArray) -> BoolArray:
    """Where a ranking holds a document that nobody has graded."""
    return np.asarray((grades == UNJUDGED) | (grades == UNPOOLED))


def hopeful(grades: GradeArray, top: int) -> GradeArray:
    """The same rankings with every unjudged document at the highest grade."""
    return np.where(is_unjudged(grades), np.int8(top), grades)
