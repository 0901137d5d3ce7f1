"""Discounted cumulative gain (Järvelin and Kekäläinen 2002)."""

from __future__ import annotations

from rubric.bounds.weighted_sum import WeightedSum
from rubric.kind import GAIN, Equal, Kind, in_first_ranks
from rubric.measures.ndcg import discounts

_SUM = WeightedSum(lambda _, ranks: discounts(ranks))

DCG = Kind(
    name="DCG",
    says="discounted cumulative gain",
    formula="sum of gain / log2(rank + 1)",
    source="Järvelin and Kekäläinen 2002",
    parameters=GAIN,
    score=_SUM.score,
    bounds=_SUM.bounds,
    terms=_SUM.terms,
    weight="discount",
    weighted=_SUM,
    difference=_SUM.difference,
    foreseen=in_first_ranks,
    equals={"ranx": Equal(), "sklearn": Equal()},
)
