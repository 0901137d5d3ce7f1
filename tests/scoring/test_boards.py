from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotator.actions.labelling import import_qrels
from annotator.actions.pooling import make_pool
from annotator.actions.scoring import load_board, score
from annotator.errors import UsageError
from annotator.records import AssessorKind, Int32Array
from annotator.scoring.board import Board
from annotator.scoring.options import EmptyIdeal, MissingQueries, ScoreOptions
from annotator.scoring.pairs import BoardData, places_of
from annotator.scoring.table import MeasureScore
from annotator.store import Entry, Project
from rubric import JudgedRankings, Measure, Rules
from rubric.evaluation import setting
from rubric.linear import document_weights
from tests.projects import (
    begin,
    import_systems,
    new_project,
    pair_number,
    pooled_project,
    qrels_lines,
    write,
)

MEASURES = tuple(map(Measure.parse, ["nDCG@2", "nDCG@4", "P@3", "R@3", "Hit@2", "RR@4"]))
QUERIES = np.array([3, 5, 8], dtype=np.int64)
Pair = tuple[int, int]


def data_of(rankings: Int32Array, pooled: set[Pair], labels: Mapping[Pair, int]) -> BoardData:
    def column(pairs: list[Pair], at: int) -> Int32Array:
        return np.array([pair[at] for pair in pairs], dtype=np.int32)

    in_pool, judged = sorted(pooled), sorted(labels)
    return BoardData(
        queries=QUERIES,
        qids=["q3", "q5", "q8"],
        systems=["alpha", "beta"],
        documents=rankings,
        pooled_query=column(in_pool, 0),
        pooled_document=column(in_pool, 1),
        label_query=column(judged, 0),
        label_document=column(judged, 1),
        label_grade=np.array([labels[pair] for pair in judged], dtype=np.int32),
        top=3,
    )


@st.composite
def all_rankings(draw: st.DrawFn) -> Int32Array:
    """Two systems' documents for three queries, five deep, some short or empty."""
    table = np.zeros((2, 3, 5), dtype=np.int32)
    for system in range(2):
        for query in range(3):
            ranked = draw(st.lists(st.integers(1, 9), unique=True, max_size=5))
            table[system, query, : len(ranked)] = ranked
    return table


# Queries 4 and 9 are in no board, documents above 9 in no ranking, pool or label at first.
PAIRS = st.tuples(
    st.sampled_from([3, 4, 5, 8, 9]),
    st.one_of(st.integers(1, 9), st.sampled_from([12, 40, 2**31 - 1])),
)
INSIDE = st.tuples(st.sampled_from([3, 5, 8]), st.integers(1, 9))


def board(rankings: Int32Array, pooled: set[Pair], labels: Mapping[Pair, int], zero: bool) -> Board:
    rules = Rules(threshold=2, empty_ideal_zero=zero)
    return Board(data_of(rankings, pooled, labels), MEASURES, rules, count_missing=zero)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(
    rankings=all_rankings(),
    pooled=st.sets(INSIDE, max_size=12),
    labels=st.dictionaries(INSIDE, st.integers(0, 3), max_size=8),
    changes=st.lists(st.tuples(PAIRS, st.one_of(st.none(), st.integers(0, 3))), max_size=12),
    zero=st.booleans(),
)
def test_a_board_that_was_kept_up_to_date_equals_a_fresh_one(  # type: ignore[no-untyped-def]
    rankings, pooled, labels, changes, zero
) -> None:
    kept = board(rankings, pooled, labels, zero)
    labels = dict(labels)
    for (query, document), grade in changes:
        kept.relabel(query, document, grade)
        if grade is None:
            labels.pop((query, document), None)
        else:
            labels[query, document] = grade
    fresh = board(rankings, pooled, labels, zero)
    assert kept.table() == fresh.table()
    for mine, theirs in zip(kept.coverage(3), fresh.coverage(3), strict=True):
        assert mine.tolist() == theirs.tolist()


