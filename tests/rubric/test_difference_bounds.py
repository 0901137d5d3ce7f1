"""Bounds of the difference of two systems equal what trying every grading gives."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rubric import KINDS, Cutoff, Measure, Pair, Rules, Verdict, compare, same_places
from rubric.rankings import JudgedRankings
from tests.rubric.enumeration import (
    Problem,
    as_arrays,
    plain_ndcg,
    plain_score,
    problems,
)

GAINS = [0.0, 1.0, 3.0, 7.0]
NAMES = [name for name in KINDS if name not in ("Judged", "bpref")]
RULES = [Rules(), Rules(empty_ideal_zero=True), Rules(own_ideal=True, empty_ideal_zero=True)]
DEPTH = 8


@dataclass(frozen=True)
class Duel:
    """One query that two systems rank."""

    problem: Problem
    rival: tuple[int, ...]

    def scores(self, measure: Measure, rules: Rules, grades: dict[int, int]) -> list[float | None]:
        return [
            _plain(measure, rules, ranking, grades)
            for ranking in (self.problem.ranking, self.rival)
        ]

    def differences(self, measure: Measure, rules: Rules) -> list[float | None]:
        """First minus second under every grading, None where it is undefined."""
        found = []
        for grades in self.problem.gradings():
            one, two = self.scores(measure, rules, grades)
            found.append(None if one is None or two is None else one - two)
        return found


def _plain(
    measure: Measure, rules: Rules, ranking: Sequence[int], grades: dict[int, int]
) -> float | None:
    if rules.own_ideal:
        grades = {document: grades[document] for document in ranking}
    value = (
        plain_ndcg(ranking, grades, measure.k, GAINS)
        if measure.name == "nDCG"
        else plain_score(measure.name, ranking, grades, measure.k, measure.rel or 1)
    )
    return 0.0 if value is None and rules.empty_ideal_zero else value


@st.composite
def duels(draw: st.DrawFn, max_documents: int = 7, max_unjudged: int = 4) -> Duel:
    """Two rankings that agree in part, or wholly, or hold the same documents."""
    problem = draw(problems(max_documents, max_unjudged))
    documents = [*problem.judged, *problem.unjudged]
    same = list(problem.ranking[: draw(st.integers(0, len(problem.ranking)))])
    others = [one for one in documents if one not in same]
    if draw(st.booleans()):
        others = [one for one in problem.ranking if one not in same]
    rest = draw(st.permutations(others))
    rival = (
        [*same, *rest[: draw(st.integers(0, len(rest)))]] if draw(st.booleans()) else same + rest
    )
    return Duel(problem, tuple(rival))


def pair_of(duels_: Sequence[Duel]) -> Pair:
    first = as_arrays([one.problem for one in duels_], DEPTH)
    second = as_arrays([replace(one.problem, ranking=one.rival) for one in duels_], DEPTH)
    numbers = [
        np.array([
            [document + 1 for document in ranking] + [0] * (DEPTH - len(ranking))
            for ranking in rankings
        ])
        for rankings in ([one.problem.ranking for one in duels_], [one.rival for one in duels_])
    ]  # fmt: skip
    return Pair(first, second, same_places(numbers[0], numbers[1]))


def measure_of(name: str, k: int | None, rel: int) -> Measure:
    cutoff = KINDS[name].cutoff
    if cutoff is Cutoff.NONE:
        k = None
    elif cutoff is Cutoff.REQUIRED:
        k = k or 3
    return Measure(name, k, rel=rel if "rel" in KINDS[name].parameters else None)


MEASURES = st.builds(
    measure_of, st.sampled_from(NAMES), st.none() | st.integers(1, 5), st.integers(1, 3)
)


@settings(deadline=None, max_examples=700, derandomize=True)
@given(duel=duels(), measure=MEASURES, rules=st.sampled_from(RULES))
def test_bounds_of_a_difference_are_those_of_all_gradings(
    duel: Duel, measure: Measure, rules: Rules
) -> None:
    found = compare(measure, pair_of([duel]), rules, tests=False)
    defined = [value for value in duel.differences(measure, rules) if value is not None]
    least, most = (min(defined), max(defined)) if defined else (math.nan, math.nan)
    lower, upper = found.query_lower[0], found.query_upper[0]
    same_documents = set(duel.rival) == set(duel.problem.ranking)
    if not rules.own_ideal or same_documents:
        assert found.exact
    if found.exact:
        assert lower == pytest.approx(least, abs=1e-12, nan_ok=True)
        assert upper == pytest.approx(most, abs=1e-12, nan_ok=True)
    else:
        assert lower <= least + 1e-12
        assert upper >= most - 1e-12


@settings(deadline=None, max_examples=150, derandomize=True)
@given(duel=duels(), rel=st.integers(1, 3), rules=st.sampled_from(RULES))
def test_bounds_that_are_not_exact_hold_every_grading_and_say_so(
    duel: Duel, rel: int, rules: Rules
) -> None:
    measure = Measure("bpref", rel=rel)
    found = compare(measure, pair_of([duel]), rules, tests=False)
    defined = [value for value in duel.differences(measure, rules) if value is not None]
    if defined:
        assert found.query_lower[0] <= min(defined) + 1e-12
        assert found.query_upper[0] >= max(defined) - 1e-12
        if found.exact:
            assert found.query_lower[0] == pytest.approx(min(defined), abs=1e-12)
            assert found.query_upper[0] == pytest.approx(max(defined), abs=1e-12)


def outcomes(duel: Duel, measure: Measure, rules: Rules) -> list[float | None]:
    """The differences that gradings give; a query that nobody labelled may stay one."""
    found = list(duel.differences(measure, rules))
    return found if duel.problem.judged else [*found, None]


@settings(deadline=None, max_examples=60, derandomize=True)
@given(
    many=st.lists(duels(max_documents=4, max_unjudged=2), min_size=1, max_size=3),
    measure=MEASURES,
    rules=st.sampled_from(RULES[:2]),
)
def test_bounds_of_a_mean_difference_are_those_of_all_gradings(
    many: list[Duel], measure: Measure, rules: Rules
) -> None:
    found = compare(measure, pair_of(many), rules, tests=False)
    means = []
    for outcome in itertools.product(*(outcomes(duel, measure, rules) for duel in many)):
        counted = [value for value in outcome if value is not None]
        if counted:
            means.append(math.fsum(counted) / len(counted))
    if not means:
        assert found.lower is None
        return
    assert found.exact
    assert found.lower == pytest.approx(min(means), abs=1e-12)
    assert found.upper == pytest.approx(max(means), abs=1e-12)


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("name", [name for name in KINDS if name != "Judged"])
def test_a_run_is_equal_to_its_own_copy_whatever_is_judged(name: str, rules: Rules) -> None:
    chosen = np.random.default_rng(7)
    grades = chosen.choice([-3, -1, 0, 1, 2, 3], size=(30, 60)).astype(np.int8)
    judged = np.stack([(grades == grade).sum(axis=1) for grade in range(4)], axis=1) + 1
    rankings = JudgedRankings(grades, judged, (grades < 0).sum(axis=1) + 4)
    places = np.tile(np.arange(60), (30, 1))
    for k in (None, 10):
        found = compare(measure_of(name, k, 1), Pair(rankings, rankings, places), rules)
        assert found.verdict is Verdict.EQUAL
        assert (found.value, found.lower, found.upper, found.exact) == (0.0, 0.0, 0.0, True)


@pytest.mark.parametrize("name", ["AP", "infAP", "ERR"])
def test_where_too_much_is_unjudged_bounds_are_loose_and_within_what_each_score_could_be(
    name: str,
) -> None:
    chosen = np.random.default_rng(3)
    documents = np.stack([chosen.permutation(400) + 1 for _ in range(4)]).reshape(2, 2, 400)
    grades = np.full((2, 400), -1, dtype=np.int8)
    grades[:, ::9] = 1
    judged = np.array([[0, 45, 0, 0]] * 2)
    one = JudgedRankings(grades, judged, np.array([400, 400]))
    pair = Pair(one, one, same_places(documents[0], documents[1]))
    found = compare(Measure(name), pair, tests=False)
    lower, upper = found.query_lower, found.query_upper
    assert (lower <= found.query_zero_filled + 1e-9).all()
    assert (upper >= found.query_zero_filled - 1e-9).all()
    assert (np.abs(np.concatenate([lower, upper])) <= 1).all()
