"""Small boards of two systems and three queries, for everything that is computed on a board."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from hypothesis import strategies as st

from annotator.domain import Int32Array
from annotator.scoring.pairs import BoardData

QUERIES = np.array([3, 5, 8], dtype=np.int64)
Pair = tuple[int, int]
INSIDE = st.tuples(st.sampled_from([3, 5, 8]), st.integers(1, 9))
"""Pairs of such queries and documents."""


def data_of(rankings: Int32Array, pooled: set[Pair], labels: Mapping[Pair, int]) -> BoardData:
    """These rankings, pooled pairs and labels, given in an order, as a board takes them."""

    def column(pairs: list[Pair], at: int) -> Int32Array:
        return np.array([pair[at] for pair in pairs], dtype=np.int32)

    in_pool, judged = sorted(pooled), sorted(labels)
    return BoardData(
        queries=QUERIES,
        qids=["q3", "q5", "q8"],
        systems=["alpha", "beta"],
        documents=rankings,
        pooled_query=column(in_pool, 0),
        pooled_document=column(in_pool, 1),
        label_query=column(judged, 0),
        label_document=column(judged, 1),
        label_grade=np.array([labels[pair] for pair in judged], dtype=np.int32),
        top=3,
        label_foreign=np.zeros(len(judged), dtype=np.bool_),
    )


@st.composite
def all_rankings(draw: st.DrawFn) -> Int32Array:
    """Two systems' documents for three queries, five deep, some short or empty."""
    table = np.zeros((2, 3, 5), dtype=np.int32)
    for system in range(2):
        for query in range(3):
            ranked = draw(st.lists(st.integers(1, 9), unique=True, max_size=5))
            table[system, query, : len(ranked)] = ranked
    return table
