"""What may be claimed of two systems: how surely, on which labels, and after how many more."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from annotator.actions.comparisons import compare_two
from annotator.actions.imports.qrels import import_qrels
from annotator.actions.scoring import score
from annotator.scoring.options import ScoreOptions
from rubric import Measure, Verdict
from rubric.arrays import FloatArray
from rubric.choose.survey import drawn_sums
from rubric.model.evidence import Withheld
from rubric.model.expectation import SPREAD, Estimate
from rubric.model.grade_model import GradeModel
from rubric.model.pooled_ranks import PooledRanks
from rubric.model.stopping import (
    Support,
    is_credible,
    labels_to_verdict,
    likely_range,
    too_many_by_eye,
    verdict,
)
from tests.projects import begin, pooled_project, qrels_lines, write
from tests.rubric.worlds import TOP, world


def on(labels: int, queries: int = 50, every: int = 50, lower: int = 99) -> Support:
    """So many labels, of some queries, of documents below first ranks."""
    return Support(labels, queries, every, lower, 99)


def test_an_estimate_is_normal_and_wider_than_its_draws() -> None:
    one = Estimate(0.1, 0.1 / SPREAD)
    assert one.above() == pytest.approx(0.8413447)
    assert one.interval(-1, 0.2) == pytest.approx((0.1 - 0.1959964, 0.2))
    assert (Estimate(0.0, 0.0).above(), Estimate(0.1, 0.0).above()) == (0.5, 1.0)


def test_nothing_is_credible_on_few_labels() -> None:
    sure = Estimate(0.3, 0.01)
    assert [is_credible(sure, on(labels)) for labels in (29, 30)] == [False, True]
    assert not is_credible(Estimate(0.1, 0.1), on(500))


def test_nothing_is_credible_on_labels_of_few_queries_or_of_first_ranks() -> None:
    sure = Estimate(0.3, 0.01)
    assert [is_credible(sure, on(60, queries)) for queries in (14, 15)] == [False, True]
    assert [is_credible(sure, on(400, queries, 9)) for queries in (8, 9)] == [False, True]
    assert [is_credible(sure, on(400, lower=lower)) for lower in (9, 10)] == [False, True]
    assert is_credible(sure, Support(400, 50, 50, 4, 4))
    near = Estimate(0.0, 0.001)
    assert verdict(-1, 1, near, on(30, 15)) is Verdict.WITHIN
    assert verdict(-1, 1, near, on(30, 14)) is Verdict.OPEN
    assert labels_to_verdict(np.full(9, 0.5), np.ones(80), on(60, 4)) == 11


def test_many_labels_of_few_queries_support_no_claim() -> None:
    least = {
        labels: next(queries for queries in range(51) if not on(labels, queries).missing)
        for labels in (30, 60, 61, 75, 80, 400)
    }
    assert least == {30: 15, 60: 15, 61: 16, 75: 19, 80: 20, 400: 20}
    assert on(75, 15).missing == 4
    assert not Support(400, 12, 12, 99, 99).missing


def test_a_claim_is_made_where_the_95_percent_interval_leaves_out_0() -> None:
    sure = 1.25 * 1.9599640  # so many deviations of the draws
    assert [is_credible(Estimate(off, 1.0), on(30)) for off in (sure - 1e-3, sure + 1e-3)] == [
        False,
        True,
    ]
    assert is_credible(Estimate(-sure - 1e-3, 1.0), on(30))
    for off in np.linspace(-3, 3, 61):
        low, high = Estimate(float(off), 1.0).interval(-9, 9)
        assert is_credible(Estimate(float(off), 1.0), on(30)) == (low > 0 or high < 0)


def draw_world(pooled: PooledRanks, rng: np.random.Generator) -> FloatArray:
    """Grades that the model's own prior gives: shape (Q, P)."""
    model = GradeModel(pooled, TOP)
    model.fit(np.full(pooled.known.shape, -1, dtype=np.int8))
    rows, columns = np.nonzero(pooled.known)
    grades = np.full(pooled.known.shape, -1)
    grades[rows, columns] = model.draw(1, rng, rows, columns)[0]
    return grades


