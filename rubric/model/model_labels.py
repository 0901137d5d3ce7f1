"""Labels of language models as a covariate of the grade model: evidence, whose worth is learned.

A label L of one model adds steps to the logit of :mod:`rubric.model.grade_model`, one for each
grade that it reaches; the mean of several models' labels adds one slope. What a step is worth is
learned from people's grades of documents that have such labels, so a model that knows nothing
comes to count for nothing. How lenient it is on a query goes into the query's effect, and its
taste for a system into that system's own weights, which stay.

The priors are those of judges of two collections (25 queries and 12 judges, 22 queries and one):
a first step of 0.9 to 2.1, later ones of 0.2 to 1.2, a slope of the mean of 12 judges of 1.9.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rubric.arrays import BoolArray, FloatArray, GradeArray

_FIRST_STEP, _LATER_STEP = (1.2, 0.8), (0.7, 0.6)
_SLOPE_OF_FEW, _SLOPE_OF_MANY, MANY = (1.0, 0.5), (1.5, 0.7), 3
_NO_LABEL = (0.0, 1.0)
_FEW_MISSING = 0.01
"""Where fewer documents than this lack a label, nothing is learned from its lack."""


@dataclass(frozen=True, eq=False)
class ModelLabels:
    """What models' labels add to the features of Q queries' documents, up to P each.

    Parameters
    ----------
    columns
        float64, shape (Q, P, C): the further features; 0 where a document has no label, but for
        the last one where that marks the lack.
    priors
        Mean and standard deviation of the weight of each: shape (C, 2).
    """

    columns: FloatArray
    priors: FloatArray

    @classmethod
    def of(cls, labels: GradeArray, known: BoolArray, top: int) -> ModelLabels | None:
        """The features that labels make; None where there are none.

        Parameters
        ----------
        labels
            int8, shape (J, Q, P): what each of J models said, 0..``top``, below 0 where it said
            nothing or what is no grade.
        known
            bool, shape (Q, P): False where a query has fewer documents.
        """
        given = (labels >= 0) & known
        has = np.asarray(given.any(axis=0))
        if not has.any():
            return None
        if len(labels) > 1:
            return cls.sloping(labels, known)
        steps = [labels[0] >= level for level in range(1, top + 1)]
        columns = [(step & has).astype(np.float64) for step in steps]
        return cls._with_lack(columns, [_FIRST_STEP, *[_LATER_STEP] * (top - 1)], known, has)

    @classmethod
    def sloping(cls, labels: GradeArray, known: BoolArray) -> ModelLabels:
        """One feature: the mean of the labels that there are, less the mean of that.

        Takes what :meth:`of` takes, with a label at least. Its weight is the slope a grade.
        """
        given = (labels >= 0) & known
        has = np.asarray(given.any(axis=0))
        mean = np.where(given, labels, 0).sum(axis=0) / np.maximum(given.sum(axis=0), 1)
        column = np.where(has, mean - mean[has].mean(), 0.0)
        prior = _SLOPE_OF_MANY if len(labels) >= MANY else _SLOPE_OF_FEW
        return cls._with_lack([column], [prior], known, has)

    @classmethod
    def _with_lack(
        cls,
        columns: list[FloatArray],
        priors: list[tuple[float, float]],
        known: BoolArray,
        has: BoolArray,
    ) -> ModelLabels:
        lacking = known & ~has
        if lacking.sum() >= _FEW_MISSING * known.sum():
            columns = [*columns, lacking.astype(np.float64)]
            priors = [*priors, _NO_LABEL]
        return cls(np.stack(columns, axis=-1), np.array(priors))
