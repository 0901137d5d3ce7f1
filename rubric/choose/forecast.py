"""How many more labels a goal is likely to take: campaigns in worlds drawn from the grade model."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from rubric.arrays import BoolArray, GradeArray
from rubric.choose.campaign import campaign
from rubric.choose.chooser import Chooser
from rubric.choose.orders import Strategy, reached
from rubric.choose.survey import Survey, free_pairs
from rubric.choose.target import Target
from rubric.model.evidence import evidence
from rubric.model.grade_model import GradeModel
from rubric.model.pooled_ranks import PooledRanks

WORLDS = 9
"""Worlds that tell a median and a range well enough for a plan."""
_LOOKS = 20
"""Into so many parts what is left is divided at most, each ended by a survey."""


@dataclass(frozen=True)
class Forecast:
    """More labels until a goal is reached, in each world that was tried.

    Parameters
    ----------
    labels
        Rising; 0 where the goal is reached already. Last come the worlds that were left when time
        was up, which take as many or more.
    unfinished
        How many of those there are.
    """

    labels: tuple[int, ...]
    unfinished: int = 0

    @property
    def median(self) -> int | None:
        """The labels that half of the worlds take; None where that is not known."""
        at = len(self.labels) // 2
        return self.labels[at] if at < len(self.labels) - self.unfinished else None

    @property
    def range(self) -> tuple[int, int]:
        """The fewest and the most labels that any world took; of those finished, if any was."""
        known = self.labels[: len(self.labels) - self.unfinished] or self.labels
        return min(known), max(known)


def forecast(
    pooled: PooledRanks,
    grades: GradeArray,
    target: Target,
    strategy: Strategy,
    *,
    by_eye: BoolArray | None = None,
    foreign: BoolArray | None = None,
    worlds: int = WORLDS,
    seed: int = 0,
    time_is_up: Callable[[], bool] = lambda: False,
) -> Forecast:
    """Judge on from here by a strategy until its goal is reached, in worlds drawn from the model.

    Parameters
    ----------
    grades
        int8, shape (Q, P): the labels so far, below 0 where there is none.
    by_eye, foreign
        As :func:`rubric.model.evidence.evidence` takes them.
    time_is_up
        Asked at each survey and label; once it says so, what is not finished is left.
    """
    model = GradeModel(pooled, len(target.gains) - 1)
    learned = evidence(pooled, grades, by_eye, foreign).learned
    model.fit(np.where(learned, grades, -1).astype(np.int8))
    rows, columns = np.nonzero(free_pairs(pooled, grades))
    drawn = model.draw(worlds, np.random.default_rng(seed), rows, columns)
    took: list[tuple[bool, int]] = []
    for one in drawn:
        truth = grades.copy()
        truth[rows, columns] = one
        chooser = Chooser(pooled, grades, strategy, by_eye=by_eye, foreign=foreign)
        took.append(_labels_in(chooser, truth, target, seed, time_is_up))
        if time_is_up():
            break
    return Forecast(
        tuple(labels for _, labels in sorted(took)), sum(unfinished for unfinished, _ in took)
    )


def _labels_in(
    chooser: Chooser,
    truth: GradeArray,
    target: Target,
    seed: int,
    time_is_up: Callable[[], bool],
) -> tuple[bool, int]:
    """Whether time was up before the goal was reached in one world, and the labels it took."""
    begun, every = chooser.labels, int(chooser.pooled.known.sum())
    surveys = campaign(
        chooser,
        GradeModel(chooser.pooled, len(target.gains) - 1),
        target,
        lambda row, column: int(truth[row, column]),
        at=_schedule(begun, every),
        seed=seed,
        time_is_up=time_is_up,
    )
    found: Survey | None = None
    for found in surveys:
        if reached(chooser.strategy, found):
            return False, found.labels - begun
        if time_is_up():
            return True, found.labels - begun
    return chooser.labels < every, chooser.labels - begun


def _schedule(labels: int, every: int) -> list[int]:
    """Surveys a fifth more labels apart: a plan need not be exact to the label."""
    due = [labels]
    while due[-1] < every:
        step = max(2, min(due[-1] // 5, (every - labels) // _LOOKS))
        due.append(min(every, due[-1] + step))
    return due[1:]
