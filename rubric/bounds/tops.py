"""The top k of two systems, side by side: what a difference of their scores can hang on."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rubric.arrays import BoolArray, GradeArray, IntArray
from rubric.rankings import JudgedRankings, is_unjudged
from rubric.setting import Setting


@dataclass(frozen=True, eq=False)
class Tops:
    """N queries' top k in a first and a second system; relevant or not is all that counts.

    Parameters
    ----------
    first, second
        int8, shapes (N, v) and (N, w): the grade at each rank, as :class:`JudgedRankings` has it.
    in_second, in_first
        int64, shapes (N, v) and (N, w): the rank (from 0) of the same document in the other's top
        k, -1 where that does not hold it.
    known
        int64, shape (N,): relevant judged documents of the query.
    beside
        int64, shape (N,): unjudged documents of the query that neither top k holds.
    threshold
        The least relevant grade.
    """

    first: GradeArray
    second: GradeArray
    in_second: IntArray
    in_first: IntArray
    known: IntArray
    beside: IntArray
    threshold: int

    @classmethod
    def of(
        cls, first: JudgedRankings, second: JudgedRankings, place: IntArray, how: Setting
    ) -> Tops:
        """Cut two systems' rankings; ``place`` says where the second holds each of the first."""
        one, two = first.grades[:, : how.k], second.grades[:, : how.k]
        in_second = np.full(one.shape, -1, dtype=np.int64)
        known = place[:, : one.shape[1]]
        in_second[:, : known.shape[1]] = np.where(known < two.shape[1], known, -1)
        in_first = np.full(two.shape, -1, dtype=np.int64)
        rows, ranks = np.nonzero(in_second >= 0)
        in_first[rows, in_second[rows, ranks]] = ranks
        inside = is_unjudged(one).sum(axis=1) + (is_unjudged(two) & (in_first < 0)).sum(axis=1)
        return cls(
            first=one,
            second=two,
            in_second=in_second,
            in_first=in_first,
            known=first.known(how.threshold),
            beside=np.maximum(first.unjudged - inside, 0),
            threshold=how.threshold,
        )

    def swapped(self) -> Tops:
        """These tops with the two systems exchanged."""
        return Tops(
            self.second, self.first, self.in_first, self.in_second,
            self.known, self.beside, self.threshold,
        )  # fmt: skip

    @property
    def depth(self) -> int:
        """Ranks of the deeper of the two."""
        return int(max(self.first.shape[1], self.second.shape[1]))

    @property
    def relevant(self) -> tuple[BoolArray, BoolArray]:
        """Where each holds a document known to be relevant."""
        return self.first >= self.threshold, self.second >= self.threshold

    @property
    def open_(self) -> tuple[BoolArray, BoolArray]:
        """Where each holds a document that nobody has judged."""
        return is_unjudged(self.first), is_unjudged(self.second)

    @property
    def same_place(self) -> BoolArray:
        """Which ranks of the first hold what the second holds there: shape (N, v)."""
        return np.asarray(self.in_second == np.arange(self.first.shape[1]))
