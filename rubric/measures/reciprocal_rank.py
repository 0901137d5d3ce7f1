"""Reciprocal rank of the first relevant document (trec_eval recip_rank)."""

from __future__ import annotations

import numpy as np

from rubric.arrays import FloatArray
from rubric.bounds.difference import counted
from rubric.bounds.first_relevant import first_relevant
from rubric.bounds.monotone import monotone
from rubric.counts import first_relevant as terms_of_first
from rubric.counts import relevant
from rubric.kind import REL, Equal, Kind, always
from rubric.rankings import JudgedRankings
from rubric.setting import Setting


def _reciprocal_rank(rankings: JudgedRankings, how: Setting) -> FloatArray:
    """1 / rank of the first relevant document, 0 if there is none."""
    found = relevant(rankings, how)
    if not found.shape[1]:
        return np.zeros(len(found))
    return np.where(found.any(axis=1), 1.0 / (np.argmax(found, axis=1) + 1), 0.0)


def _worth(k: int) -> FloatArray:
    return 1.0 / np.arange(1, k + 1)


RR = Kind(
    name="RR",
    says="reciprocal rank of the first relevant document",
    formula="1 / rank of the first relevant, 0 if there is none",
    source="Voorhees 1999; trec_eval recip_rank",
    parameters=REL,
    also=("mrr", "recip_rank", "reciprocal_rank"),
    score=_reciprocal_rank,
    bounds=monotone(_reciprocal_rank),
    terms=terms_of_first(np.reciprocal),
    first=_worth,
    difference=counted(lambda tops, _: first_relevant(tops, _worth(tops.depth))),
    foreseen=always,
    equals={
        "trec_eval": Equal(("",)),
        "ir_measures": Equal(orders={"@k": "id"}),
        "ranx": Equal(),
    },
)
