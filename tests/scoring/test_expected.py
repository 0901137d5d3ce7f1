"""What is expected: within the exact bounds, the score where all is judged, honest about draws."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotator.domain import Int32Array
from annotator.results.method import Basis
from annotator.results.scores import MeasureScore, QueryScore
from annotator.scoring import estimates
from annotator.scoring.board import Board
from annotator.scoring.paired_systems import compared
from rubric import Measure, Rules, Summary
from rubric.model.expectation import SPREAD, Estimate
from tests.scoring.boards import INSIDE, Pair, all_rankings, data_of

MEASURES = tuple(map(Measure.parse, ["nDCG@2", "nDCG@4", "DCG@3", "P@3", "R@3", "RR@4", "AP"]))


def board(rankings: Int32Array, pooled: set[Pair], labels: Mapping[Pair, int], zero: bool) -> Board:
    rules = Rules(threshold=2, empty_ideal_zero=zero)
    made = Board(data_of(rankings, pooled, labels), MEASURES, rules, count_missing=zero)
    made.estimate(30)
    return made


def numbers(made: Board) -> list[MeasureScore]:
    return [one for system in made.table() for one in system.measures]


@settings(max_examples=25, deadline=None, derandomize=True)
@given(
    rankings=all_rankings(),
    pooled=st.sets(INSIDE, max_size=12),
    labels=st.dictionaries(INSIDE, st.integers(0, 3), max_size=12),
    zero=st.booleans(),
)
def test_what_is_expected_lies_within_the_exact_bounds(  # type: ignore[no-untyped-def]
    rankings, pooled, labels, zero
) -> None:
    made = board(rankings, pooled, labels, zero)
    for one in numbers(made):
        parts: list[Summary | QueryScore] = [one.summary, *one.per_query]
        for part in parts:
            if part.expected is None:
                continue
            assert part.lower is not None
            assert part.upper is not None
            assert part.lower - 1e-12 <= part.expected <= part.upper + 1e-12
            assert part.value is None or part.expected == part.value
            assert part.expected95 is not None
            low, high = part.expected95
            assert part.lower - 1e-12 <= low <= part.expected + 1e-12
            assert part.expected - 1e-12 <= high <= part.upper + 1e-12
            assert part.value is None or low == high == part.value
    for measure in MEASURES:
        found = made.compare(0, 1, measure)
        if found.expected is not None and found.lower is not None and found.upper is not None:
            assert found.lower - 1e-12 <= found.expected <= found.upper + 1e-12
        low95, high95 = found.query_expected95
        ends = (found.query_lower, low95, found.query_expected, high95, found.query_upper)
        rising = np.array([end[~np.isnan(found.query_expected)] for end in ends])
        assert (np.diff(rising, axis=0) >= -1e-12).all()


@settings(max_examples=20, deadline=None, derandomize=True)
@given(rankings=all_rankings(), grades=st.lists(st.integers(0, 3), min_size=27, max_size=27))
def test_where_all_is_judged_the_score_is_what_is_expected(  # type: ignore[no-untyped-def]
    rankings, grades
) -> None:
    pairs = [(query, document) for query in (3, 5, 8) for document in range(1, 10)]
    made = board(rankings, set(), dict(zip(pairs, grades, strict=True)), zero=False)
    assert made.basis is None
    for one in numbers(made):
        assert one.summary.expected == one.summary.value == one.summary.zero_filled
        assert all(query.expected == query.value for query in one.per_query)


def test_a_board_expects_the_same_again_and_other_seeds_expect_nearly_that() -> None:
    rng = np.random.default_rng(0)
    rankings = np.stack([rng.permuted(np.tile(np.arange(1, 6), (3, 1)), axis=1) for _ in "ab"])
    made = Board(data_of(rankings.astype(np.int32), set(), {(3, 1): 2, (5, 2): 1}), MEASURES[:2],
                 Rules())  # fmt: skip
    found = []
    for seed in (0, 0, 1):
        made.estimate(2000, seed=seed)
        found.append([one.summary.expected for one in numbers(made)])
    assert found[0] == found[1]
    assert found[0] != found[2]
    assert found[0] == pytest.approx(found[2], abs=0.03)


def test_a_label_makes_what_was_expected_void_and_leaves_a_frozen_board_alone() -> None:
    rankings = np.array([[[1, 2, 0], [3, 0, 0], [0, 0, 0]]] * 2, dtype=np.int32)
    made = Board(data_of(rankings, set(), {(3, 1): 2}), MEASURES[:1], Rules())
    frozen = made.frozen()
    frozen.estimate(50)
    before = frozen.table()
    made.relabel(3, 2, 3)
    assert made.estimates is None
    assert made.table()[0].measures[0].summary.expected is None
    assert frozen.table() == before


@pytest.mark.parametrize(
    ("limit", "measure"), [("_SCORES", "nDCG@4"), ("_GRADES", "nDCG@4"), ("_PLACES", "RR@4")]
)
def test_where_there_is_much_to_draw_there_are_fewer_draws_and_the_error_is_told(
    limit: str, measure: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng(0)
    rankings = np.stack([rng.permuted(np.tile(np.arange(1, 10), (3, 1)), axis=1) for _ in "ab"])
    data = data_of(rankings.astype(np.int32), set(), {(3, 1): 2, (5, 2): 1})
    sizes = {"_SCORES": 2 * 3, "_GRADES": 3 * 9 - 2, "_PLACES": rankings.size}
    found = {}
    for draws in (1000, 400, 7):
        monkeypatch.setattr(estimates, limit, sizes[limit] * draws + 1)
        made = Board(data, [Measure.parse(measure)], Rules())
        made.estimate()
        assert made.basis is not None
        found[draws] = made.basis.draws, numbers(made)[0].summary.expected
        scores = made.drawn(made.measures[0])
        assert scores is not None
        assert len(scores) == made.basis.draws
        assert f"{made.basis.own_error:.1%} of the ±" in made.basis.line()
    assert [count for count, _ in found.values()] == [1000, 400, estimates._FEWEST_DRAWS]
    assert found[1000][1] == pytest.approx(found[400][1], abs=0.05)


def test_the_error_told_of_the_draws_is_theirs() -> None:
    rng = np.random.default_rng(1)
    draws = rng.normal(0.5, 0.1, (2000, 100))
    halves = [Estimate.over(one).interval(-9, 9)[1] - one.mean() for one in draws]
    off = np.quantile(np.abs(draws.mean(axis=1) - 0.5), 0.95)
    told = Basis(draws=100, spread=SPREAD, seed=0, systems=2, labels=0, by_eye=0).own_error
    assert off / np.mean(halves) == pytest.approx(told, rel=0.05)


def test_a_pooled_document_that_no_system_returned_is_drawn_and_teaches_nothing() -> None:
    rankings = np.array([[[1, 2], [3, 4], [5, 6]]] * 2, dtype=np.int32)
    measure = Measure.parse("nDCG@2")
    found = {}
    for name, pooled, labels in (
        ("alone", set(), {}),
        ("pooled", {(3, 9)}, {}),
        ("judged", {(3, 9)}, {(3, 9): 0}),
    ):
        every: dict[Pair, int] = dict.fromkeys(((3, 1), (5, 3), (8, 5)), 2) | labels
        made = Board(data_of(rankings, pooled, every), [measure], Rules())
        made.estimate(400)
        assert made.basis is not None
        assert made.basis.labels == 3
        query = made.table()[0].measures[0].per_query[0]
        assert query.expected is not None
        assert query.lower is not None
        assert query.lower <= query.expected <= (query.upper or 0)
        found[name] = query.expected
    assert found["pooled"] < found["alone"] - 0.005
    assert found["judged"] == pytest.approx(found["alone"], abs=0.005)


@settings(max_examples=40, deadline=None, derandomize=True)
@given(
    rankings=all_rankings(),
    pooled=st.sets(INSIDE, max_size=12),
    labels=st.dictionaries(INSIDE, st.integers(0, 3), max_size=12),
    zero=st.booleans(),
    drawn=st.booleans(),
)
def test_two_means_of_a_comparison_differ_by_its_difference_whatever_is_judged(
    rankings: Int32Array, pooled: set[Pair], labels: dict[Pair, int], zero: bool, drawn: bool
) -> None:
    made = Board(
        data_of(rankings, pooled, labels),
        MEASURES,
        Rules(empty_ideal_zero=zero),
        count_missing=zero,
    )
    if drawn:
        made.estimate(30)
    for measure in MEASURES:
        one = compared(made, 0, 1, measure, seed=0, tests=False)
        first, second = one.means
        if one.result.estimate is not None and first is not None and second is not None:
            assert first - second == pytest.approx(one.result.estimate, abs=1e-9)
