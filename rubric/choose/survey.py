"""What labels and grade model say of a pool at one moment: the ground that an order stands on."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from rubric.arrays import BoolArray, FloatArray, GradeArray, IntArray, product
from rubric.choose.label_value import Precision
from rubric.choose.proof_gain import least_between_firsts, least_difference
from rubric.choose.responses import Outlook
from rubric.choose.target import Target
from rubric.model.evidence import Evidence, evidence
from rubric.model.expectation import Estimate
from rubric.model.grade_model import GradeModel
from rubric.model.pooled_ranks import PooledRanks

DRAWS, _MOST, _QUICK = 160, 1_000, 400_000
"""Draws of the grades that tell the systems' scores apart well enough to choose by; up to the most
while documents times draws are quickly made, since claims are looked at again and again, and the
noise of few draws now and then makes one early."""
_FEWEST, _CELLS = 60, 8_000_000
"""Large pools get fewer draws: so many documents times draws, but never fewer draws than that."""
_CACHED = 64_000
"""Documents times draws of which the gains stay in the processor's cache."""


@dataclass(frozen=True, eq=False)
class Survey:
    """A fitted grade model, and the systems' scores drawn from it.

    Parameters
    ----------
    pooled, target
        What is to be judged, and the measure that is to be known.
    grades
        int8, shape (Q, P): the labels at that moment, below 0 where there is none.
    evidence
        Which of these the model has learned from, and whether anything may be claimed.
    chances, probabilities
        P(grade >= t | grade >= t - 1), shape (Q, P, G), and P(grade), shape (Q, P, G + 1), of each
        document as if it were not judged.
    precision
        How sure the model is of its parameters and query effects.
    sums
        float64, shape (draws, S): each system's score summed over queries, under grades drawn for
        everything that is not judged. A query without a relevant document adds 0.
    """

    pooled: PooledRanks
    target: Target
    grades: GradeArray
    evidence: Evidence
    chances: FloatArray
    probabilities: FloatArray
    precision: Precision
    sums: FloatArray

    @property
    def means(self) -> FloatArray:
        """Each system's mean score over the queries under each draw: shape (draws, S)."""
        return np.asarray(self.sums / max(1, len(self.grades)))

    @property
    def labels(self) -> int:
        """How many pooled documents are judged."""
        return int(np.sum(self.pooled.known & (self.grades >= 0)))

    @property
    def supporting(self) -> BoolArray:
        """The labels that a claim may rest on, (Q, P): none where none may be made."""
        return np.asarray(self.evidence.learned & (self.evidence.withheld is None))

    @cached_property
    def weights(self) -> FloatArray:
        """What a unit of each document's gain adds to each system's sum: shape (S, Q, P)."""
        return self.target.weights(self.pooled.ranks)

    def counts_for(self, *systems: int) -> BoolArray:
        """Which documents count for any of these systems: shape (Q, P)."""
        return np.asarray((self.weights[list(systems)] > 0).any(axis=0))

    def difference(self, first: int, second: int) -> Estimate:
        """What the mean difference of two systems is expected to be."""
        return Estimate.over(self.means[:, first] - self.means[:, second])

    def bounds(self, first: int, second: int) -> tuple[float, float]:
        """The least and the greatest mean difference of two systems over all queries. Exact."""
        free = free_pairs(self.pooled, self.grades)

        def least(one: FloatArray, other: FloatArray) -> float:
            if self.target.first_only:
                relevant = self.grades >= first_gained(self.target.gains)
                each = least_between_firsts(one, other, free, relevant)
            else:
                each = least_difference(one - other, free, self.grades, self.target)
            return float(each.sum()) / max(1, len(self.grades))

        one, other = self.weights[[first, second]]
        return least(one, other), -least(other, one)

    def outlook(self, coefficients: FloatArray, grades: GradeArray, rows: IntArray) -> Outlook:
        """What to expect of these queries, now that ``grades`` (Q, P) are known.

        ``coefficients`` has shape (S, Q, P).
        """
        given, known = grades[rows], self.pooled.known[rows]
        probabilities = self.probabilities[rows]
        levels = np.arange(len(self.target.gains))
        probabilities = np.where(
            (given >= 0)[:, :, None], given[:, :, None] == levels, probabilities
        )
        return Outlook(coefficients[:, rows], probabilities * known[:, :, None], self.target)


