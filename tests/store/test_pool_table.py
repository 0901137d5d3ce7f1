from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from annotator.actions.imports.texts import import_run
from annotator.actions.pool import make_pool
from annotator.actions.scoring import load_board
from annotator.domain import Query
from annotator.errors import UsageError
from annotator.pooling.depth import Candidate, Place, depth_pool
from annotator.scoring.options import ScoreOptions
from annotator.store import Desk, Project
from tests.projects import (
    begin,
    contents,
    import_systems,
    new_project,
    pooled_project,
    run_lines,
    write,
)

OLD = {"alpha": {"q1": ["d1", "d2", "d3"], "q2": ["d1"]}, "beta": {"q1": ["d3", "d4", "d5"]}}


def entries(project: Project) -> dict[tuple[str, str], tuple[int, list[str], int]]:
    """Each pooled pair with its best rank, the systems that brought it, and its pool."""
    rows = project.file.tuples(
        "SELECT qid, docid, best_rank, systems, pool_id FROM pool_entry"
        " JOIN pair ON pair.id = pair_id JOIN query ON query.id = query_id"
        " JOIN document ON document.id = document_id ORDER BY qid, docid"
    )
    return {(row[0], row[1]): (row[2], json.loads(row[3]), row[4]) for row in rows}


def test_the_pool_is_the_union_of_the_first_documents() -> None:
    places = [
        Place("a", 1, np.array([5, 6, 7], dtype=np.int32)),
        Place("a", 2, np.array([5], dtype=np.int32)),
        Place("b", 1, np.array([6, 8, 5], dtype=np.int32)),
    ]
    assert depth_pool(places, 2) == [
        Candidate(1, 5, 1, ("a",)),
        Candidate(1, 6, 1, ("a", "b")),
        Candidate(1, 8, 2, ("b",)),
        Candidate(2, 5, 1, ("a",)),
    ]


def test_a_pool_keeps_how_it_was_made_and_what_brought_each_pair(tmp_path: Path) -> None:
    project = pooled_project(tmp_path / "judgments.db", OLD, depth=2)
    assert entries(project) == {
        ("q1", "d1"): (1, ["alpha"], 1),
        ("q1", "d2"): (2, ["alpha"], 1),
        ("q1", "d3"): (1, ["beta"], 1),
        ("q1", "d4"): (2, ["beta"], 1),
        ("q2", "d1"): (1, ["alpha"], 1),
    }
    (making,) = project.pool.makings()
    assert (making.method, making.depth, making.systems) == ("depth", 2, ["alpha", "beta"])


def test_a_pair_that_is_pooled_already_is_not_added_again(tmp_path: Path) -> None:
    project = pooled_project(tmp_path / "judgments.db", OLD, depth=2)
    before = contents(project)
    made = make_pool(project, 2)
    assert (made.added, made.pooled) == (0, 5)
    assert contents(project) == before


def test_extending_adds_only_what_is_missing(tmp_path: Path) -> None:
    project = pooled_project(tmp_path / "judgments.db", OLD, depth=2)
    before = entries(project)
    import_systems(project, {"gamma": {"q1": ["d2", "d9"]}})
    made = make_pool(project, 2, seed=99)
    assert (made.added, made.pooled, made.unjudged) == (1, 6, 6)
    assert entries(project) == {**before, ("q1", "d9"): (2, ["gamma"], 2)}
    assert [making.systems for making in project.pool.makings()] == [
        ["alpha", "beta"],
        ["alpha", "beta", "gamma"],
    ]
    assert project.pool.seed() == 0


def test_only_named_systems_are_pooled(tmp_path: Path) -> None:
    project = new_project(tmp_path / "judgments.db")
    with pytest.raises(UsageError, match="import run"):
        make_pool(project, 1)
    import_systems(project, OLD)
    with pytest.raises(UsageError, match="no system gamma in the project; there are: alpha, beta"):
        make_pool(project, 1, systems=["gamma"])
    assert make_pool(project, 1, systems=["beta"]).added == 1
    assert list(entries(project)) == [("q1", "d3")]


def test_documents_without_text_are_counted(tmp_path: Path) -> None:
    project = pooled_project(tmp_path / "judgments.db", OLD, depth=1)
    assert make_pool(project, 1).without_text == 2


def test_a_new_system_lowers_coverage_until_its_documents_are_judged(tmp_path: Path) -> None:
    """The situation that the program is for: the old systems are judged, then comes a new one."""
    project = pooled_project(tmp_path / "judgments.db", OLD)
    session = begin(project)
    while session.card:
        session.grade(session.card.pair, 1)
    judged, places = load_board(project, ScoreOptions()).coverage(10)
    assert judged.tolist() == places.tolist() == [[3, 1], [3, 0]]

    new = {"q1": ["n1", "d1", "n2"], "q2": ["n1"]}
    import_run(project, write(tmp_path / "new.run", run_lines(new)))
    judged, places = load_board(project, ScoreOptions()).coverage(10)
    assert (judged[2].tolist(), places[2].tolist()) == ([1, 0], [3, 1])

    made = make_pool(project, 10)
    assert (made.added, made.unjudged) == (3, 3)
    session = begin(project)
    assert session.totals.open == 3
    found = []
    while session.card:
        assert session.query
        found.append((session.query.qid, session.card.docid))
        session.grade(session.card.pair, 2)
    assert sorted(found) == [("q1", "n1"), ("q1", "n2"), ("q2", "n1")]
    judged, places = load_board(project, ScoreOptions()).coverage(10)
    assert (judged == places).all()


def test_a_query_pooled_while_an_assessor_works_is_met_by_them(tmp_path: Path) -> None:
    project = new_project(tmp_path / "judgments.db")
    project.queries.store([Query("q1", "one"), Query("q2", "two")])
    import_systems(project, {"alpha": {"q2": ["d1"]}})
    make_pool(project, 10)
    session = begin(project)
    project.queries.store([Query("q3", "three")])
    import_systems(project, {"beta": {"q1": ["d1"], "q2": ["d1", "d2"], "q3": ["d1"]}})
    make_pool(project, 10)
    Desk(project, "ben").say(1, grade=1)  # whoever hears of this reads the pool again
    assert session.card
    assert session.grade(session.card.pair, 2)
    met = []
    while session.card:
        assert session.query
        met.append((session.query.qid, session.card.docid))
        session.grade(session.card.pair, 0)
    assert sorted(met) == [("q1", "d1"), ("q2", "d2"), ("q3", "d1")]
