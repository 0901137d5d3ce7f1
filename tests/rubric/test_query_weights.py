"""Weighted means, bounds, percentiles, intervals and tests, against enumeration and numpy."""

from __future__ import annotations

from dataclasses import fields
from itertools import product

import numpy as np
import pytest

from rubric import (
    JudgedRankings,
    Measure,
    Pair,
    RubricError,
    bootstrap_interval,
    compare,
    effect_size,
    evaluate,
    mean_bounds,
    same_places,
    summarise,
)
from rubric.arrays import FloatArray
from rubric.model.expectation import Estimate, mean_over_queries
from rubric.model.stopping import Support
from rubric.results.comparison import Belief
from rubric.weights import percentiles, unequal

MEASURE = Measure.parse("nDCG@3")


def rankings(rng: np.random.Generator, queries: int = 7) -> JudgedRankings:
    grades = rng.choice([0, 1, 2, 3, -1], (queries, 4), p=[0.3, 0.2, 0.2, 0.1, 0.2])
    counts = np.stack([(grades == grade).sum(axis=1) for grade in range(4)], axis=1)
    return JudgedRankings(grades.astype(np.int8), counts, (grades < 0).sum(axis=1))


def weights_of(rng: np.random.Generator, count: int) -> FloatArray:
    weights: FloatArray = rng.choice([0.5, 1.0, 2.0, 3.0, 7.5], count)
    return weights


def test_the_mean_is_that_of_numpy_and_integer_weights_repeat_queries() -> None:
    rng = np.random.default_rng(0)
    for _ in range(50):
        world = rankings(rng)
        scores = evaluate(MEASURE, world)
        whole = rng.integers(1, 4, len(world.grades))
        found = summarise(scores, weights=whole.astype(np.float64))
        repeated = summarise(evaluate(MEASURE, repeat(world, whole)))
        for name in ("value", "lower", "upper", "condensed", "zero_filled"):
            assert getattr(found, name) == pytest.approx(getattr(repeated, name), abs=1e-12)
        defined = ~np.isnan(scores.zero_filled)
        if defined.any():
            mean = np.average(scores.zero_filled[defined], weights=whole[defined])
            assert found.zero_filled == pytest.approx(mean, abs=1e-12)


def repeat(world: JudgedRankings, times: np.ndarray[tuple[int], np.dtype[np.int64]]) -> (
    JudgedRankings
):  # fmt: skip
    rows = np.repeat(np.arange(len(world.grades)), times)
    return JudgedRankings(world.grades[rows], world.judged[rows], world.unjudged[rows])


def test_bounds_of_a_weighted_mean_are_reached_and_never_passed() -> None:
    rng = np.random.default_rng(1)
    for _ in range(100):
        size = int(rng.integers(1, 7))
        ends = np.sort(rng.random((2, size)), axis=0)
        doubtful, weights = rng.random(size) < 0.5, weights_of(rng, size)
        found = mean_bounds(ends[0], ends[1], doubtful, weights)
        least, most = [], []
        for counts in product([False, True], repeat=size):
            there = np.array(counts) | ~doubtful
            if there.any():
                least.append(np.average(ends[0][there], weights=weights[there]))
                most.append(np.average(ends[1][there], weights=weights[there]))
        assert found == pytest.approx((min(least), max(most)))


def test_equal_weights_give_exactly_what_none_give() -> None:
    rng = np.random.default_rng(2)
    for weight in (1.0, 0.1, 3.7):
        first, second = rankings(rng), rankings(rng)
        same = np.full(len(first.grades), weight)
        scores = evaluate(MEASURE, first)
        draws = np.clip(scores.point + rng.normal(0, 0.1, (20, len(same))), 0, 1)
        with_, without = (summarise(scores, draws=draws, weights=w) for w in (same, None))
        assert with_ == without
        pair = Pair(first, second, same_places(np.ones((7, 4), int), np.zeros((7, 4), int)))
        one, other = (compare(MEASURE, pair, weights=w) for w in (same, None))
        for field in fields(one):
            np.testing.assert_equal(getattr(one, field.name), getattr(other, field.name))


