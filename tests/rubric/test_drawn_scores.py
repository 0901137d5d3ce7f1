from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rubric import KINDS, UNJUDGED, JudgedRankings, Measure, Rules, evaluate
from rubric.model.drawn_scores import DrawnGrades, drawn_scores
from tests.rubric.enumeration import TOP, Problem, as_arrays, plain_ndcg, plain_score, problems

NAMES = ["nDCG", "DCG", "P", "R", "F", "Hit", "RR", "AP", "RBP", "ERR"]


@st.composite
def drawings(draw: st.DrawFn) -> tuple[list[Problem], list[list[dict[int, int]]]]:
    """One system's queries, and a few drawn gradings of the unjudged documents of each."""
    queries = draw(st.lists(problems(), min_size=1, max_size=4))
    count = draw(st.integers(1, 3))
    grade = st.integers(0, TOP)
    gradings = [
        [{one: draw(grade) for one in sorted(query.unjudged)} for query in queries]
        for _ in range(count)
    ]
    return queries, gradings


def drawn(queries: list[Problem], gradings: list[list[dict[int, int]]]) -> DrawnGrades:
    pairs = [(row, one) for row, query in enumerate(queries) for one in sorted(query.unjudged)]
    place = [
        queries[row].ranking.index(one) if one in queries[row].ranking else -1 for row, one in pairs
    ]
    return DrawnGrades(
        query=np.array([row for row, _ in pairs], dtype=np.int64),
        place=np.array([place], dtype=np.int64),
        grades=np.array(
            [[grading[row][one] for row, one in pairs] for grading in gradings], dtype=np.int8
        ),
    )


@settings(deadline=None, max_examples=150)
@given(drawing=drawings(), name=st.sampled_from(NAMES), k=st.integers(1, 6), rel=st.integers(1, 3))
def test_the_score_of_every_draw_is_that_of_the_textbook(
    drawing: tuple[list[Problem], list[list[dict[int, int]]]], name: str, k: int, rel: int
) -> None:
    queries, gradings = drawing
    measure = Measure(name, k, rel=rel if "rel" in KINDS[name].parameters else None)
    scores = drawn_scores(measure, as_arrays(queries), drawn(queries, gradings))
    assert scores.shape == (len(gradings), 1, len(queries))
    for found, grading in zip(scores[:, 0], gradings, strict=True):
        for score, query, given_ in zip(found, queries, grading, strict=True):
            grades = query.judged | given_
            expected = (
                plain_ndcg(query.ranking, grades, k, [0.0, 1, 3, 7])
                if name == "nDCG"
                else plain_score(name, query.ranking, grades, k, rel)
            )
            assert score == pytest.approx(math.nan if expected is None else expected, nan_ok=True)


@settings(deadline=None, max_examples=100)
@given(
    drawing=drawings(),
    name=st.sampled_from(sorted(KINDS)),
    own_ideal=st.booleans(),
    zero=st.booleans(),
)
def test_no_draw_leaves_the_exact_bounds(
    drawing: tuple[list[Problem], list[list[dict[int, int]]]],
    name: str,
    own_ideal: bool,
    zero: bool,
) -> None:
    queries, gradings = drawing
    measure = Measure(name, 3 if KINDS[name].cutoff != "none" else None)
    rules = Rules(own_ideal=own_ideal, empty_ideal_zero=zero)
    bounds = evaluate(measure, as_arrays(queries), rules)
    for found in drawn_scores(measure, as_arrays(queries), drawn(queries, gradings), rules)[:, 0]:
        defined = ~np.isnan(found)
        assert (found >= bounds.lower - 1e-12)[defined].all()
        assert (found <= bounds.upper + 1e-12)[defined].all()
        assert (defined | bounds.doubtful | np.isnan(bounds.upper)).all()


def test_ties_are_averaged_under_every_draw() -> None:
    tied = JudgedRankings(
        grades=np.array([[UNJUDGED, 0]], dtype=np.int8),
        judged=np.array([[1, 0, 0, 0]]),
        unjudged=np.array([1]),
        tied=np.array([[0, 0]]),
    )
    one = DrawnGrades(np.array([0]), np.array([[0]]), np.array([[3], [0]], dtype=np.int8))
    scores = drawn_scores(Measure("nDCG", 2), tied, one)[:, 0, 0]
    assert scores[0] == pytest.approx((1 + 1 / math.log2(3)) / 2)
    assert math.isnan(scores[1])


def test_what_is_judged_scores_the_same_in_every_draw() -> None:
    judged = JudgedRankings(
        grades=np.array([[2, 0], [1, UNJUDGED]], dtype=np.int8),
        judged=np.array([[1, 0, 1, 0], [0, 1, 0, 0]]),
        unjudged=np.array([0, 1]),
    )
    drawn_ = DrawnGrades(np.array([1]), np.array([[1]]), np.array([[0], [3]], dtype=np.int8))
    scores = drawn_scores(Measure("nDCG", 2), judged, drawn_)[:, 0]
    assert scores[:, 0].tolist() == [1.0, 1.0]
    assert scores[0, 1] == 1.0
    assert scores[1, 1] < 1.0


def test_counts_do_not_hang_on_how_many_draws_are_looked_at_at_a_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    grades = np.random.default_rng(0).integers(0, 4, (20, 30)).astype(np.int8)
    query = np.repeat([0, 2, 3], 10)
    drawn_ = DrawnGrades(query, np.zeros((1, 30), dtype=np.int64), grades)
    plain = [
        [[int(sum(one[query == row] >= grade)) for grade in (1, 2, 3)] for row in (0, 2, 3)]
        for one in grades
    ]
    for size in (1, 100, 10_000):
        monkeypatch.setattr("rubric.model.drawn_scores._CACHED", size)
        assert drawn_.at_least(3).tolist() == plain
