"""An order of judging over a project's pool, kept by the strategies of :mod:`rubric`."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from typing import NamedTuple, Protocol

import numpy as np

from annotator.domain import BoolArray, Card, IntArray
from rubric.arrays import GradeArray
from rubric.choose.chooser import Chooser, checkpoints
from rubric.choose.orders import Strategy, reached
from rubric.choose.survey import survey
from rubric.choose.target import Target
from rubric.model.grade_model import GradeModel
from rubric.model.pooled_ranks import PooledRanks


class Thought(NamedTuple):
    """What a survey at some number of labels led to: how to choose, and whether one may stop."""

    chooser: Chooser
    reached: bool
    point: int


class Pool(Protocol):
    """Pairs of Q queries, up to P of each, and their labels."""

    @property
    def queries(self) -> IntArray:
        """The number of each query, rising: shape (Q,)."""

    @property
    def pairs(self) -> IntArray:
        """The number of each pair, 0 where a query has fewer, below 0 if not pooled: (Q, P)."""

    @property
    def ranks(self) -> PooledRanks:
        """Where systems ranked their documents."""

    @property
    def grades(self) -> GradeArray:
        """int8, shape (Q, P): the labels, -1 where there is none."""

    @property
    def given(self) -> IntArray:
        """The entry of the log that gave each label, 0 where there is none: shape (Q, P)."""

    @property
    def by_eye(self) -> BoolArray:
        """Which judged documents were picked for what they are: shape (Q, P)."""

    @property
    def foreign(self) -> BoolArray:
        """Of which labels it is not known how their documents were chosen: shape (Q, P)."""

    @property
    def target(self) -> Target:
        """The measure that is to be known."""

    @property
    def seed(self) -> int:
        """What everything random about it comes from."""


Background = Callable[[Callable[[], Thought]], "Future[Thought]"]
"""Begins some work; its result is there when the future is done."""


class PoolOrder:
    """Chooses among the pairs of a pool.

    A label costs its own query's priorities anew. The model is fitted again at certain numbers of
    labels (:func:`rubric.choose.chooser.checkpoints`), to those given first, and counts from the
    label after these on: what comes next depends on the log and the seed alone, also after a
    restart. It is fitted in the background; if that takes longer than a label, the order goes on by
    what it knows.

    Parameters
    ----------
    name
        What is stored with a judgment that came in this order.
    pool
        The pooled pairs and their labels.
    aside
        bool, shape (Q, P): the pairs that their assessor put aside, or that nobody pooled.
    as_of
        The last entry of the log that pool and ``aside`` reflect.
    stay
        Whether to judge up to five documents of a query in a row.
    latest
        Gives the pairs that the assessor judged in this order, the latest first.
    background
        How to work beside the assessor; None: in a thread of its own.

    Attributes
    ----------
    reached
        Whether what the order is for is known well enough to stop, as of the last survey.
    """

    def __init__(
        self,
        name: str,
        strategy: Strategy,
        pool: Pool,
        aside: BoolArray,
        *,
        as_of: int,
        stay: bool = False,
        latest: Callable[[], Sequence[int]] = list,
        background: Background | None = None,
    ) -> None:
        self.name, self.as_of, self._latest = name, as_of, latest
        self._seed, self._target = pool.seed, pool.target
        self._queries, self._pairs = pool.queries, pool.pairs
        self._by_number = pool.pairs.ravel().argsort()
        self._chooser = Chooser(
            pool.ranks,
            pool.grades,
            strategy,
            stay=stay,
            by_eye=pool.by_eye,
            foreign=pool.foreign,
            aside=aside,
        )
        self._given = pool.given.copy()
        self._points = [0, *checkpoints(0, int(pool.ranks.known.sum()))]
        self._last_given, self._stale = -1, False
        self._background = background or ThreadPoolExecutor(1, "order").submit
        self._thinking: Future[Thought] | None = None
        self._adopt(self._think(*self._first(self._point(self._chooser.labels - 1))))

    def take(self, card: Card) -> None:
        """What is now known of a pair, and whether it waits for the assessor."""
        place = self._place(card.pair)
        if place is None:
            return
        grade, given = (-1, 0) if card.label is None else (card.label, card.given)
        before = int(self._given[place])
        known = self._chooser.grades[place], self._chooser.by_eye[place], before
        if known != (grade, card.by_eye, given):
            self._stale |= any(0 < entry <= self._last_given for entry in (before, given))
            self._given[place] = given
            self._chooser.tell(*place, card.label, by_eye=card.by_eye)
        aside = card.label is None and card.mark is not None
        if self._chooser.aside[place] != aside:
            self._chooser.put_aside(*place, aside=aside)

    def next(self) -> tuple[int, int] | None:
        """The query and pair to judge next, None when nothing is left."""
        self._think_on()
        return self._numbers(self._chooser.next(self._rows()))

    def after(self, pair: int) -> tuple[int, int] | None:
        """The query and pair that follow if a label of this pair moves no other."""
        place = self._place(pair)
        return None if place is None else self._numbers(self._chooser.after(*place, self._rows()))

    def _rows(self) -> list[int]:
        """The queries of what was judged in this order, the latest first, if that matters."""
        latest = self._latest() if self._chooser.stay else []
        return [place[0] for pair in latest if (place := self._place(pair))]

    def _place(self, pair: int) -> tuple[int, int] | None:
        """Row and column of a pair, None if it is not among those that were pooled."""
        at = int(self._pairs.ravel().searchsorted(pair, sorter=self._by_number))
        place = int(self._by_number[min(at, len(self._by_number) - 1)])
        row, column = divmod(place, self._pairs.shape[1])
        return (row, column) if self._pairs[row, column] == pair else None

    def _numbers(self, place: tuple[int, int] | None) -> tuple[int, int] | None:
        return place and (int(self._queries[place[0]]), int(self._pairs[place]))

    @property
    def pooled(self) -> PooledRanks:
        """Where systems ranked the documents among which it chooses."""
        return self._chooser.pooled

    def _think_on(self) -> None:
        """Take in what is thought out, as far as it is due, and begin to think of what is next."""
        labels = self._chooser.labels
        while True:
            if self._thinking is not None:
                if not self._thinking.done():
                    return
                if self._thinking.exception() is not None:
                    self._thinking = None
                    return
                thought = self._thinking.result()
                if thought.point == labels:  # it counts from the next label on
                    return
                self._thinking = None
                if thought.point < labels:
                    self._adopt(thought)
            due = self._point(labels - 1)
            wanted = due if self._stale or due != self._adopted else self._point(labels)
            if wanted == self._adopted and not self._stale:
                return
            chooser, point = self._first(wanted)
            self._thinking = self._background(partial(self._think, chooser, point))

    def _point(self, labels: int) -> int:
        """The last number of labels, up to this one, at which a survey is due."""
        return self._points[max(0, bisect_right(self._points, labels) - 1)]

    def _first(self, count: int) -> tuple[Chooser, int]:
        """A chooser that knows of so many labels, those given first; and how many these are."""
        chooser = self._chooser.copy()
        judged = np.flatnonzero(chooser.grades >= 0)
        entries = np.sort(self._given.ravel()[judged])
        self._last_given = int(entries[count - 1]) if count else 0
        self._stale = False
        chooser.grades[self._given > self._last_given] = -1
        return chooser, count

    def _think(self, chooser: Chooser, point: int) -> Thought:
        # From nothing: a fit that began where another ended would differ in its last digits.
        model = GradeModel(chooser.pooled, len(self._target.gains) - 1)
        found = survey(
            model,
            chooser.grades,
            self._target,
            by_eye=chooser.by_eye,
            foreign=chooser.foreign,
            seed=self._seed,
        )
        chooser.adopt(found)
        return Thought(chooser, reached(chooser.strategy, found), point)

    def _adopt(self, thought: Thought) -> None:
        chooser, self.reached, self._adopted = thought
        chooser.catch_up_with(self._chooser)
        self._chooser = chooser