@pytest.mark.parametrize("size", [1, 2, 5, 12])
def test_percentiles_rise_lie_within_and_come_to_numpys(size: int) -> None:
    rng = np.random.default_rng(size)
    points, weights = rng.random(size), weights_of(rng, size)
    found = percentiles(points, range(101), weights)
    assert found == sorted(found, key=lambda one: one or 0.0)
    assert (found[0], found[-1]) == (points.min(), points.max())
    almost = np.ones(size) + rng.random(size) * 1e-12
    for share in (10, 25, 50, 75):
        assert percentiles(points, [share], almost) == pytest.approx([np.percentile(points, share)])
        scaled = percentiles(points, [share], weights * 17)
        assert scaled == pytest.approx(percentiles(points, [share], weights))
    heavy = np.where(np.arange(size) == 0, 1e9, 1.0)
    if size > 2:
        inner = np.argsort(points)[1]
        heavy = np.where(np.arange(size) == inner, 1e9, 1.0)
        assert percentiles(points, [50], heavy) == pytest.approx([points[inner]], abs=1e-6)


def test_p_of_the_weighted_mean_is_that_of_all_sign_patterns() -> None:
    rng = np.random.default_rng(3)
    for _ in range(10):
        first, second = rankings(rng), rankings(rng)
        weights = weights_of(rng, 7)
        pair = Pair(first, second, np.full((7, 4), -1))
        found = compare(MEASURE, pair, weights=weights)
        counts = ~np.isnan(found.per_query)
        differences, held = found.per_query[counts], weights[counts]
        if not len(differences):
            continue
        seen = abs(np.average(differences, weights=held)) - 1e-12
        every = [
            abs(np.average(differences * signs, weights=held)) >= seen
            for signs in product([1, -1], repeat=len(differences))
        ]
        assert found.p_value == pytest.approx(np.mean(every))
        assert found.wins == int((differences > 1e-12).sum())


def test_the_interval_holds_the_weighted_mean_as_often_as_it_says() -> None:
    rng = np.random.default_rng(4)
    truth = np.average([0.3, 0.6], weights=[9, 1])
    inside = 0
    for seed in range(200):
        heavy = rng.random(60) < 0.5
        points = np.where(heavy, 0.3, 0.6) + rng.normal(0, 0.1, 60)
        weights = np.where(heavy, 9.0, 1.0)
        low, high = bootstrap_interval(points, weights=weights, seed=seed) or (0.0, 0.0)
        inside += low <= truth <= high
    assert 0.88 <= inside / 200 <= 0.99


def test_effect_size_is_weighted_and_does_not_depend_on_the_unit() -> None:
    rng = np.random.default_rng(5)
    points, weights = rng.normal(0.2, 1, 9), weights_of(rng, 9)
    mean = np.average(points, weights=weights)
    variance = np.cov(points, aweights=weights)
    assert effect_size(points, weights) == pytest.approx(mean / np.sqrt(variance))
    assert effect_size(points, weights * 5) == pytest.approx(effect_size(points, weights))


def test_what_is_expected_and_its_chance_are_of_the_weighted_mean() -> None:
    rng = np.random.default_rng(6)
    first, second, weights = rankings(rng), rankings(rng), weights_of(rng, 7)
    pair = Pair(first, second, np.full((7, 4), -1))
    draws = rng.normal(0.01, 0.1, (300, 7))
    belief = Belief(draws, np.ones(3), Support(50, 20, 20, 20, 30))
    found = compare(MEASURE, pair, belief=belief, weights=weights)
    means = mean_over_queries(draws, weights)
    np.testing.assert_allclose(means, np.average(draws, axis=1, weights=weights))
    assert found.value is None
    assert found.lower is not None
    assert found.upper is not None
    clipped = np.clip(means.mean(), found.lower, found.upper)
    assert found.expected == pytest.approx(clipped, abs=1e-12)
    assert found.better == pytest.approx(Estimate.over(means).above())


@pytest.mark.parametrize("weights", [[-1.0, 1.0], [np.nan, 1.0], [np.inf, 1.0], [0.0, 0.0]])
def test_weights_that_are_none_are_refused(weights: list[float]) -> None:
    with pytest.raises(RubricError, match="weights"):
        unequal(np.array(weights))
