"""Choosing the next pair to judge, one label after the other."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile

import numpy as np

from rubric.arrays import BoolArray, GradeArray, IntArray
from rubric.choose.orders import Strategy
from rubric.choose.priorities import Rule
from rubric.choose.survey import Survey, free_pairs
from rubric.model.pooled_ranks import PooledRanks

BATCH = 5
"""Documents of a query that are judged in a row where one stays with it."""
_LATEST = 200
"""So many labels back at most it is looked how long one has stayed with a query."""
_BLOCK = 100_000
"""Documents times systems looked at at a time where all priorities are computed."""


def checkpoints(first: int, last: int) -> list[int]:
    """At how many labels a survey is due, if the pool holds ``last`` pairs and has ``first``.

    At ten, then after every tenth more, but at least every hundredth of the pool.
    """
    due: list[int] = []
    at = 10.0
    while at < last:
        if int(at) > first and int(at) not in due[-1:]:
            due.append(int(at))
        at = max(at + 1, min(at * 1.1, at + 0.01 * last))
    return [*due, last]


class Chooser:
    """The next pair to judge under a strategy, given every label so far.

    A label brings the priorities of its own query up to date; those of the others wait for the next
    survey (:meth:`adopt`). What comes next depends on the strategy, the surveys and the labels.

    Parameters
    ----------
    pooled
        What is to be judged.
    grades
        int8, shape (Q, P): the labels so far, below 0 where there is none.
    strategy
        How to choose.
    stay
        Whether to judge up to five documents of a query in a row.
    by_eye, foreign
        As :func:`rubric.model.evidence.evidence` takes them.
    aside
        bool, shape (Q, P): what does not come next although it is not judged; None: nothing.
    """

    def __init__(
        self,
        pooled: PooledRanks,
        grades: GradeArray,
        strategy: Strategy,
        *,
        stay: bool = False,
        by_eye: BoolArray | None = None,
        foreign: BoolArray | None = None,
        aside: BoolArray | None = None,
    ) -> None:
        self.pooled, self.strategy, self.stay = pooled, strategy, stay
        self.grades = grades.astype(np.int8)
        nothing = np.zeros(pooled.known.shape, dtype=np.bool_)
        self.by_eye = nothing.copy() if by_eye is None else by_eye.copy()
        self.foreign = nothing.copy() if foreign is None else foreign.copy()
        self.aside = nothing if aside is None else aside.copy()
        self._priorities = np.full(pooled.known.shape, -np.inf)
        self._rule: Rule | None = None
        self._rows: list[int] = []

    @property
    def labels(self) -> int:
        """How many pairs of the pool are judged."""
        return int(np.sum(self.pooled.known & (self.grades >= 0)))

    @property
    def open(self) -> BoolArray:
        """Which pairs may come next: neither judged nor put aside, shape (Q, P)."""
        return free_pairs(self.pooled, self.grades) & ~self.aside

    def adopt(self, survey: Survey) -> None:
        """Choose by this survey from now on."""
        self.follow(self.strategy.rule(survey))

    def follow(self, rule: Rule) -> None:
        """Choose by this rule from now on."""
        self._rule = rule
        queries, width = self.grades.shape
        rows = max(1, _BLOCK // (width * self.pooled.systems))
        for start in range(0, queries, rows):
            self._refresh(np.arange(start, min(start + rows, queries)))

    def tell(self, row: int, column: int, grade: int | None, *, by_eye: bool = False) -> None:
        """A pair was given a grade, perhaps as it was picked by eye; or lost it (None)."""
        self.by_eye[row, column] = by_eye
        self.foreign[row, column] &= self.grades[row, column] >= 0
        self.grades[row, column] = -1 if grade is None else grade
        self._rows = self._rows[1:] if grade is None else [row, *self._rows[:_LATEST]]
        self._refresh(np.array([row]))

    def put_aside(self, row: int, column: int, aside: bool = True) -> None:
        """A pair is not to come next although it is not judged; or may again."""
        self.aside[row, column] = aside
        self._refresh(np.array([row]))

    def copy(self) -> Chooser:
        """A chooser of the same kind with the same labels, nothing put aside."""
        return Chooser(
            self.pooled,
            self.grades,
            self.strategy,
            stay=self.stay,
            by_eye=self.by_eye,
            foreign=self.foreign,
        )

    def catch_up_with(self, other: Chooser) -> None:
        """Take over from another one what it was told."""
        differ = np.any((self.grades != other.grades) | (self.aside != other.aside), axis=1)
        self.grades, self.aside = other.grades.copy(), other.aside.copy()
        self.by_eye = other.by_eye.copy()
        self._rows = other._rows
        for row in np.flatnonzero(differ):
            self._refresh(np.array([row]))

    def next(self, rows: Sequence[int] | None = None) -> tuple[int, int] | None:
        """Row and column of the pair to judge next, None when none is left.

        Parameters
        ----------
        rows
            The queries of the labels that were chosen so, the latest first, by which it is known
            how long one has stayed with a query; None: of those it was told of.

        Raises
        ------
        ValueError
            Before the first survey.
        """
        if self._rule is None:
            raise ValueError("nothing can be chosen before a survey")
        return self._staying(self._rows if rows is None else rows) if self.stay else self._best()

    def after(
        self, row: int, column: int, rows: Sequence[int] | None = None
    ) -> tuple[int, int] | None:
        """What comes after a pair whose label moves the priority of no other; None if nothing."""
        here = self._priorities[row, column]
        self._priorities[row, column] = -np.inf
        found = self.next([row, *(self._rows if rows is None else rows)])
        self._priorities[row, column] = here
        return found

    def _staying(self, rows: Sequence[int]) -> tuple[int, int] | None:
        """The best of the query that one is with; after five of it of the richest query."""
        with_it = sum(1 for _ in takewhile(lambda row: row == rows[0], rows))
        if with_it % BATCH and np.isfinite(self._priorities[rows[0]]).any():
            return rows[0], int(self._priorities[rows[0]].argmax())
        row = self._richest()
        column = int(self._priorities[row].argmax())
        return (row, column) if np.isfinite(self._priorities[row, column]) else None

    def _best(self) -> tuple[int, int] | None:
        row, column = divmod(int(self._priorities.argmax()), self.grades.shape[1])
        return (row, column) if np.isfinite(self._priorities[row, column]) else None

    def _richest(self) -> int:
        """The query whose best few are worth most together."""
        count = min(BATCH, self.grades.shape[1])
        best = -np.partition(-self._priorities, count - 1, axis=1)[:, :count]
        finite = np.isfinite(best)
        sums = np.where(finite.any(axis=1), np.where(finite, best, 0.0).sum(axis=1), -np.inf)
        return int(sums.argmax())

    def _refresh(self, rows: IntArray) -> None:
        if self._rule is not None:
            worth = self._rule(self.grades, rows)
            self._priorities[rows] = np.where(self.open[rows], worth, -np.inf)
