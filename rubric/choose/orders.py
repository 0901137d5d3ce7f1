"""Orders of judging: which pooled document's label is worth most, given the labels so far.

A strategy turns a survey into a rule. It may look at ranks, query and labels only: an order that
depends on what a document looks like would make the grade model's claims wrong.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Protocol

import numpy as np

from rubric.arrays import FloatArray, GradeArray, IntArray
from rubric.choose.fixed_orders import best_first, move_to_front, query_by_query, round_robin
from rubric.choose.priorities import (
    Rule,
    between_systems,
    first_what_supports,
    towards_credibility,
    towards_proof,
)
from rubric.choose.survey import Survey
from rubric.model.expectation import SPREAD
from rubric.model.pooled_ranks import PooledRanks
from rubric.model.stopping import SURE, Support, Verdict, is_clear, is_credible, verdict

NEAR = 0.01
"""A system no further behind the best than this is as good."""
_CLOSE = 0.01
"""Weight that every pair of systems keeps, so that no comparison is forgotten."""


class Strategy(Protocol):
    """An order of judging."""

    def rule(self, survey: Survey) -> Rule:
        """How to choose until the next survey."""

    def pairs(self, survey: Survey) -> Sequence[tuple[int, int]]:
        """The comparisons of two systems that what it is for hangs on."""

    def is_known(self, verdicts: Iterable[Verdict], survey: Survey) -> bool:
        """Whether what it is for is known well enough to stop, by the verdicts on these pairs."""


def reached(strategy: Strategy, survey: Survey) -> bool:
    """Whether what a strategy is for is known well enough to stop, as the survey sees it."""
    verdicts = (verdict_on(survey, *pair) for pair in strategy.pairs(survey))
    return strategy.is_known(verdicts, survey)


def verdict_on(survey: Survey, first: int, second: int) -> Verdict:
    """What may be said of two systems."""
    found = support(survey, [first, second])
    return verdict(*survey.bounds(first, second), survey.difference(first, second), found)


class _NoGoal:
    """Judges everything there is: only the end of the pool ends it."""

    def pairs(self, survey: Survey) -> Sequence[tuple[int, int]]:
        """No comparison."""
        return ()

    def is_known(self, verdicts: Iterable[Verdict], survey: Survey) -> bool:
        """Never."""
        return False


@dataclass(frozen=True)
class Depth(_NoGoal):
    """By best rank: queries in turn, or one query after the other, in an order from the seed."""

    seed: int = 0
    in_turn: bool = False

    def rule(self, survey: Survey) -> Rule:
        """How to choose; the survey tells only of ranks."""
        places = best_first(survey.pooled.ranks)
        turns = _turns(survey.pooled, self.seed)
        priorities = (round_robin if self.in_turn else query_by_query)(places, turns)
        return lambda _, rows: priorities[rows]


@dataclass(frozen=True)
class Random(_NoGoal):
    """All pairs in one shuffle."""

    seed: int = 0

    def rule(self, survey: Survey) -> Rule:
        """How to choose; the survey tells only how many there are."""
        priorities = np.random.default_rng(self.seed).random(survey.pooled.known.shape)
        return lambda _, rows: priorities[rows]


@dataclass(frozen=True)
class MoveToFront(_NoGoal):
    """Queries in turn, each by move-to-front pooling."""

    seed: int = 0

    def rule(self, survey: Survey) -> Rule:
        """How to choose; of the labels it uses whether they are above 0."""
        pooled, turns = survey.pooled, _turns(survey.pooled, self.seed)
        in_top = np.where(pooled.ranks <= pooled.k, pooled.ranks, 0)

        def priorities(grades: GradeArray, rows: IntArray) -> FloatArray:
            places = np.stack([move_to_front(in_top[:, row], grades[row]) for row in rows])
            span = np.int64(turns.max(initial=0) + 1)
            return np.asarray(1.0 / (1 + places * span + turns[rows][:, None]))

        return priorities


@dataclass(frozen=True)
class Decide:
    """Which of two systems is better: what moves the verdict most, then what proves it.

    Until the difference is credible the next document is the one whose label is expected to move
    the expected difference most: by what it says of itself and its query, and by what it teaches
    the model of all others. Where the difference is clear, those come first that a claim has too
    few of. Then the one that is expected to raise the least possible lead most.

    Documents that neither has in its top k wait until the difference is credible: they teach less
    than they seem to, and no claim rests on them.
    """

    first: int
    second: int

    def rule(self, survey: Survey) -> Rule:
        """How to choose until the next survey."""
        apart = survey.difference(self.first, self.second)
        support = self.support(survey)
        lead = survey.weights[self.first] - survey.weights[self.second]
        if is_credible(apart, support):
            return towards_proof(survey, lead if apart.mean > 0 else -lead)
        worth = towards_credibility(survey, lead)
        pair = [self.first, self.second]
        clear = support.labels > 0 and is_clear(apart)
        return first_what_supports(worth, survey, pair, support if clear else None)

    def pairs(self, survey: Survey) -> Sequence[tuple[int, int]]:
        """The two systems."""
        return [(self.first, self.second)]

    def is_known(self, verdicts: Iterable[Verdict], survey: Survey) -> bool:
        """Whether there is a verdict."""
        return _no_open(verdicts)

    def support(self, survey: Survey) -> Support:
        """What a claim may rest on: labels of the two systems' own documents."""
        return support(survey, [self.first, self.second])