def test_coverage_counts_judged_documents_and_places() -> None:
    rankings = np.array([[[1, 2, 3], [4, 0, 0], [0, 0, 0]]] * 2, dtype=np.int32)
    labels = {(3, 1): 0, (3, 3): 2, (5, 9): 1}
    kept = board(rankings, set(), labels, zero=True)
    judged, places = kept.coverage(2)
    assert judged.tolist() == [[1, 0, 0]] * 2
    assert places.tolist() == [[2, 1, 0]] * 2
    judged, places = kept.coverage(10)
    assert judged.tolist() == [[2, 0, 0]] * 2
    assert places.tolist() == [[3, 1, 0]] * 2


def ndcg10(project: Project, options: ScoreOptions | None = None) -> list[MeasureScore]:
    return [system.measures[1] for system in score(project, options or ScoreOptions()).systems]


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """``beta`` returned nothing for q2; nothing relevant is known for q3; all is judged."""
    project = pooled_project(
        tmp_path / "judgments.db",
        {
            "alpha": {"q1": ["d1", "d2"], "q2": ["d1"], "q3": ["d1"]},
            "beta": {"q1": ["d2", "d1"], "q3": ["d2"]},
        },
    )
    grades = {("q1", "d1"): 3, ("q1", "d2"): 0, ("q2", "d1"): 1, ("q3", "d1"): 0, ("q3", "d2"): 0}
    import_qrels(project, write(tmp_path / "qrels.txt", qrels_lines(grades)))
    return project


BETA_Q1 = 1 / np.log2(3)


def test_a_query_without_results_counts_as_zero_and_is_flagged(project: Project) -> None:
    beta = ndcg10(project)[1]
    assert beta.summary.value == pytest.approx(BETA_Q1 / 2)
    assert (beta.summary.scored, beta.summary.undefined, beta.missing) == (2, 1, 1)
    assert beta.flags() == ["1 without results", "1 undefined"]


def test_a_query_without_results_may_be_left_out(project: Project) -> None:
    beta = ndcg10(project, ScoreOptions(missing_queries=MissingQueries.EXCLUDE))[1]
    assert beta.summary.value == pytest.approx(BETA_Q1)
    assert (beta.summary.scored, beta.missing) == (1, 1)
    assert [query.query for query in beta.worst] == ["q1"]


def test_a_query_without_a_relevant_document_is_undefined_or_zero(project: Project) -> None:
    alpha = ndcg10(project)[0]
    assert alpha.summary.value == pytest.approx(1.0)
    assert [query.defined for query in alpha.per_query] == ["yes", "yes", "no"]
    assert alpha.per_query[2].value is None
    alpha = ndcg10(project, ScoreOptions(empty_ideal=EmptyIdeal.ZERO))[0]
    assert alpha.summary.value == pytest.approx(2 / 3)
    assert (alpha.summary.scored, alpha.summary.undefined) == (3, 0)


def test_a_query_that_may_still_count_is_told_apart(project: Project) -> None:
    import_systems(project, {"gamma": {"q3": ["d9"]}})
    gamma = ndcg10(project)[2]
    assert gamma.per_query[2].defined == "maybe"
    assert gamma.summary.value is None
    assert gamma.summary.unjudged == 1
    assert "1 unjudged" in gamma.flags()


def test_the_board_follows_a_session(project: Project) -> None:
    import_systems(project, {"gamma": {"q1": ["d7", "d1"], "q2": ["d8"]}})
    make_pool(project, 10)
    kept = load_board(project, ScoreOptions())
    session = begin(project)

    def follow() -> None:
        for card in session.changed() or []:
            kept.relabel(card.query, card.document, card.grade)
        assert kept.table() == load_board(project, ScoreOptions()).table()

    while session.card:
        session.grade(session.card.pair, 2)
        follow()
    for _ in range(2):
        session.undo()
        follow()


