"""Success at k: whether there is a relevant document at all (trec_eval success)."""

from __future__ import annotations

import numpy as np

from rubric.arrays import FloatArray
from rubric.bounds.difference import counted
from rubric.bounds.first_relevant import first_relevant
from rubric.bounds.monotone import monotone
from rubric.counts import first_relevant as terms_of_first
from rubric.counts import hits
from rubric.kind import REL, Equal, Kind, in_first_ranks
from rubric.rankings import JudgedRankings
from rubric.setting import Setting


def _hit(rankings: JudgedRankings, how: Setting) -> FloatArray:
    return (hits(rankings, how) > 0).astype(np.float64)


HIT = Kind(
    name="Hit",
    says="success: 1 if the top k holds a relevant document",
    formula="relevant in top k > 0",
    source="trec_eval success",
    parameters=REL,
    also=("success", "hit_rate"),
    score=_hit,
    bounds=monotone(_hit),
    terms=terms_of_first(np.ones_like),
    first=np.ones,
    difference=counted(lambda tops, _: first_relevant(tops, np.ones(tops.depth))),
    foreseen=in_first_ranks,
    equals={"trec_eval": Equal(("@k",)), "ir_measures": Equal(("@k",)), "ranx": Equal()},
)
