"""The answer in words: nothing is said out of nothing, and no size without its sign."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from annotator.report.answer import plain_sentence
from annotator.results.comparisons import Compared
from rubric import Comparison, JudgedRankings, Measure, Pair, Verdict, compare

NOTHING = "Not known yet"


def ranking(grades: list[list[int]]) -> JudgedRankings:
    """Rankings by grades, -1 unjudged, of queries that have these documents and no others."""
    array = np.array(grades, dtype=np.int8)
    judged = np.stack([np.sum(array == grade, axis=1) for grade in range(4)], axis=1)
    return JudgedRankings(grades=array, judged=judged, unjudged=np.sum(array == -1, axis=1))


def compared(first: list[list[int]], second: list[list[int]]) -> Compared:
    """Two systems that rank the same documents of each query in these orders."""
    place = np.full((len(first), len(first[0])), -1)
    result = compare(Measure.parse("P@2"), Pair(ranking(first), ranking(second), place))
    return Compared("new", "old", result, (0, 0), (), (None, None))


def told(result: Comparison, means: tuple[float | None, float | None]) -> str:
    return plain_sentence(Compared("new", "old", result, (0, 0), (), means))


@pytest.fixture
def result() -> Comparison:
    better, worse = [[3, 2, 0, 0]] * 8, [[0, 0, 3, 2]] * 8
    return compared(better, worse).result


def test_who_is_ahead_by_how_much_and_on_how_many_queries(result: Comparison) -> None:
    said = told(result, (1.0, 0.5))
    assert said.startswith("new is ahead of old on P@2: 1.000 against 0.500 (+1.000)")
    assert "better on 8 of 8 queries, worse on 0" in said
    assert "settled: no missing grade can change it" in said
    assert "likely to hold for new queries like these (p = 0.00781)" in said


def test_an_adjusted_p_value_is_called_so(result: Comparison) -> None:
    one = Compared("new", "old", result, (0, 0), (), (1.0, 0.5))
    assert "(p = 0.0123, adjusted for all pairs)" in plain_sentence(replace(one, p_holm=0.0123))
    assert "adjusted" not in plain_sentence(one)


def test_the_better_system_is_named_first_whichever_comes_first(result: Comparison) -> None:
    turned = compared([[0, 0, 3, 2]] * 8, [[3, 2, 0, 0]] * 8)
    said = plain_sentence(replace(turned, means=(0.5, 1.0)))
    assert said.startswith("old is ahead of new on P@2: 1.000 against 0.500")
    assert "better on 8 of 8 queries, worse on 0" in said


def test_a_settled_difference_below_the_margin_is_called_level() -> None:
    better, worse = [[3, 0, 0, 0]] + [[0, 3, 0, 0]] * 199, [[0, 0, 3, 0]] + [[3, 0, 0, 0]] * 199
    one = compared(better, worse)
    assert one.verdict is Verdict.PROVED
    assert "new and old are level" in plain_sentence(one)
    assert "new is ahead of old" in plain_sentence(replace(one, margin=0.001))
    assert "So small a difference" not in plain_sentence(one)
    assert "Nothing here says that new queries would tell them apart" in plain_sentence(one)


def test_without_a_label_nothing_is_known() -> None:
    one = compared([[-1, -1, -1, -1]] * 6, [[-1, -1, -1, -1]] * 6)
    said = plain_sentence(one)
    assert said.startswith(NOTHING) or said.startswith("Nothing is known yet")
    assert "ahead" not in said
    assert "new queries" not in said


def test_no_difference_is_told_out_of_bounds_alone() -> None:
    for first, second in product(([[3, -1, 0, 0]], [[-1, -1, 0, 3]]), repeat=2):
        one = compared(first * 6, second * 6)
        if not one.verdict.settled and one.result.value is None:
            assert plain_sentence(one).startswith(NOTHING)
            assert one.size == one.new_queries == "unknown"
