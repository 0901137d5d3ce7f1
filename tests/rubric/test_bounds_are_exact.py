"""Bounds equal what trying every grading gives: single rankings, differences, means."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rubric import KINDS, Cutoff, Gain, Measure, evaluate, mean_bounds
from rubric.bounds.ratio_bounds import RatioProblem, ratio_bounds
from rubric.measures.ndcg import discount_sums, discounts
from tests.rubric.enumeration import (
    Problem,
    as_arrays,
    extremes,
    plain_ndcg,
    plain_score,
    problems,
)

GAINS = {text: Gain.parse(text).values(3) for text in ("exponential", "linear", "0:0:2:2")}
CUTOFFS = st.integers(1, 6)


@settings(deadline=None, max_examples=300)
@given(problem=problems(), k=CUTOFFS | st.none(), gain=st.sampled_from(sorted(GAINS)))
def test_ndcg_bounds_equal_enumeration(problem: Problem, k: int | None, gain: str) -> None:
    scores = evaluate(Measure("nDCG", k, gain=Gain.parse(gain)), as_arrays([problem]))
    gains = GAINS[gain].tolist()
    least, most, doubtful = extremes(problem, lambda r, g: plain_ndcg(r, g, k, gains))
    assert scores.lower[0] == pytest.approx(least, abs=1e-12, nan_ok=True)
    assert scores.upper[0] == pytest.approx(most, abs=1e-12, nan_ok=True)
    assert scores.doubtful[0] == (doubtful or not problem.judged)


@settings(deadline=None, max_examples=600)
@given(
    problem=problems(),
    k=CUTOFFS | st.none(),
    name=st.sampled_from(sorted({*KINDS} - {"nDCG", "Judged"})),
    rel=st.integers(1, 3),
)
def test_bounds_of_every_exact_measure_equal_enumeration(
    problem: Problem, k: int | None, name: str, rel: int
) -> None:
    k = 3 if name == "P" and k is None else k
    k = None if KINDS[name].cutoff is Cutoff.NONE else k
    measure = Measure(name, k, rel=rel if "rel" in KINDS[name].parameters else None)
    scores = evaluate(measure, as_arrays([problem]))
    least, most, doubtful = extremes(problem, lambda r, g: plain_score(name, r, g, k, rel))
    assert scores.lower[0] == pytest.approx(least, abs=1e-12, nan_ok=True)
    assert scores.upper[0] == pytest.approx(most, abs=1e-12, nan_ok=True)
    assert scores.doubtful[0] == (doubtful or not problem.judged)


@settings(deadline=None, max_examples=200)
@given(problem=problems(), other=st.permutations(range(8)), k=CUTOFFS)
def test_bounds_of_a_difference_equal_enumeration(
    problem: Problem, other: list[int], k: int
) -> None:
    documents = [*problem.judged, *problem.unjudged]
    rival = [document for document in other if document in documents]
    gains = GAINS["exponential"]
    weight = dict.fromkeys(documents, 0.0)
    for sign, ranking in ((1, problem.ranking), (-1, rival)):
        for document, discount in zip(ranking[:k], discounts(k), strict=False):
            weight[document] += sign * discount
    lower, upper = ratio_bounds(
        RatioProblem(
            coefficients=np.array([[weight[document] for document in problem.unjudged]]),
            base=np.array([math.fsum(weight[d] * gains[g] for d, g in problem.judged.items())]),
            judged_at_least=as_arrays([problem]).judged_at_least(),
            gains=gains,
            ideal_sums=discount_sums(k),
        )
    )

    def difference(ranking: Sequence[int], grades: dict[int, int]) -> float | None:
        one = plain_ndcg(ranking, grades, k, gains.tolist())
        two = plain_ndcg(rival, grades, k, gains.tolist())
        return None if one is None or two is None else one - two

    least, most, _ = extremes(problem, difference)
    assert lower[0] == pytest.approx(least, abs=1e-12, nan_ok=True)
    assert upper[0] == pytest.approx(most, abs=1e-12, nan_ok=True)


@settings(deadline=None, max_examples=60)
@given(st.lists(problems(max_documents=4, max_unjudged=2), min_size=1, max_size=3), CUTOFFS)
def test_bounds_of_a_mean_equal_enumeration_of_all_queries(many: list[Problem], k: int) -> None:
    scores = evaluate(Measure("nDCG", k), as_arrays(many))
    gains = GAINS["exponential"].tolist()
    per_query = [[plain_ndcg(p.ranking, g, k, gains) for g in p.gradings()] for p in many]
    means = []
    for outcome in itertools.product(*per_query):
        counted = [value for value in outcome if value is not None]
        if counted:
            means.append(math.fsum(counted) / len(counted))
    lower, upper = mean_bounds(scores.lower, scores.upper, scores.doubtful)
    if not means:
        assert lower is upper is None
    else:
        assert lower == pytest.approx(min(means), abs=1e-12)
        assert upper == pytest.approx(max(means), abs=1e-12)


@settings(deadline=None)
@given(st.lists(problems(), min_size=2, max_size=12), CUTOFFS)
def test_many_queries_at_once_score_as_each_alone(many: list[Problem], k: int) -> None:
    for name, kind in KINDS.items():
        measure = Measure(name, None if kind.cutoff is Cutoff.NONE else k)
        together = evaluate(measure, as_arrays(many))
        for row, problem in enumerate(many):
            alone = evaluate(measure, as_arrays([problem]))
            for field in ("lower", "upper", "zero_filled", "condensed", "value"):
                assert getattr(together, field)[row] == pytest.approx(
                    getattr(alone, field)[0], abs=1e-12, nan_ok=True
                )


@settings(deadline=None)
@given(problem=problems(max_unjudged=0), k=CUTOFFS)
def test_everything_judged_leaves_nothing_open(problem: Problem, k: int) -> None:
    for name in ("nDCG", "P", "R", "Hit", "RR"):
        scores = evaluate(Measure(name, k), as_arrays([problem]))
        numbers = [scores.lower, scores.upper, scores.condensed, scores.zero_filled]
        assert np.array(numbers) == pytest.approx(np.array([scores.value] * 4), nan_ok=True)
