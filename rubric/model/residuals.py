"""Whether grades come out as the grade model foresaw them, label after label.

Before each label the model has an expectation; what the grade is above that is a martingale
difference, however the document was chosen from what was known by then. So a sum of such
residuals, each with a weight that was known before, divided by the root of the sum of their
variances, is about standard normal where the model is right. It is not where the labels of language
models that it learns from favour some documents. It sees only what is judged, and only gross
faults: with 20 labels about half a grade.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from rubric.arrays import FloatArray, GradeArray, IntArray
from rubric.model.grade_model import GradeModel

MISLED = 2.5
"""From how many standard deviations on, either way, the model is taken to be misled."""
UNSEEN, MOST = 10, 200
"""The first labels are only learned from; and so many of the latest are looked at, at most."""

_DRAWS = 200


@dataclass(frozen=True, eq=False)
class Residuals:
    """Of n labels, in the order they were given: where they are, and how far off they came out.

    ``row``, ``column``, ``off`` (the grade less what was expected) and ``variance`` (of the grade,
    as it was foreseen) have shape (n,).
    """

    row: IntArray
    column: IntArray
    off: FloatArray
    variance: FloatArray

    def z(self, weights: FloatArray | None = None) -> float:
        """The sum of the residuals in standard deviations, 0 where there is nothing to tell by.

        ``weights`` (n,) say how much each counts, and for which side.
        """
        each = np.ones(len(self.off)) if weights is None else weights
        spread = float((each**2 * self.variance).sum())
        return float((each * self.off).sum()) / math.sqrt(spread) if spread > 0 else 0.0


def is_misled(found: tuple[float, float] | None) -> bool:
    """Whether either sum is further from 0 than chance takes it; None is not."""
    return found is not None and max(map(abs, found)) > MISLED


def residuals(model: GradeModel, grades: GradeArray, given: IntArray) -> Residuals:
    """Fit the model to the labels before each label, and see how that came out.

    Parameters
    ----------
    grades
        int8, shape (Q, P): the labels that may be learned from, below 0 where there is none.
    given
        int, shape (Q, P): a number that rises with the time at which each was given.
    """
    row, column = np.nonzero((grades >= 0) & model.pooled.known)
    order = np.argsort(given[row, column], kind="stable")
    row, column = row[order], column[order]
    levels = np.arange(model.top + 1)
    first = min(len(row), max(UNSEEN, len(row) - MOST))
    known = np.full(grades.shape, -1, dtype=np.int8)
    known[row[:first], column[:first]] = grades[row[:first], column[:first]]
    off, variance, rng = list[float](), list[float](), np.random.default_rng(0)
    for at in zip(row[first:].tolist(), column[first:].tolist(), strict=True):
        model.fit(known)
        chance = _chances(model, *at, rng)
        mean = float(chance @ levels)
        off.append(float(grades[at]) - mean)
        variance.append(float(chance @ levels**2) - mean**2)
        known[at] = grades[at]
    return Residuals(row[first:], column[first:], np.array(off), np.array(variance))


def _chances(model: GradeModel, row: int, column: int, rng: np.random.Generator) -> FloatArray:
    """P(grade) of one document as foreseen, over draws of what is not known: shape (G + 1,)."""
    features = model.pooled.features_of(np.array([row]), np.array([column]))[0]
    root = np.linalg.inv(np.linalg.cholesky(model.precision))
    away = rng.standard_normal((_DRAWS, len(model.parameters))) @ root
    effect = model.query_effects[row] - away @ (model.cross[row] / model.query_precision[row])
    effect += rng.standard_normal(_DRAWS) / math.sqrt(model.query_precision[row])
    at = model.parameters + away
    worth = at[:, model.top :] @ features + effect
    reached = np.cumprod(1 / (1 + np.exp(-(worth[:, None] + at[:, : model.top]))), axis=1)
    mean = np.concatenate([[1.0], reached.mean(axis=0), [0.0]])
    return np.asarray(mean[:-1] - mean[1:])