def test_scores_of_named_systems_and_assessors(project: Project) -> None:
    (beta,) = score(project, ScoreOptions(systems=("beta",))).systems
    assert beta.system == "beta"
    project.judgments.assessor("nobody", AssessorKind.HUMAN)
    method = score(project, ScoreOptions(assessors=("nobody",))).method
    assert (method.judged_pairs, method.assessors) == (0, ())
    with pytest.raises(UsageError, match="no system gamma in the project; there are: alpha, beta"):
        score(project, ScoreOptions(systems=("gamma",)))
    with pytest.raises(UsageError, match="no assessor eve in the project"):
        score(project, ScoreOptions(assessors=("eve",)))


def test_a_project_without_systems_cannot_be_scored(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="import run"):
        score(new_project(tmp_path / "empty.db"), ScoreOptions())


def test_the_method_says_what_defines_the_numbers(project: Project) -> None:
    pair, version = pair_number(project, "q1", "d1"), project.rubrics.active().id
    who = project.judgments.assessor("llm", AssessorKind.MODEL)
    project.judgments.add(Entry(pair, who, version, 2, None, "", project.now()))
    table = score(project, replace(ScoreOptions(), threshold=2))
    method = table.to_dict()["method"]
    assert method["k"] == (3, 10)
    assert method["gain"] == "exponential"
    assert method["threshold"] == 2
    assert method["assessors"] == ("qrels", "llm")
    assert (method["disputed"], method["judged_pairs"], method["pooled_pairs"]) == (1, 5, 5)
    assert method["pool"] == {"method": "depth", "depth": 10, "systems": ["alpha", "beta"]}
    line = table.method.line()
    assert "1 disputed, the latest label holds" in line
    assert "relevant from grade 2" in line


def test_what_no_pair_holds_is_found_nowhere_and_the_rest_where_it_stands() -> None:
    ranked = np.array([[7, 5, 0], [5, 9, 7]], dtype=np.int32)
    keys = np.array([0 * 2**31 + 5, 1 * 2**31 + 7, 3 * 2**31 + 9])
    row, place, at = places_of(keys, ranked)
    assert list(zip(row.tolist(), place.tolist(), at.tolist(), strict=True)) == [
        (0, 1, 0),
        (1, 2, 1),
    ]
    assert [part.size for part in places_of(keys[:0], ranked)] == [0, 0, 0]


def test_a_comparison_is_the_same_however_deep_the_rankings_go() -> None:
    """Documents that stand deep in one system and high in the other count once."""
    chosen = np.random.default_rng(4)
    deep = np.stack([[chosen.permutation(np.arange(1, 61)) for _ in QUERIES] for _ in range(2)])
    deep = deep.astype(np.int32)
    pooled = {(int(q), d) for row, q in enumerate(QUERIES) for d in deep[0, row, :6].tolist()}
    labels = {pair: pair[1] % 4 for pair in sorted(pooled)[::2]}
    for measure in map(Measure.parse, ["nDCG@4", "P@3", "R@5", "AP@4"]):
        found = [
            Board(data_of(ranked, pooled, labels), [measure], Rules()).compare(0, 1, measure)
            for ranked in (deep, deep[:, :, :10])
        ]
        for name in ("query_lower", "query_upper", "query_zero_filled", "query_unjudged"):
            assert getattr(found[0], name) == pytest.approx(getattr(found[1], name), nan_ok=True)


def test_only_ranks_down_to_the_cutoff_are_weighed() -> None:
    grades = np.full((3, 500), -1, dtype=np.int8)
    rankings = JudgedRankings(grades, np.zeros((3, 4), dtype=np.int64), np.full(3, 500))
    ten = setting(Measure.parse("nDCG@10"), Rules(), 3)
    assert document_weights("nDCG", ten, rankings).shape == (3, 10)
    begins = np.concatenate([np.arange(8), np.full(12, 8), np.full(480, 20)])
    tied = replace(rankings, tied=np.tile(begins, (3, 1)))
    assert document_weights("nDCG", ten, tied).shape == (3, 20)
