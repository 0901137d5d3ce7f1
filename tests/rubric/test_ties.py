"""Tied scores: averaged over all orders that they allow, and so as scikit-learn does."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from sklearn.metrics import ndcg_score

from rubric import (
    Gain,
    JudgedRankings,
    Measure,
    RubricError,
    Rules,
    evaluate,
    first_of_ties,
)
from tests.rubric.enumeration import Problem, as_arrays, plain_ndcg, plain_score, problems

LINEAR = ["nDCG", "DCG", "P", "R", "RBP"]
GAINS = [0.0, 1.0, 3.0, 7.0]


def tied(problem: Problem, scores: list[int], depth: int = 8) -> JudgedRankings:
    """The problem with these descending scores of its ranking."""
    padded = np.full((1, depth), -1, dtype=np.int64)
    padded[0, : len(scores)] = scores
    arrays = as_arrays([problem], depth)
    return JudgedRankings(arrays.grades, arrays.judged, arrays.unjudged, first_of_ties(padded))


def orders(ranking: tuple[int, ...], scores: list[int]) -> list[list[int]]:
    """Every order that the ties allow."""
    groups = [
        [document for document, score in zip(ranking, scores, strict=True) if score == value]
        for value in sorted(set(scores), reverse=True)
    ]
    permuted = itertools.product(*(itertools.permutations(group) for group in groups))
    return [[document for group in order for document in group] for order in permuted]


def mean_over_orders(
    name: str, ranked: list[list[int]], grades: dict[int, int], k: int
) -> float | None:
    values = [
        plain_ndcg(one, grades, k, GAINS)
        if name == "nDCG"
        else plain_score(name, one, grades, k, 1)
        for one in ranked
    ]
    if values[0] is None:
        return None
    return math.fsum(value or 0.0 for value in values) / len(values)


@settings(deadline=None, max_examples=150)
@given(
    problem=problems(max_documents=6, max_unjudged=2),
    raw=st.lists(st.integers(1, 3), min_size=6, max_size=6),
    k=st.integers(1, 4),
    name=st.sampled_from(LINEAR),
)
def test_averaged_ties_and_their_bounds_equal_all_orders_and_gradings(
    problem: Problem, raw: list[int], k: int, name: str
) -> None:
    scores = sorted(raw[: len(problem.ranking)], reverse=True)
    found = evaluate(Measure(name, k), tied(problem, scores))
    ranked = orders(problem.ranking, scores)
    values = [mean_over_orders(name, ranked, grades, k) for grades in problem.gradings()]
    defined = [value for value in values if value is not None]
    least, most = (min(defined), max(defined)) if defined else (math.nan, math.nan)
    assert found.lower[0] == pytest.approx(least, abs=1e-12, nan_ok=True)
    assert found.upper[0] == pytest.approx(most, abs=1e-12, nan_ok=True)


@settings(deadline=None, max_examples=150)
@given(
    grades=st.lists(st.integers(0, 3), min_size=2, max_size=12),
    raw=st.lists(st.integers(0, 4), min_size=12, max_size=12),
    k=st.integers(1, 12),
)
def test_scikit_learns_value_is_reproduced_with_its_rules(
    grades: list[int], raw: list[int], k: int
) -> None:
    assume(any(grades))
    scores = np.array(raw[: len(grades)])
    order = np.argsort(-scores, kind="stable")
    judged = np.bincount(np.array(grades), minlength=4)[None, :]
    rankings = JudgedRankings(
        np.array(grades, dtype=np.int8)[order][None, :],
        judged + 5,  # judged documents that the system did not return, which scikit-learn ignores
        np.array([0]),
        first_of_ties(scores[order][None, :]),
    )
    rules = Rules(gain=Gain.parse("linear"), own_ideal=True)
    found = evaluate(Measure("nDCG", k), rankings, rules).zero_filled[0]
    assert found == pytest.approx(ndcg_score([grades], [scores.tolist()], k=k), abs=1e-9)


def test_other_measures_say_that_they_cannot_average_ties() -> None:
    rankings = tied(Problem((0, 1), {0: 1, 1: 0}, ()), [1, 1])
    with pytest.raises(RubricError, match="ties can be averaged for nDCG, DCG, P, R, RBP only"):
        evaluate(Measure("AP"), rankings)
