"""What labels and grade model say of a pool at one moment: the ground that an order stands on."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rubric.arrays import BoolArray, FloatArray, GradeArray, IntArray, product
from rubric.choose.label_value import Precision
from rubric.choose.proof_gain import least_difference
from rubric.choose.responses import Outlook
from rubric.measures.ndcg import discount_sums
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
    pooled, gains
        What is to be judged, and the gain of each grade 0..G.
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
        float64, shape (draws, S): each system's nDCG@k summed over queries, under grades drawn for
        everything that is not judged. A query without a relevant document adds 0.
    """

    pooled: PooledRanks
    gains: FloatArray
    grades: GradeArray
    evidence: Evidence
    chances: FloatArray
    probabilities: FloatArray
    precision: Precision
    sums: FloatArray

    @property
    def means(self) -> FloatArray:
        """Each system's mean nDCG@k over the queries under each draw: shape (draws, S)."""
        return np.asarray(self.sums / max(1, len(self.grades)))

    @property
    def labels(self) -> int:
        """How many pooled documents are judged."""
        return int(np.sum(self.pooled.known & (self.grades >= 0)))

    @property
    def supporting(self) -> BoolArray:
        """The labels that a claim may rest on, (Q, P): none where none may be made."""
        return np.asarray(self.evidence.learned & (self.evidence.withheld is None))

    @property
    def ideal_sums(self) -> FloatArray:
        """What the best n places of the ideal weigh together, n = 0..k."""
        return discount_sums(self.pooled.k)

    def difference(self, first: int, second: int) -> Estimate:
        """What the mean difference of two systems is expected to be."""
        return Estimate.over(self.means[:, first] - self.means[:, second])

    def bounds(self, first: int, second: int) -> tuple[float, float]:
        """The least and the greatest mean difference of two systems over all queries. Exact."""
        lead = self.pooled.discounts[first] - self.pooled.discounts[second]
        free = free_pairs(self.pooled, self.grades)

        def least(coefficients: FloatArray) -> float:
            known = self.grades, self.gains, self.ideal_sums
            each = least_difference(coefficients, free, *known)
            return float(each.sum()) / max(1, len(self.grades))

        return least(lead), -least(-lead)

    def outlook(self, coefficients: FloatArray, grades: GradeArray, rows: IntArray) -> Outlook:
        """What to expect of these queries, now that ``grades`` (Q, P) are known.

        ``coefficients`` has shape (S, Q, P).
        """
        given, known = grades[rows], self.pooled.known[rows]
        probabilities = self.probabilities[rows]
        levels = np.arange(len(self.gains))
        probabilities = np.where(
            (given >= 0)[:, :, None], given[:, :, None] == levels, probabilities
        )
        return Outlook(
            coefficients[:, rows], probabilities * known[:, :, None], self.gains, self.ideal_sums
        )


def survey(
    model: GradeModel,
    grades: GradeArray,
    gains: FloatArray,
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
        gains=gains,
        grades=grades.copy(),
        evidence=found,
        chances=model.chances(),
        probabilities=model.probabilities(),
        precision=Precision(
            model.precision.copy(), model.query_precision.copy(), model.cross.copy()
        ),
        sums=drawn_sums(model, grades, gains, draws, np.random.default_rng(seed)),
    )


def free_pairs(pooled: PooledRanks, grades: GradeArray) -> BoolArray:
    """Which pooled documents nobody has judged: shape (Q, P)."""
    return np.asarray(pooled.known & (grades < 0))


def drawn_sums(
    model: GradeModel,
    grades: GradeArray,
    gains: FloatArray,
    draws: int,
    rng: np.random.Generator,
) -> FloatArray:
    """Each system's nDCG summed over queries, under drawn grades: shape (draws, S)."""
    pooled = model.pooled
    rows, columns = np.nonzero(free_pairs(pooled, grades))
    levels, steps = np.arange(1, len(gains)), np.diff(gains)
    judged = (grades[:, :, None] >= levels) & pooled.known[:, :, None]
    counts = judged.sum(axis=1)
    ideal_sums = discount_sums(pooled.k)
    base = (pooled.discounts * (judged @ steps)).sum(axis=2)
    touched, starts = np.unique(rows, return_index=True)
    whole = np.setdiff1d(np.arange(len(counts)), touched)
    ideal = ideal_sums[np.minimum(counts[whole], pooled.k)] @ steps
    settled = (base[:, whole] * _inverse(ideal)).sum(axis=1)
    if not len(rows):
        return np.tile(settled, (draws, 1))
    drawn = model.draw(draws, rng, rows, columns)
    ideal = np.zeros((draws, len(touched)))
    for level, step in zip(levels, steps, strict=True):
        holds = (drawn >= level).view(np.int8)
        reach = np.add.reduceat(holds, starts, axis=1, dtype=np.int16)
        at = np.minimum(counts[touched, level - 1] + reach, pooled.k)
        ideal += step * ideal_sums[at]
    inverse = _inverse(ideal)
    sums = settled + inverse @ base[:, touched].T
    at_row = np.repeat(np.arange(len(touched)), np.diff([*starts, len(rows)]))
    weights = np.ascontiguousarray(pooled.discounts[:, rows, columns].T)
    size = max(1, _CACHED // draws)
    for start in range(0, len(rows), size):
        part = slice(start, start + size)
        sums += product(gains[drawn[:, part]] * inverse[:, at_row[part]], weights[part])
    return np.asarray(sums)


def _inverse(ideal: FloatArray) -> FloatArray:
    return np.asarray(np.divide(1.0, ideal, out=np.zeros_like(ideal), where=ideal > 0))
