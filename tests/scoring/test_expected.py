"""What is expected: within the exact bounds, the score where all is judged, honest about itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotator.actions.comparing import compare_two
from annotator.actions.labelling import import_qrels
from annotator.actions.scoring import score
from annotator.records import Int32Array
from annotator.scoring import estimates
from annotator.scoring.board import Board
from annotator.scoring.method import Basis
from annotator.scoring.options import ScoreOptions
from annotator.scoring.table import MeasureScore, QueryScore
from rubric import Measure, Rules, Summary, Verdict
from rubric.arrays import FloatArray
from rubric.expectation import SPREAD, Estimate
from rubric.grade_model import GradeModel
from rubric.pooled_ranks import PooledRanks
from rubric.stopping import (
    Support,
    is_credible,
    is_within_margin,
    labels_to_verdict,
    likely_range,
    too_many_by_eye,
)
from rubric.survey import drawn_sums
from tests.projects import begin, pooled_project, qrels_lines, write
from tests.scoring.test_boards import INSIDE, Pair, all_rankings, data_of
from tests.scoring.worlds import GAINS, TOP, world


def on(labels: int, queries: int = 50, every: int = 50, lower: int = 99) -> Support:
    """So many labels, of some queries, of documents below first ranks."""
    return Support(labels, queries, every, lower, 99)


MEASURES = tuple(map(Measure.parse, ["nDCG@2", "nDCG@4", "DCG@3", "P@3", "R@3", "RR@4", "AP"]))


def board(rankings: Int32Array, pooled: set[Pair], labels: Mapping[Pair, int], zero: bool) -> Board:
    rules = Rules(threshold=2, empty_ideal_zero=zero)
    made = Board(data_of(rankings, pooled, labels), MEASURES, rules, count_missing=zero)
    made.estimate(30)
    return made


def numbers(made: Board) -> list[MeasureScore]:
    return [one for system in made.table() for one in system.measures]


@settings(max_examples=25, deadline=None, derandomize=True)
@given(
    rankings=all_rankings(),
    pooled=st.sets(INSIDE, max_size=12),
    labels=st.dictionaries(INSIDE, st.integers(0, 3), max_size=12),
    zero=st.booleans(),
)
def test_what_is_expected_lies_within_the_exact_bounds(  # type: ignore[no-untyped-def]
    rankings, pooled, labels, zero
) -> None:
    made = board(rankings, pooled, labels, zero)
    for one in numbers(made):
        parts: list[Summary | QueryScore] = [one.summary, *one.per_query]
        for part in parts:
            if part.expected is None:
                continue
            assert part.lower is not None
            assert part.upper is not None
            assert part.lower - 1e-12 <= part.expected <= part.upper + 1e-12
            assert part.value is None or part.expected == part.value
        if one.summary.expected95 and one.summary.lower is not None:
            low, high = one.summary.expected95
            assert one.summary.lower - 1e-12 <= low <= high <= (one.summary.upper or 0) + 1e-12
    for measure in MEASURES:
        found = made.compare(0, 1, measure)
        if found.expected is not None and found.lower is not None and found.upper is not None:
            assert found.lower - 1e-12 <= found.expected <= found.upper + 1e-12
        ends = (found.query_lower, found.query_expected, found.query_upper)
        least, hoped, most = (end[~np.isnan(found.query_expected)] for end in ends)
        assert (least - 1e-12 <= hoped).all()
        assert (hoped <= most + 1e-12).all()


@settings(max_examples=20, deadline=None, derandomize=True)
@given(rankings=all_rankings(), grades=st.lists(st.integers(0, 3), min_size=27, max_size=27))
def test_where_all_is_judged_the_score_is_what_is_expected(  # type: ignore[no-untyped-def]
    rankings, grades
) -> None:
    pairs = [(query, document) for query in (3, 5, 8) for document in range(1, 10)]
    made = board(rankings, set(), dict(zip(pairs, grades, strict=True)), zero=False)
    assert made.basis is None
    for one in numbers(made):
        assert one.summary.expected == one.summary.value == one.summary.zero_filled
        assert all(query.expected == query.value for query in one.per_query)


def test_a_board_expects_the_same_again_and_other_seeds_expect_nearly_that() -> None:
    rng = np.random.default_rng(0)
    rankings = np.stack([rng.permuted(np.tile(np.arange(1, 6), (3, 1)), axis=1) for _ in "ab"])
    made = Board(data_of(rankings.astype(np.int32), set(), {(3, 1): 2, (5, 2): 1}), MEASURES[:2],
                 Rules())  # fmt: skip
    found = []
    for seed in (0, 0, 1):
        made.estimate(2000, seed=seed)
        found.append([one.summary.expected for one in numbers(made)])
    assert found[0] == found[1]
    assert found[0] != found[2]
    assert found[0] == pytest.approx(found[2], abs=0.03)


def test_a_label_makes_what_was_expected_void_and_leaves_a_frozen_board_alone() -> None:
    rankings = np.array([[[1, 2, 0], [3, 0, 0], [0, 0, 0]]] * 2, dtype=np.int32)
    made = Board(data_of(rankings, set(), {(3, 1): 2}), MEASURES[:1], Rules())
    frozen = made.frozen()
    frozen.estimate(50)
    before = frozen.table()
    made.relabel(3, 2, 3)
    assert made.estimates is None
    assert made.table()[0].measures[0].summary.expected is None
    assert frozen.table() == before


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
    pooled = world(queries=20, documents=8, k=5).pooled
    rng, off, sure, right = np.random.default_rng(7), [], [], []
    for _ in range(80):
        truth = draw_world(pooled, rng)
        judged = rng.random(truth.shape) < 0.7
        grades = np.where(judged, truth, -1).astype(np.int8)
        model = GradeModel(pooled, TOP)
        model.fit(grades)
        sums = drawn_sums(model, grades, GAINS, 200, rng)
        true = drawn_sums(model, truth.astype(np.int8), GAINS, 1, rng)[0]
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


def test_an_estimate_is_normal_and_wider_than_its_draws() -> None:
    one = Estimate(0.1, 0.1 / SPREAD)
    assert one.above() == pytest.approx(0.8413447)
    assert one.within(0.1) == pytest.approx(0.5 - 0.0227501, abs=1e-6)
    assert one.interval(-1, 0.2) == pytest.approx((0.1 - 0.1959964, 0.2))
    assert (Estimate(0.0, 0.0).above(), Estimate(0.1, 0.0).above()) == (0.5, 1.0)


def test_nothing_is_credible_on_few_labels() -> None:
    sure = Estimate(0.3, 0.01)
    assert [is_credible(sure, on(labels)) for labels in (29, 30)] == [False, True]
    assert not is_credible(Estimate(0.1, 0.1), on(500))


def test_nothing_is_credible_on_labels_of_few_queries_or_of_first_ranks() -> None:
    sure = Estimate(0.3, 0.01)
    assert [is_credible(sure, on(400, queries)) for queries in (14, 15)] == [False, True]
    assert [is_credible(sure, on(400, queries, 9)) for queries in (8, 9)] == [False, True]
    assert [is_credible(sure, on(400, lower=lower)) for lower in (9, 10)] == [False, True]
    assert is_credible(sure, Support(400, 50, 50, 4, 4))
    assert is_within_margin(Estimate(0.0, 0.001), on(30, 15))
    assert not is_within_margin(Estimate(0.0, 0.001), on(30, 14))
    assert labels_to_verdict(np.full(9, 0.5), np.ones(80), on(60, 4)) == 11


def test_a_claim_takes_a_chance_of_95_percent_with_the_deviation_a_quarter_wider() -> None:
    sure = 1.25 * 1.6448536  # so many deviations of the draws
    assert [is_credible(Estimate(off, 1.0), on(30)) for off in (sure - 1e-3, sure + 1e-3)] == [
        False,
        True,
    ]
    assert is_credible(Estimate(-sure - 1e-3, 1.0), on(30))


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
    assert table.method.expected == replace(basis, draws=0, by_eye=8)
    assert "no expected values: 8 labels of documents picked by eye" in table.method.line()
    assert [one.measures[0].summary.expected for one in table.systems] == [None, None]
    [many] = compare_two(project, "a", "b", options).pairs
    assert many.verdict is Verdict.OPEN


@pytest.mark.parametrize(
    ("limit", "measure"), [("_SCORES", "nDCG@4"), ("_GRADES", "nDCG@4"), ("_PLACES", "RR@4")]
)
def test_where_there_is_much_to_draw_there_are_fewer_draws_and_the_error_is_told(
    limit: str, measure: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng(0)
    rankings = np.stack([rng.permuted(np.tile(np.arange(1, 10), (3, 1)), axis=1) for _ in "ab"])
    data = data_of(rankings.astype(np.int32), set(), {(3, 1): 2, (5, 2): 1})
    sizes = {"_SCORES": 2 * 3, "_GRADES": 3 * 9 - 2, "_PLACES": rankings.size}
    found = {}
    for draws in (1000, 400, 7):
        monkeypatch.setattr(estimates, limit, sizes[limit] * draws + 1)
        made = Board(data, [Measure.parse(measure)], Rules())
        made.estimate()
        assert made.basis is not None
        found[draws] = made.basis.draws, numbers(made)[0].summary.expected
        scores = made.drawn(made.measures[0])
        assert scores is not None
        assert len(scores) == made.basis.draws
        assert f"{made.basis.own_error:.1%} of the ±" in made.basis.line()
    assert [count for count, _ in found.values()] == [1000, 400, estimates._FEWEST_DRAWS]
    assert found[1000][1] == pytest.approx(found[400][1], abs=0.05)


def test_the_error_told_of_the_draws_is_theirs() -> None:
    rng = np.random.default_rng(1)
    draws = rng.normal(0.5, 0.1, (2000, 100))
    halves = [Estimate.over(one).interval(-9, 9)[1] - one.mean() for one in draws]
    off = np.quantile(np.abs(draws.mean(axis=1) - 0.5), 0.95)
    told = Basis(draws=100, spread=SPREAD, seed=0, labels=0, by_eye=0).own_error
    assert off / np.mean(halves) == pytest.approx(told, rel=0.05)


def test_a_pooled_document_that_no_system_returned_is_drawn_and_teaches_nothing() -> None:
    rankings = np.array([[[1, 2], [3, 4], [5, 6]]] * 2, dtype=np.int32)
    measure = Measure.parse("R@2")
    found = {}
    for name, pooled, labels in (
        ("alone", set(), {}),
        ("pooled", {(3, 9)}, {}),
        ("judged", {(3, 9)}, {(3, 9): 0}),
    ):
        every: dict[Pair, int] = dict.fromkeys(((3, 1), (5, 3), (8, 5)), 2) | labels
        made = Board(data_of(rankings, pooled, every), [measure], Rules())
        made.estimate(400)
        assert made.basis is not None
        assert made.basis.labels == 3
        query = made.table()[0].measures[0].per_query[0]
        assert query.expected is not None
        assert query.lower is not None
        assert query.lower <= query.expected <= (query.upper or 0)
        found[name] = query.expected
    assert found["pooled"] < found["alone"] - 0.02
    assert found["judged"] == pytest.approx(found["alone"], abs=0.02)


def test_what_is_likely_to_be_needed_is_half_to_double_of_what_is_foreseen() -> None:
    assert likely_range(60, on(100), unjudged=500) == (30, 120)
    assert likely_range(60, on(100), unjudged=80) == (30, 80)
    assert likely_range(25, on(10), unjudged=500) == (20, 50)
    assert likely_range(1, on(40), unjudged=1) == (1, 1)


def test_labels_teach_so_that_fewer_are_foreseen_than_the_doubt_of_each_document_asks() -> None:
    noise = np.random.default_rng(0).normal(0, 0.05, 400)
    alike = np.ones(400)  # documents that are worth the same: nothing is gained by their order
    early, late = (labels_to_verdict(0.08 + noise, alike, on(labels)) for labels in (30, 3000))
    assert early < late
