"""The scores of a project: which queries and labels count, and the method that says so."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from annotator.actions.comparisons import compare_all
from annotator.actions.imports.qrels import import_qrels
from annotator.actions.pool import make_pool
from annotator.actions.scoring import load_board, score
from annotator.domain import AssessorKind
from annotator.errors import UsageError
from annotator.results.scores import MeasureScore
from annotator.scoring.options import EmptyIdeal, MissingQueries, ScoreOptions
from annotator.store import Entry, Project
from rubric import Measure
from tests.projects import (
    begin,
    import_systems,
    new_project,
    pair_number,
    pooled_project,
    qrels_lines,
    write,
)


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
    assert [query.query for query in beta.worst()] == ["q1"]


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
    who = project.judgments.assessor("ann", AssessorKind.HUMAN)
    project.judgments.add(
        Entry(pair=pair, assessor=who, rubric_version=version, grade=2, at=project.now())
    )
    table = score(project, replace(ScoreOptions(), threshold=2))
    method = table.to_dict()["method"]
    assert method["k"] == [3, 10]
    assert method["gain"] == "exponential"
    assert method["threshold"] == 2
    assert method["assessors"] == ["qrels", "ann"]
    assert (method["disputed"], method["judged_pairs"], method["pooled_pairs"]) == (1, 5, 5)
    assert method["pool"] == {"method": "depth", "depth": 10, "systems": ["alpha", "beta"]}
    line = table.method.line()
    assert "1 disputed, the latest label holds" in line
    assert "relevant from grade 2" in line


def test_what_is_said_of_a_system_does_not_hang_on_which_others_are_shown(tmp_path: Path) -> None:
    qids = [f"q{number}" for number in range(12)]
    rng = np.random.default_rng(0)
    ranked = {
        name: {qid: [f"d{one}" for one in rng.permutation(9)] for qid in qids} for name in "abc"
    }
    project = pooled_project(tmp_path / "judgments.db", ranked)
    grades = {(qid, f"d{number}"): number % 3 for qid in qids for number in range(5)}
    import_qrels(project, write(tmp_path / "labels.qrels", qrels_lines(grades)))
    options = ScoreOptions(measures=(Measure("nDCG", 10), Measure("P", 5)))
    every = {one.system: one for one in score(project, options).systems}
    [alone] = score(project, replace(options, systems=("b",))).systems
    assert alone == every["b"]
    assert alone.measures[0].summary.expected95 is not None
    [pair] = compare_all(project, replace(options, systems=("c", "a"))).pairs
    [same] = [
        one for one in compare_all(project, options).pairs if (one.first, one.second) == ("a", "c")
    ]
    assert pair.result.expected == pytest.approx(-(same.result.expected or 0))
