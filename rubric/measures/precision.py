"""Precision at k (trec_eval P)."""

from __future__ import annotations

import numpy as np

from rubric.arrays import FloatArray
from rubric.bounds.monotone import monotone
from rubric.bounds.weighted_sum import WeightedSum
from rubric.counts import each_relevant, hits
from rubric.kind import REL, Cutoff, Equal, Kind, in_first_ranks
from rubric.rankings import JudgedRankings
from rubric.setting import Setting


def _size(how: Setting) -> float:
    """The cutoff, also where fewer documents were retrieved."""
    return float(how.k or 1)


def _precision(rankings: JudgedRankings, how: Setting) -> FloatArray:
    return hits(rankings, how) / _size(how)


_SUM = WeightedSum(lambda how, ranks: np.full(ranks, 1.0 / _size(how)))

P = Kind(
    name="P",
    says="precision: share of the top k that is relevant",
    formula="relevant in top k / k",
    source="trec_eval P",
    parameters=REL,
    cutoff=Cutoff.REQUIRED,
    also=("precision", "prec"),
    score=_precision,
    bounds=monotone(_precision),
    terms=each_relevant(lambda grades, _, how: _size(how)),
    weighted=_SUM,
    difference=_SUM.difference,
    foreseen=in_first_ranks,
    equals={"trec_eval": Equal(), "ir_measures": Equal(), "ranx": Equal()},
)
