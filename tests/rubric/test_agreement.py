"""Agreement of assessors, beside the packages that compute single numbers of it."""

from __future__ import annotations

import krippendorff
import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score

from rubric.agreement import Agreement, Estimate, agreement
from rubric.arrays import IntArray

NOTHING = Estimate(None, None, None)


def table(seed: int, assessors: int, pairs: int, highest: int, gaps: float) -> IntArray:
    """Assessors who mostly see one grade of each pair, and pairs that some did not grade."""
    rng = np.random.default_rng(seed)
    seen = rng.integers(0, highest + 1, pairs)
    noise = rng.integers(-1, 2, (assessors, pairs))
    grades = np.clip(seen + noise, 0, highest)
    grades[rng.random((assessors, pairs)) < gaps] = -1
    return np.asarray(grades)


def in_queries(grades: IntArray, each: int = 7) -> IntArray:
    return np.asarray(np.arange(grades.shape[1]) // each)


def compared(grades: IntArray, highest: int = 3) -> Agreement:
    return agreement(grades, in_queries(grades), highest=highest)


@pytest.mark.parametrize("seed", range(40))
def test_alpha_is_that_of_krippendorffs_package_whatever_is_missing(seed: int) -> None:
    highest = 1 + seed % 4
    grades = table(seed, 2 + seed % 5, 60, highest, gaps=0.1 * (seed % 6))
    data = np.where(grades < 0, np.nan, grades)
    right = krippendorff.alpha(
        data, level_of_measurement="ordinal", value_domain=range(highest + 1)
    )
    assert compared(grades, highest).alpha.value == pytest.approx(right, abs=1e-12)


@pytest.mark.parametrize("seed", range(20))
def test_kappas_and_shares_of_two_are_those_of_scikit_learn(seed: int) -> None:
    grades = table(seed, 2, 80, 3, gaps=0.2)
    both = (grades >= 0).all(axis=0)
    one, two = grades[:, both]
    threshold = 1 + seed % 3
    pair = agreement(grades, in_queries(grades), highest=3, threshold=threshold).each[0]
    assert pair.weighted_kappa.value == pytest.approx(
        cohen_kappa_score(one, two, weights="quadratic", labels=range(4))
    )
    assert pair.binary_kappa.value == pytest.approx(
        cohen_kappa_score(one >= threshold, two >= threshold)
    )
    assert pair.same.value == pytest.approx(np.mean(one == two))
    assert pair.within_one.value == pytest.approx(np.mean(abs(one - two) <= 1))
    assert pair.mean_difference.value == pytest.approx(np.mean(two) - np.mean(one))
    assert pair.confusion.sum() == pair.pairs == both.sum()
    assert pair.confusion[2, 1] == np.sum((one == 2) & (two == 1))


def test_the_order_of_assessors_changes_nothing_but_who_is_mean_difference() -> None:
    grades = table(1, 3, 60, 3, gaps=0.2)
    one, other = compared(grades), compared(grades[::-1])
    assert one.alpha == pytest.approx(other.alpha)
    first, last = one.each[0], other.each[2]
    assert first.weighted_kappa == pytest.approx(last.weighted_kappa)
    assert first.mean_difference.value == pytest.approx(-(last.mean_difference.value or 0))
    assert np.array_equal(first.confusion, last.confusion.T)


def test_what_nobody_can_know_is_undefined() -> None:
    none = np.full((2, 4), -1)
    alone = np.array([[0, 1, -1, -1], [-1, -1, 2, 3]])
    level = np.array([[1, 1, 1, 1], [1, 1, 1, 1]])
    single = np.array([[0, 1, 2, 3]])
    for grades in (none, alone):
        found = agreement(grades, np.array([0, 0, 1, 1]), highest=3)
        assert (found.pairs, found.queries) == (0, 0)
        assert found.alpha == found.same == found.each[0].weighted_kappa == NOTHING
    found = agreement(level, np.array([0, 0, 1, 1]), highest=3)
    assert found.same == (1.0, None, None)
    assert found.alpha == found.each[0].binary_kappa == NOTHING
    assert agreement(single, np.array([0, 0, 1, 1]), highest=3).each == ()
    assert agreement(np.empty((2, 0), int), np.empty(0, int), highest=3).pairs == 0


@pytest.mark.parametrize(("queries", "known"), [(1, False), (4, False), (5, True), (20, True)])
def test_few_queries_give_a_number_without_an_interval(queries: int, known: bool) -> None:
    grades = table(3, 2, 20, 3, gaps=0.0)
    found = agreement(grades, np.arange(20) % queries, highest=3)
    assert found.alpha.value is not None
    assert (found.alpha.low is not None) == known


@pytest.mark.parametrize("seed", range(5))
def test_no_interval_leaves_the_range_of_its_statistic(seed: int) -> None:
    found = agreement(table(seed, 3, 10, 3, gaps=0.0), np.arange(10) % 5, highest=3)
    for one in (found.alpha, found.same, *(pair.weighted_kappa for pair in found.each)):
        assert one.high is not None
        assert one.high <= 1


def test_alpha_by_query_is_alpha_of_that_query_alone() -> None:
    grades = table(4, 3, 70, 3, gaps=0.2)
    queries = in_queries(grades)
    found = agreement(grades, queries, highest=3).by_query
    for query in range(10):
        alone = grades[:, queries == query]
        own = agreement(alone, np.zeros(alone.shape[1], int), highest=3).alpha.value
        assert found[query] == pytest.approx(np.nan if own is None else own, nan_ok=True)


def test_grades_above_the_scale_are_refused() -> None:
    with pytest.raises(ValueError, match="above 3"):
        agreement(np.array([[4]]), np.array([0]), highest=3)


def test_intervals_over_queries_hold_where_queries_differ() -> None:
    """Queries that differ in how hard they are: drawn anew many times, 95% intervals hold."""
    rng = np.random.default_rng(0)

    def campaign(queries: int, seed: int) -> Agreement:
        drawn = np.random.default_rng(seed)
        hard = np.repeat(drawn.random(queries) < 0.5, 20)
        seen = drawn.integers(0, 4, queries * 20)
        wrong = drawn.random(queries * 20) < np.where(hard, 0.7, 0.1)
        other = np.where(wrong, drawn.integers(0, 4, queries * 20), seen)
        return agreement(np.stack([seen, other]), in_queries(seen[None], 20), highest=3)

    truth = campaign(4000, 1).alpha.value
    assert truth is not None
    held = 0
    for seed in rng.integers(0, 2**31, 100):
        alpha = campaign(40, int(seed)).alpha
        assert alpha.low is not None
        assert alpha.high is not None
        held += alpha.low <= truth <= alpha.high
    assert 88 <= held <= 99