@dataclass(frozen=True)
class Best:
    """Which system is best: the leader against those that may yet beat it."""

    def rule(self, survey: Survey) -> Rule:
        """How to choose until the next survey."""
        leader = int(survey.sums.mean(axis=0).argmax())
        weights = np.zeros((survey.pooled.systems,) * 2)
        weights[leader] = weights[:, leader] = _ahead_of(leader, survey.sums) + _CLOSE
        weights[leader, leader] = 0
        return between_systems(survey, weights)

    def pairs(self, survey: Survey) -> Sequence[tuple[int, int]]:
        """The leader with every rival, the nearest first."""
        leader, *rivals = best_of(survey)
        return [(leader, rival) for rival in rivals]

    def is_known(self, verdicts: Iterable[Verdict], survey: Survey) -> bool:
        """Whether the leader is settled to be, or is with enough chance, the best or nearly so."""
        enough = not support(survey, range(survey.pooled.systems)).missing
        return (enough and leads(survey) >= SURE) or all(one.settled for one in verdicts)


@dataclass(frozen=True)
class Rank:
    """How all systems rank: every pair, the closer the more."""

    def rule(self, survey: Survey) -> Rule:
        """How to choose until the next survey."""
        each = [_ahead_of(system, survey.sums) for system in range(survey.pooled.systems)]
        beats = np.column_stack(each)
        weights = beats * (1 - beats) + _CLOSE
        np.fill_diagonal(weights, 0)
        return between_systems(survey, weights)

    def pairs(self, survey: Survey) -> Sequence[tuple[int, int]]:
        """Neighbours in the ranking."""
        return list(pairwise(best_of(survey)))

    def is_known(self, verdicts: Iterable[Verdict], survey: Survey) -> bool:
        """Whether there is a verdict on all neighbours."""
        return _no_open(verdicts)


def _no_open(verdicts: Iterable[Verdict]) -> bool:
    return all(one is not Verdict.OPEN for one in verdicts)


def best_of(survey: Survey) -> list[int]:
    """The systems by what their means are expected to be, the best first."""
    by_rank: list[int] = np.argsort(-survey.means.mean(axis=0), kind="stable").tolist()
    return by_rank


def leads(survey: Survey) -> float:
    """P(the system with the largest expected mean is at most 0.01 behind the best)."""
    mean = survey.means.mean(axis=0)
    spread = mean + SPREAD * (survey.means - mean)
    return float((spread.max(axis=1) - spread[:, mean.argmax()] <= NEAR).mean())


def _ahead_of(system: int, sums: FloatArray) -> FloatArray:
    """How often each system is ahead of one: shape (S,)."""
    return np.asarray((sums > sums[:, [system]]).mean(axis=0))


def support(survey: Survey, systems: Sequence[int]) -> Support:
    """What a claim on systems may rest on: labels of documents that count for any of them."""
    pooled = survey.pooled
    query, place = np.nonzero(pooled.known & survey.counts_for(*systems))
    first = (pooled.ranks[list(systems)][:, query, place] == 1).any(axis=0)
    return Support.of(survey.supporting[query, place], query, first)


def _turns(pooled: PooledRanks, seed: int) -> IntArray:
    return np.random.default_rng(seed).permutation(len(pooled.known))
