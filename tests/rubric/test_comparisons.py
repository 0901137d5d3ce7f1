"""Comparing two systems: bounds against enumeration, tests against their definitions."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rubric import (
    EMPTY,
    UNJUDGED,
    Comparison,
    JudgedRankings,
    Measure,
    Verdict,
    bootstrap_interval,
    candidate_ceiling,
    compare_runs,
    effect_size,
    holm,
    randomisation_test,
)
from rubric.results import significance
from tests.rubric.enumeration import Problem, plain_ndcg, plain_score, problems

GAINS = [0.0, 1.0, 3.0, 7.0]
NAMES = ["nDCG", "DCG", "P", "R", "RBP", "RR", "AP", "Hit", "F", "ERR"]


def _plain(name: str, ranking: list[int], grades: dict[int, int], k: int) -> float | None:
    if name == "nDCG":
        return plain_ndcg(ranking, grades, k, GAINS)
    return plain_score(name, ranking, grades, k, 1)


def _compared(problem: Problem, rival: list[int], measure: str) -> Comparison:
    qrels = {str(d): grade for d, grade in problem.judged.items()}
    qrels |= {str(d): -1 for d in problem.unjudged}
    first = {"1": [str(d) for d in problem.ranking]}
    return compare_runs({"1": qrels}, first, {"1": [str(d) for d in rival]}, measure, top=3)


def _extremes(problem: Problem, rival: list[int], name: str, k: int) -> tuple[float, float]:
    values = []
    for grades in problem.gradings():
        one = _plain(name, list(problem.ranking), grades, k)
        two = _plain(name, rival, grades, k)
        if one is not None and two is not None:
            values.append(one - two)
    return (min(values), max(values)) if values else (math.nan, math.nan)


@settings(deadline=None, max_examples=200)
@given(
    problem=problems(),
    other=st.permutations(range(8)),
    cut=st.integers(0, 8),
    k=st.integers(1, 6),
    name=st.sampled_from(NAMES),
)
def test_difference_bounds_against_every_grading(
    problem: Problem, other: list[int], cut: int, k: int, name: str
) -> None:
    documents = {*problem.judged, *problem.unjudged}
    rival = [document for document in other if document in documents][:cut]
    found = _compared(problem, rival, f"{name}@{k}")
    least, most = _extremes(problem, rival, name, k)
    lower = math.nan if found.lower is None else found.lower
    upper = math.nan if found.upper is None else found.upper
    assert found.exact
    assert lower == pytest.approx(least, abs=1e-12, nan_ok=True)
    assert upper == pytest.approx(most, abs=1e-12, nan_ok=True)


def test_a_shared_unjudged_document_at_one_rank_makes_no_difference() -> None:
    qrels = {"1": {"a": 2, "b": 0, "x": -1}}
    found = compare_runs(qrels, {"1": ["x", "a"]}, {"1": ["x", "b"]}, "DCG@2")
    assert found.value == pytest.approx(3 / math.log2(3))
    assert found.verdict is Verdict.PROVED
    assert found.unjudged == 1


def test_a_proof_holds_where_the_single_bounds_overlap() -> None:
    qrels = {"1": {"a": 3, "b": 0, "x": -1, "y": -1}}
    first, second = {"1": ["a", "x", "y"]}, {"1": ["b", "x", "y"]}
    found = compare_runs(qrels, first, second, "nDCG@3")
    assert found.lower is not None
    assert found.lower > 0
    assert found.verdict is Verdict.PROVED


def test_the_same_run_twice_is_equal_whatever_is_unjudged() -> None:
    run = {"1": ["a", "x"], "2": ["y"]}
    found = compare_runs({"1": {"a": 1}, "2": {}}, run, run, "nDCG@10")
    assert (found.value, found.lower, found.upper) == (None, 0.0, 0.0)
    assert found.verdict is Verdict.EQUAL


def test_wins_losses_and_ties_are_counted_by_query() -> None:
    qrels = {str(q): {"a": 1, "b": 0} for q in range(4)}
    first = {"0": ["a"], "1": ["a"], "2": ["b", "a"], "3": ["a"]}
    second = {"0": ["b", "a"], "1": ["b", "a"], "2": ["a"], "3": ["a"]}
    found = compare_runs(qrels, first, second, "RR@10")
    assert (found.wins, found.losses, found.ties) == (2, 1, 1)
    assert found.value == pytest.approx(0.125)


def test_few_queries_are_tested_with_every_pattern_of_signs() -> None:
    differences = np.array([0.3, -0.1, 0.2, 0.25, 0.05])
    patterns = [
        abs(sum(s * d for s, d in zip(signs, differences, strict=True)))
        for signs in itertools.product([1, -1], repeat=5)
    ]
    seen = abs(differences.sum())
    assert randomisation_test(differences) == sum(p >= seen - 1e-12 for p in patterns) / 32


def test_many_queries_are_tested_with_drawn_patterns_and_never_give_zero() -> None:
    assert randomisation_test(np.full(50, 0.1)) == 1 / 10_000
    rng = np.random.default_rng(1)
    shifted = rng.normal(0.0, 1.0, 60)
    p = randomisation_test(shifted, seed=1)
    assert p == randomisation_test(shifted, seed=1)
    assert p is not None
    # Student's t is close for normal differences.
    t = shifted.mean() / (shifted.std(ddof=1) / math.sqrt(60))
    normal = math.erfc(abs(t) / math.sqrt(2))
    assert p == pytest.approx(normal, abs=0.03)


def test_worlds_that_agree_are_tested_as_one_and_worlds_that_do_not_say_little() -> None:
    rng = np.random.default_rng(2)
    for size in (8, 40):
        seen = rng.normal(0.4, 1.0, size)
        alike = np.tile(seen, (30, 1))
        assert randomisation_test(alike) == pytest.approx(randomisation_test(seen))
        assert bootstrap_interval(alike) == pytest.approx(bootstrap_interval(seen))
        apart = np.where(np.arange(30)[:, None] % 2, seen, -seen)
        assert randomisation_test(apart) == pytest.approx(1.0)
        low, high = bootstrap_interval(apart) or (0.0, 0.0)
        assert low < -abs(seen.mean())
        assert high > abs(seen.mean())


def test_what_is_estimated_is_significant_no_more_often_than_what_is_known() -> None:
    rng = np.random.default_rng(3)
    alarms = 0
    for seed in range(200):
        truth = rng.normal(0.0, 1.0, 30)
        guess = truth * 0.1 + rng.normal(0.0, 1.0)  # hardly anything known, all off alike
        worlds = guess + rng.normal(0.0, 1.0, (50, 1)) + rng.normal(0.0, 1.0, (50, 30))
        alarms += (randomisation_test(worlds, seed=seed) or 1.0) <= 0.05
    assert alarms <= 14


def test_a_query_that_some_worlds_leave_undefined_counts_in_the_others() -> None:
    worlds = np.array([[0.2, 0.1, np.nan], [0.2, 0.1, 0.3]])
    assert randomisation_test(worlds) == pytest.approx((1 / 2 + 1 / 4) / 2)
    assert bootstrap_interval(worlds) is not None


def test_no_query_and_no_spread_give_none() -> None:
    nothing = np.array([])
    assert randomisation_test(nothing) is None
    assert bootstrap_interval(np.array([1.0])) is None
    assert effect_size(np.array([0.5, 0.5])) is None


def test_holm_is_the_textbook_example() -> None:
    adjusted = holm([0.01, 0.04, 0.03, 0.005])
    assert adjusted == pytest.approx([0.03, 0.06, 0.06, 0.02])


def test_bootstrap_interval_covers_about_as_often_as_it_says() -> None:
    rng = np.random.default_rng(7)
    hits = 0
    for seed in range(200):
        low, high = bootstrap_interval(rng.normal(0, 1, 40), seed=seed) or (1.0, -1.0)
        hits += low <= 0 <= high
    assert 0.88 <= hits / 200 <= 0.99


def test_the_ceiling_splits_the_loss_into_retrieval_and_ranking() -> None:
    rankings = JudgedRankings(
        grades=np.array([[0, 1, 2, EMPTY], [UNJUDGED, 3, 0, 0]], dtype=np.int8),
        judged=np.array([[1, 1, 1, 1], [2, 0, 0, 1]]),
        unjudged=np.array([0, 1]),
    )
    split = candidate_ceiling(Measure("nDCG", 2), rankings, n=3)
    total = split.score + split.never_found + split.ranked_low
    assert total == pytest.approx([1.0, 1.0])
    ideal = 7 + 3 / math.log2(3)
    assert split.ceiling[0] == pytest.approx((3 + 1 / math.log2(3)) / ideal)
    assert split.ceiling[1] == 1.0
    assert split.unjudged.tolist() == [0, 1]


@pytest.mark.parametrize("worlds", [1, 60])
@pytest.mark.parametrize("weighted", [False, True])
def test_an_interval_over_thousands_of_queries_is_what_drawing_comes_to(
    worlds: int, weighted: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng(6)
    points = rng.beta(0.6, 0.9, (worlds, 5_001))
    points[rng.random(points.shape) < 0.05] = np.nan
    weights = rng.exponential(1.0, 5_001) if weighted else None
    fast = bootstrap_interval(points, weights=weights)
    monkeypatch.setattr(significance, "DRAWN_UP_TO", 10_000)
    assert fast == pytest.approx(bootstrap_interval(points, weights=weights), abs=1e-3)
