"""Values worked by hand or taken from a source, for the measures as a person would check them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from rubric import EMPTY, UNJUDGED, Gain, JudgedRankings, Measure, Rules, evaluate, summarise
from rubric.measures.ndcg import dcg, ideal_dcg

EXPONENTIAL = Gain().values(3)


def one(ranking: Sequence[int], judged: Sequence[int] | None = None) -> JudgedRankings:
    """One query: grades in rank order, and the grades of all judged documents."""
    grades = [grade for grade in ranking if grade >= 0] if judged is None else list(judged)
    return JudgedRankings(
        grades=np.array([ranking], dtype=np.int8),
        judged=np.bincount(grades, minlength=4)[None, :],
        unjudged=np.array([sum(grade == UNJUDGED for grade in ranking)]),
    )


def score(measure: str, rankings: JudgedRankings, rules: Rules | None = None) -> float:
    """The determined value of the only query."""
    return float(evaluate(Measure.parse(measure), rankings, rules).value[0])


def test_ndcg_of_a_graded_ranking_is_the_textbook_value() -> None:
    rankings = one([2, 0, 3, 1, 0])
    assert dcg(rankings.grades, EXPONENTIAL, 5)[0] == pytest.approx(6.931, abs=5e-4)
    ideal = ideal_dcg(rankings.judged_at_least(), EXPONENTIAL, 5)
    assert ideal[0] == pytest.approx(9.393, abs=5e-4)
    assert score("nDCG@5", rankings) == pytest.approx(0.738, abs=5e-4)
    assert score("nDCG@3", rankings) == pytest.approx(0.692, abs=5e-4)
    assert score("nDCG@3(gain=linear)", rankings) == pytest.approx(0.735, abs=5e-4)


def test_order_matters_to_ndcg_where_recall_sees_none() -> None:
    best, worst = one([3, 2, 1, 0, 0]), one([0, 0, 1, 2, 3])
    assert score("nDCG@5", best) == pytest.approx(1.0)
    assert score("nDCG@5", worst) == pytest.approx(0.479, abs=5e-4)
    assert score("R@5", best) == score("R@5", worst) == 1.0


def test_the_ideal_counts_judged_documents_that_were_not_returned() -> None:
    returned = one([2, 1, 0], judged=[3, 2, 1, 0])
    assert dcg(returned.grades, EXPONENTIAL, 3)[0] == pytest.approx(3.6309, abs=5e-5)
    ideal = ideal_dcg(returned.judged_at_least(), EXPONENTIAL, 3)
    assert ideal[0] == pytest.approx(9.3928, abs=5e-5)
    assert score("nDCG@3", returned) == pytest.approx(0.3866, abs=5e-5)


def test_one_relevant_of_eight_first_or_last() -> None:
    first, last = one([1] + [0] * 7), one([0] * 7 + [1])
    assert score("P@8", first) == score("P@8", last) == 0.125
    assert score("R@8", first) == score("R@8", last) == 1.0
    assert score("nDCG@8", first) == 1.0
    assert score("nDCG@8", last) == pytest.approx(0.3155, abs=5e-5)
    assert score("RR@8", first) == 1.0
    assert score("RR@8", last) == 0.125
    assert score("Hit@8", first) == score("Hit@8", last) == 1.0
    assert score("Hit@7", last) == score("RR@7", last) == 0.0


def test_a_query_without_a_relevant_document_is_left_out_and_counted() -> None:
    rankings = JudgedRankings(
        grades=np.array([[0, 0], [1, 0]], dtype=np.int8),
        judged=np.array([[2, 0, 0, 0], [1, 1, 0, 0]]),
        unjudged=np.array([0, 0]),
    )
    scores = evaluate(Measure.parse("nDCG@2"), rankings)
    assert np.isnan([scores.value[0], scores.lower[0], scores.upper[0]]).all()
    summary = summarise(scores)
    assert (summary.value, summary.scored, summary.undefined) == (1.0, 1, 1)
    with_zero = summarise(evaluate(Measure.parse("nDCG@2"), rankings, Rules(empty_ideal_zero=True)))
    assert (with_zero.value, with_zero.scored, with_zero.undefined) == (0.5, 2, 0)


def test_no_defined_query_gives_no_number_at_all() -> None:
    summary = summarise(evaluate(Measure.parse("nDCG@2"), one([0, 0])))
    numbers = (summary.value, summary.lower, summary.upper, summary.p10, summary.median)
    assert numbers == (None,) * 5
    assert (summary.zero_filled, summary.condensed, summary.ci95) == (None,) * 3


def test_zero_filling_is_no_lower_bound() -> None:
    scores = evaluate(Measure.parse("nDCG@2"), one([1, UNJUDGED]))
    assert scores.zero_filled[0] == 1.0
    assert scores.lower[0] == pytest.approx(0.71, abs=5e-3)
    assert scores.upper[0] == 1.0
    assert np.isnan(scores.value[0])


def test_a_naive_upper_bound_can_lie_below_the_lower_one() -> None:
    """Linear gain, rank 1 = grade 1, ranks 2-9 = 0, rank 10 unjudged: 1.0 falls to 0.51."""
    scores = evaluate(Measure.parse("nDCG@10(gain=linear)"), one([1] + [0] * 8 + [UNJUDGED]))
    assert scores.zero_filled[0] == 1.0
    assert scores.lower[0] == pytest.approx(0.51, abs=5e-3)


def test_an_unjudged_document_outside_the_ranking_lowers_what_is_certain() -> None:
    rankings = one([1, 0])
    wider = JudgedRankings(rankings.grades, rankings.judged, np.array([1]))
    scores = evaluate(Measure.parse("nDCG@2"), wider)
    assert scores.upper[0] == 1.0
    assert scores.lower[0] == pytest.approx(1 / (7 + 1 / np.log2(3)))


def test_condensed_removes_the_unjudged_and_closes_up() -> None:
    scores = evaluate(Measure.parse("RR@2"), one([UNJUDGED, UNJUDGED, 0, 1]))
    assert scores.condensed[0] == 0.5
    assert scores.zero_filled[0] == 0.0
    assert (scores.judged[0], scores.places[0]) == (0, 2)


def test_a_system_that_returned_nothing_scores_zero_not_nothing() -> None:
    scores = evaluate(Measure.parse("nDCG@2"), one([EMPTY, EMPTY], judged=[1]))
    assert (scores.value[0], scores.places[0]) == (0.0, 0)


def test_a_ranking_shorter_than_the_cutoff_still_divides_precision_by_the_cutoff() -> None:
    assert score("P@10", one([1, 1])) == 0.2
