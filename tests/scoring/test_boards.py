"""A board kept up to date is a fresh one, and no deeper rank than the cutoff asks for counts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotator.domain import Int32Array
from annotator.scoring.board import Board
from annotator.scoring.pairs import places_of
from rubric import JudgedRankings, Measure, Rules
from rubric.evaluation.scores import setting
from rubric.measures.registry import KINDS
from tests.scoring.boards import INSIDE, QUERIES, Pair, all_rankings, data_of

MEASURES = tuple(map(Measure.parse, ["nDCG@2", "nDCG@4", "P@3", "R@3", "Hit@2", "RR@4"]))

# Queries 4 and 9 are in no board, documents above 9 in no ranking, pool or label at first.
PAIRS = st.tuples(
    st.sampled_from([3, 4, 5, 8, 9]),
    st.one_of(st.integers(1, 9), st.sampled_from([12, 40, 2**31 - 1])),
)


def board(rankings: Int32Array, pooled: set[Pair], labels: Mapping[Pair, int], zero: bool) -> Board:
    rules = Rules(threshold=2, empty_ideal_zero=zero)
    return Board(data_of(rankings, pooled, labels), MEASURES, rules, count_missing=zero)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(
    rankings=all_rankings(),
    pooled=st.sets(INSIDE, max_size=12),
    labels=st.dictionaries(INSIDE, st.integers(0, 3), max_size=8),
    changes=st.lists(st.tuples(PAIRS, st.one_of(st.none(), st.integers(0, 3))), max_size=12),
    zero=st.booleans(),
)
def test_a_board_that_was_kept_up_to_date_equals_a_fresh_one(  # type: ignore[no-untyped-def]
    rankings, pooled, labels, changes, zero
) -> None:
    kept = board(rankings, pooled, labels, zero)
    labels = dict(labels)
    for (query, document), grade in changes:
        kept.relabel(query, document, grade)
        if grade is None:
            labels.pop((query, document), None)
        else:
            labels[query, document] = grade
    fresh = board(rankings, pooled, labels, zero)
    assert kept.table() == fresh.table()
    for mine, theirs in zip(kept.coverage(3), fresh.coverage(3), strict=True):
        assert mine.tolist() == theirs.tolist()


def test_coverage_counts_judged_documents_and_places() -> None:
    rankings = np.array([[[1, 2, 3], [4, 0, 0], [0, 0, 0]]] * 2, dtype=np.int32)
    labels = {(3, 1): 0, (3, 3): 2, (5, 9): 1}
    kept = board(rankings, set(), labels, zero=True)
    judged, places = kept.coverage(2)
    assert judged.tolist() == [[1, 0, 0]] * 2
    assert places.tolist() == [[2, 1, 0]] * 2
    judged, places = kept.coverage(10)
    assert judged.tolist() == [[2, 0, 0]] * 2
    assert places.tolist() == [[3, 1, 0]] * 2


def test_what_no_pair_holds_is_found_nowhere_and_the_rest_where_it_stands() -> None:
    ranked = np.array([[7, 5, 0], [5, 9, 7]], dtype=np.int32)
    keys = np.array([0 * 2**31 + 5, 1 * 2**31 + 7, 3 * 2**31 + 9])
    row, place, at = places_of(keys, ranked)
    assert list(zip(row.tolist(), place.tolist(), at.tolist(), strict=True)) == [
        (0, 1, 0),
        (1, 2, 1),
    ]
    assert [part.size for part in places_of(keys[:0], ranked)] == [0, 0, 0]


def test_a_comparison_is_the_same_however_deep_the_rankings_go() -> None:
    """Documents that stand deep in one system and high in the other count once."""
    chosen = np.random.default_rng(4)
    deep = np.stack([[chosen.permutation(np.arange(1, 61)) for _ in QUERIES] for _ in range(2)])
    deep = deep.astype(np.int32)
    pooled = {(int(q), d) for row, q in enumerate(QUERIES) for d in deep[0, row, :6].tolist()}
    labels = {pair: pair[1] % 4 for pair in sorted(pooled)[::2]}
    for measure in map(Measure.parse, ["nDCG@4", "P@3", "R@5", "AP@4"]):
        found = [
            Board(data_of(ranked, pooled, labels), [measure], Rules()).compare(0, 1, measure)
            for ranked in (deep, deep[:, :, :10])
        ]
        for name in ("query_lower", "query_upper", "query_zero_filled", "query_unjudged"):
            assert getattr(found[0], name) == pytest.approx(getattr(found[1], name), nan_ok=True)


def test_only_ranks_down_to_the_cutoff_are_weighed() -> None:
    grades = np.full((3, 500), -1, dtype=np.int8)
    rankings = JudgedRankings(grades, np.zeros((3, 4), dtype=np.int64), np.full(3, 500))
    ndcg = KINDS["nDCG"].weighted
    assert ndcg is not None
    ten = setting(Measure.parse("nDCG@10"), Rules(), 3)
    assert ndcg.document_weights(ten, rankings).shape == (3, 10)
    begins = np.concatenate([np.arange(8), np.full(12, 8), np.full(480, 20)])
    tied = replace(rankings, tied=np.tile(begins, (3, 1)))
    assert ndcg.document_weights(ten, tied).shape == (3, 20)
