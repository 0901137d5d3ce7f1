"""An order of judging over a project's pool, kept by the strategies of :mod:`rubric`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import NamedTuple

import numpy as np

from annotator.records import Card, IntArray
from rubric.arrays import FloatArray
from rubric.choosing import Chooser, checkpoints
from rubric.grade_model import GradeModel
from rubric.pooled_ranks import PooledRanks
from rubric.strategies import Strategy
from rubric.survey import survey


class Thought(NamedTuple):
    """What a survey of the pool led to: how to choose, and whether enough is known to stop."""

    chooser: Chooser
    reached: bool


Background = Callable[[Callable[[], Thought]], "Future[Thought]"]
"""Begins some work; its result is there when the future is done."""


class PoolOrder:
    """Chooses among the pairs of a pool.

    A label costs its own query's priorities anew. The model is fitted again now and then, in the
    background: until that is done the order goes on by what it knew.

    Parameters
    ----------
    name
        What is stored with a judgment that came in this order.
    pooled, queries, pairs
        Where systems ranked the pooled documents; the number of each query, (Q,), and of each pair,
        (Q, P).
    cards
        Every pooled pair as its assessor has it.
    gains
        The gain of each grade, (G + 1,).
    as_of
        The last entry of the log that the cards reflect.
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
        pooled: PooledRanks,
        queries: IntArray,
        pairs: IntArray,
        cards: Sequence[Card],
        gains: FloatArray,
        *,
        as_of: int,
        stay: bool = False,
        seed: int = 0,
        background: Background | None = None,
    ) -> None:
        self.name, self.as_of = name, as_of
        self._seed, self._gains = seed, gains
        self._queries, self._pairs = queries, pairs
        rows, columns = np.nonzero(pooled.known)
        self._place = {
            int(pair): (int(row), int(column))
            for pair, row, column in zip(pairs[rows, columns], rows, columns, strict=True)
        }
        self._model = GradeModel(pooled, len(gains) - 1)
        nothing = np.full(pooled.known.shape, -1, dtype=np.int8)
        self._chooser = Chooser(pooled, nothing, strategy, stay=stay)
        for card in cards:
            self.take(card)
        self._background = background or ThreadPoolExecutor(1, "order").submit
        self._thinking: Future[Thought] | None = None
        self._adopt(self._think(self._chooser.copy()))

    def take(self, card: Card) -> None:
        """What is now known of a pair, and whether it waits for the assessor."""
        place = self._place.get(card.pair)
        if place is None:
            return
        known = self._chooser.grades[place], self._chooser.by_eye[place]
        if known != (-1 if card.grade is None else card.grade, card.by_eye):
            self._chooser.tell(*place, card.grade, by_eye=card.by_eye)
        aside = card.grade is None and card.mark is not None
        if self._chooser.aside[place] != aside:
            self._chooser.put_aside(*place, aside=aside)

    def next(self) -> tuple[int, int] | None:
        """The query and pair to judge next, None when nothing is left."""
        self._think_on()
        return self._numbers(self._chooser.next())

    def after(self, pair: int) -> tuple[int, int] | None:
        """The query and pair that follow if a label of this pair moves no other."""
        place = self._place.get(pair)
        return None if place is None else self._numbers(self._chooser.after(*place))

    def _numbers(self, place: tuple[int, int] | None) -> tuple[int, int] | None:
        return place and (int(self._queries[place[0]]), int(self._pairs[place]))

    @property
    def pooled(self) -> PooledRanks:
        """Where systems ranked the documents among which it chooses."""
        return self._chooser.pooled

    def _think_on(self) -> None:
        """Begin a survey that is due; take in one that is done. One that failed changes nothing."""
        if self._thinking is None and self._chooser.labels >= self._due:
            chooser = self._chooser.copy()
            self._thinking = self._background(lambda: self._think(chooser))
        if self._thinking is not None and self._thinking.done():
            done, self._thinking = self._thinking, None
            if done.exception() is None:
                self._adopt(done.result())

    def _think(self, chooser: Chooser) -> Thought:
        found = survey(
            self._model, chooser.grades, self._gains, by_eye=chooser.by_eye, seed=self._seed
        )
        chooser.adopt(found)
        return Thought(chooser, chooser.strategy.reached(found, stay=chooser.stay))

    def _adopt(self, thought: Thought) -> None:
        chooser, self.reached = thought
        labels = chooser.labels
        self._due = next(iter(checkpoints(labels, int(chooser.pooled.known.sum()))))
        chooser.catch_up_with(self._chooser)
        self._chooser = chooser