def test_in_worlds_that_the_model_draws_its_claims_are_as_often_right_as_it_says() -> None:
    """The world is the prior's, so the posterior must be calibrated without the wider spread."""
    made = world(queries=20, documents=8, k=5)
    pooled = made.pooled
    rng, off, sure, right = np.random.default_rng(7), [], [], []
    for _ in range(80):
        truth = draw_world(pooled, rng)
        judged = rng.random(truth.shape) < 0.7
        grades = np.where(judged, truth, -1).astype(np.int8)
        model = GradeModel(pooled, TOP)
        model.fit(grades)
        sums = drawn_sums(model, grades, made.target, 200, rng)
        true = drawn_sums(model, truth.astype(np.int8), made.target, 1, rng)[0]
        difference = Estimate.over(sums[:, 0] - sums[:, 1])
        apart = float(true[0] - true[1])
        off.append((apart - difference.mean) / difference.sd)
        sure.append(difference.above())
        right.append(apart > 0)
    assert np.sqrt(np.mean(np.square(off))) == pytest.approx(1, abs=0.2)
    claimed = np.maximum(sure, 1 - np.array(sure)) >= 0.95
    wrong = claimed & ((np.array(sure) > 0.5) != np.array(right))
    assert claimed.sum() > 8
    assert wrong.sum() <= 0.05 * claimed.sum()


def test_the_labels_to_a_verdict_grow_as_the_systems_come_closer() -> None:
    rng, shares = np.random.default_rng(0), np.linspace(1, 0.1, 80)
    noise = rng.normal(0, 0.05, 400)
    needed = [labels_to_verdict(apart + noise, shares, on(100)) for apart in (0.5, 0.1, 0.05)]
    assert needed[0] < needed[1] < needed[2] <= 80
    assert labels_to_verdict(noise, np.zeros(0), on(0)) == 0
    assert labels_to_verdict(0.5 + noise, shares, on(10)) == 20


def test_an_open_verdict_takes_a_label_more_at_least_while_any_document_is_left() -> None:
    sure, shares = np.full(9, 0.5), np.ones(80)
    assert labels_to_verdict(sure, shares, on(100)) == 1
    assert labels_to_verdict(sure, shares, on(10)) == 20
    assert labels_to_verdict(sure, shares[:5], on(10)) == 5
    assert labels_to_verdict(sure, shares[:0], on(100)) == 0


def test_labels_teach_so_that_fewer_are_foreseen_than_the_doubt_of_each_document_asks() -> None:
    noise = np.random.default_rng(0).normal(0, 0.05, 400)
    alike = np.ones(400)  # documents that are worth the same: nothing is gained by their order
    early, late = (labels_to_verdict(0.08 + noise, alike, on(labels)) for labels in (30, 3000))
    assert early < late


def test_what_is_likely_to_be_needed_is_half_to_double_of_what_is_foreseen() -> None:
    assert likely_range(60, on(100), unjudged=500) == (30, 120)
    assert likely_range(60, on(100), unjudged=80) == (30, 80)
    assert likely_range(25, on(10), unjudged=500) == (20, 50)
    assert likely_range(1, on(40), unjudged=1) == (1, 1)


def test_too_many_picked_by_eye_are_more_than_a_tenth() -> None:
    assert [too_many_by_eye(by_eye, 0) for by_eye in (3, 4)] == [False, True]
    assert [too_many_by_eye(by_eye, 100) for by_eye in (10, 11)] == [False, True]


def test_labels_picked_in_a_ranking_count_in_scores_and_not_in_claims(tmp_path: Path) -> None:
    qids = [f"q{number}" for number in range(20)]
    systems = {"a": {q: ["y", "d1"] for q in qids}, "b": {q: ["x", "d2"] for q in qids}}
    project = pooled_project(tmp_path / "judgments.db", systems)
    grades = {(q, d): g for q in qids[:15] for d, g in (("d1", 1), ("d2", 0))}
    import_qrels(project, write(tmp_path / "qrels.txt", qrels_lines(grades)))
    options = ScoreOptions(measures=(Measure("nDCG", 10),))
    [before] = compare_two(project, "a", "b", options).pairs
    assert (before.result.labels, before.verdict) == (30, Verdict.CREDIBLE)

    session, numbers_ = begin(project), {q.qid: n for n, q in project.queries.all().items()}
    documents = project.documents.ids(["d1", "x"])
    for query in qids[:3]:
        session.grade_openly(numbers_[query], documents["x"], "x", 0)
    [some] = compare_two(project, "a", "b", options).pairs
    assert some.result.labels == 30
    assert some.result.unjudged < before.result.unjudged
    basis = score(project, options).method.expected
    assert basis is not None
    assert (basis.labels, basis.by_eye) == (30, 3)

    for query in qids[15:]:
        session.grade_openly(numbers_[query], documents["d1"], "d1", 3)
    table = score(project, options)
    assert table.method.expected == replace(basis, draws=0, by_eye=8, withheld=Withheld.BY_EYE)
    assert "no expected values: 8 labels of documents picked by eye" in table.method.line()
    assert [one.measures[0].summary.expected for one in table.systems] == [None, None]
    [many] = compare_two(project, "a", "b", options).pairs
    assert many.verdict is Verdict.OPEN