def survey(
    model: GradeModel,
    grades: GradeArray,
    target: Target,
    *,
    by_eye: BoolArray | None = None,
    foreign: BoolArray | None = None,
    seed: int = 0,
    draws: int | None = None,
) -> Survey:
    """Fit the model to the labels, and draw the systems' scores.

    ``by_eye`` and ``foreign`` (Q, P) are as :func:`rubric.model.evidence.evidence` takes them.
    ``draws`` None: as many as are quickly made. The same labels and seed give the same result.
    """
    found = evidence(model.pooled, grades, by_eye, foreign)
    model.fit(np.where(found.learned, grades, -1).astype(np.int8))
    pooled = model.pooled
    documents = max(1, int(pooled.known.sum()))
    if draws is None:
        draws = min(_MOST, max(DRAWS, _QUICK // documents))
    draws = min(draws, max(_FEWEST, _CELLS // documents))
    return Survey(
        pooled=pooled,
        target=target,
        grades=grades.copy(),
        evidence=found,
        chances=model.chances(),
        probabilities=model.probabilities(),
        precision=Precision(
            model.precision.copy(), model.query_precision.copy(), model.cross.copy()
        ),
        sums=drawn_sums(model, grades, target, draws, np.random.default_rng(seed)),
    )


def free_pairs(pooled: PooledRanks, grades: GradeArray) -> BoolArray:
    """Which pooled documents nobody has judged: shape (Q, P)."""
    return np.asarray(pooled.known & (grades < 0))


def drawn_sums(
    model: GradeModel,
    grades: GradeArray,
    target: Target,
    draws: int,
    rng: np.random.Generator,
) -> FloatArray:
    """Each system's score summed over queries, under drawn grades: shape (draws, S)."""
    pooled = model.pooled
    rows, columns = np.nonzero(free_pairs(pooled, grades))
    drawn = model.draw(draws, rng, rows, columns) if len(rows) else np.zeros((draws, 0), np.int8)
    scored = _firsts if target.first_only else _weighted
    return scored(_Drawn(pooled, grades, rows, columns, drawn), target)


class _Drawn(NamedTuple):
    """The grades that are known, (Q, P), and those drawn of n others, by row and column: (D, n)."""

    pooled: PooledRanks
    grades: GradeArray
    rows: IntArray
    columns: IntArray
    drawn: GradeArray


def _weighted(found: _Drawn, target: Target) -> FloatArray:
    """Sums of gain times weight, each divided by its ideal's."""
    levels, steps = np.arange(1, len(target.gains)), np.diff(target.gains)
    every = target.weights(found.pooled.ranks)
    judged = (found.grades[:, :, None] >= levels) & found.pooled.known[:, :, None]
    counts = judged.sum(axis=1)
    base = (every * (judged @ steps)).sum(axis=2)
    touched, starts = np.unique(found.rows, return_index=True)
    whole = np.setdiff1d(np.arange(len(counts)), touched)
    settled = (base[:, whole] * _inverse(target.ideal(counts[whole]))).sum(axis=1)
    if not len(touched):
        return np.tile(settled, (len(found.drawn), 1))
    reach = [
        np.add.reduceat((found.drawn >= level).view(np.int8), starts, axis=1, dtype=np.int16)
        for level in levels
    ]
    inverse = _inverse(target.ideal(counts[touched] + np.stack(reach, axis=-1)))
    sums = settled + inverse @ base[:, touched].T
    at_row = np.repeat(np.arange(len(touched)), np.diff([*starts, len(found.rows)]))
    weights = np.ascontiguousarray(every[:, found.rows, found.columns].T)
    size = max(1, _CACHED // len(found.drawn))
    for start in range(0, len(found.rows), size):
        part = slice(start, start + size)
        gained = target.gains[found.drawn[:, part]]
        sums += product(gained * inverse[:, at_row[part]], weights[part])
    return np.asarray(sums)


def _firsts(found: _Drawn, target: Target) -> FloatArray:
    """Sums of what the first relevant document of each query is worth."""
    least = first_gained(target.gains)
    every = target.weights(found.pooled.ranks)
    base = np.where(found.pooled.known & (found.grades >= least), every, 0.0).max(axis=2, initial=0)
    touched, starts = np.unique(found.rows, return_index=True)
    sums = np.tile(np.delete(base, touched, axis=1).sum(axis=1), (len(found.drawn), 1))
    if not len(touched):
        return sums
    relevant = found.drawn >= least
    for system, weights in enumerate(every[:, found.rows, found.columns]):
        best = np.maximum.reduceat(np.where(relevant, weights, 0.0), starts, axis=1)
        sums[:, system] += np.maximum(best, base[system, touched]).sum(axis=1)
    return sums


def first_gained(gains: FloatArray) -> int:
    """The least grade that gains anything."""
    return int(np.argmax(gains > 0))


def _inverse(ideal: FloatArray) -> FloatArray:
    return np.asarray(np.divide(1.0, ideal, out=np.zeros_like(ideal), where=ideal > 0))
