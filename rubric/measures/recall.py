"""Recall (trec_eval recall)."""

from __future__ import annotations

import numpy as np

from rubric.arrays import FloatArray, ratio
from rubric.bounds.weighted_sum import WeightedSum
from rubric.counts import hits, possible
from rubric.kind import REL, Equal, Kind
from rubric.rankings import JudgedRankings
from rubric.setting import Bounds, Setting


def _recall(rankings: JudgedRankings, how: Setting) -> FloatArray:
    """Relevant documents in the top k over all relevant judged ones; NaN if there are none."""
    return ratio(hits(rankings, how), rankings.known(how.threshold))


def _bounds(rankings: JudgedRankings, how: Setting) -> Bounds:
    """Least: only the documents outside the top k turn out relevant. Greatest: only those inside.

    Where nothing relevant is known and nothing unjudged lies outside, recall is 1 as soon as it
    is defined; where nothing lies inside, it is 0.
    """
    found, known = hits(rankings, how), rankings.known(how.threshold)
    inside, outside = possible(rankings, how), rankings.beside(how.k)
    upper = ratio(found + inside, known + inside)
    lower = ratio(found, known + outside)
    lower = np.where(np.isnan(lower) & (inside > 0), 1.0, lower)
    return lower, np.where(np.isnan(upper) & (outside > 0), 0.0, upper)


_SUM = WeightedSum(
    lambda _, ranks: np.ones(ranks), lambda _, documents: np.arange(documents + 1, dtype=np.float64)
)

R = Kind(
    name="R",
    says="recall: share of the relevant documents that the top k holds",
    formula="relevant in top k / relevant judged",
    source="trec_eval recall",
    parameters=REL,
    also=("recall", "set_recall"),
    score=_recall,
    bounds=_bounds,
    terms=_SUM.terms,
    weighted=_SUM,
    difference=_SUM.difference,
    over_relevant=True,
    equals={"trec_eval": Equal(), "ir_measures": Equal(), "ranx": Equal()},
)
