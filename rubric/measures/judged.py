"""How much of the top k is judged (ir_measures Judged)."""

from __future__ import annotations

import numpy as np

from rubric.arrays import FloatArray, GradeArray, ratio
from rubric.bounds.difference import SETTLED
from rubric.counts import retrieved
from rubric.kind import Cutoff, Equal, Kind, always
from rubric.rankings import JudgedRankings
from rubric.setting import Bounds, Setting, Terms


def _judged(rankings: JudgedRankings, how: Setting) -> FloatArray:
    """Judged documents in the top k over the documents there."""
    judged = (rankings.grades[:, : how.k] >= 0).sum(axis=1)
    return ratio(judged, retrieved(rankings, how), undefined=0.0)


def _bounds(rankings: JudgedRankings, how: Setting) -> Bounds:
    """Settled: it speaks of the labels that there are."""
    return (_judged(rankings, how),) * 2


def _terms(grades: GradeArray, _: JudgedRankings, __: Setting) -> Terms:
    return (grades >= 0).astype(np.float64), np.ones(len(grades)), float(max(len(grades), 1))


JUDGED = Kind(
    name="Judged",
    says="share of the top k that is judged",
    formula="judged in top k / documents in top k",
    source="ir_measures Judged",
    parameters={},
    cutoff=Cutoff.REQUIRED,
    score=_judged,
    bounds=_bounds,
    terms=_terms,
    difference=SETTLED,
    by_grade=False,
    foreseen=always,
    equals={
        "ir_measures": Equal(
            orders={"@k": "id"}, note="counts a document with a negative grade as judged"
        )
    },
)
