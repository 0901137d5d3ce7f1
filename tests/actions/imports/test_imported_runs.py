"""A run is stored as it is displayed, with what was found in it, under a name of its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from annotator.actions.imports.texts import import_queries, import_run
from annotator.actions.pool import make_pool
from annotator.displayed_order import OrderRule
from annotator.errors import InputError, UsageError
from annotator.formats.naming import system_name
from annotator.store import Desk, Project
from tests.actions.conftest import refused
from tests.actions.imports.conftest import Write
from tests.projects import contents, labels_of, pair_number, run_lines


def ranking(project: Project, system: str, qid: str) -> list[str]:
    """What a stored system returned for a query, in displayed order."""
    (number,) = [one.id for one in project.systems.all() if one.name == system]
    names = project.documents.names()
    query = project.queries.ids()[qid]
    (found,) = [one for one in project.systems.rankings(number) if one.query == query]
    return [names[document] for document in found.documents.tolist()]


def test_a_run_is_stored_in_displayed_order_with_its_findings(
    project: Project, file: Write
) -> None:
    found = import_run(
        project,
        file("q1 Q0 d2 2 5 t\nq1 Q0 d1 1 9 t\nq1 Q0 d3 3 7 t\nq2 Q0 d1 1 1 t\nq1 Q0 d1 4 1 t\n"),
    )
    assert found.facts == {
        "system": "alpha",
        "rows": 5,
        "queries": 2,
        "documents": 3,
        "order": str(OrderRule.RANK),
        "duplicate documents dropped": 1,
        "places where rank and score disagree": 1,
        "queries new": 2,
        "documents new": 3,
    }
    assert ranking(project, "alpha", "q1") == ["d1", "d2", "d3"]
    (system,) = project.systems.all()
    assert system.findings["duplicates"] == 1
    assert system.findings["contradictions"] == 1


@pytest.mark.parametrize("rank", [0, 1, 7])
def test_a_rank_column_that_says_nothing_gives_way_to_the_score(
    project: Project,
    file: Write,
    rank: int,
) -> None:
    scores = {"d1": 1.5, "d2": 9, "d3": 1.5, "d4": -3}
    found = import_run(
        project, file("".join(f"q1 Q0 {d} {rank} {score} t\n" for d, score in scores.items()))
    )
    assert found.facts["order"] == str(OrderRule.SCORE)
    assert any("ordered by score" in warning for warning in found.warnings)
    assert ranking(project, "alpha", "q1") == ["d2", "d1", "d3", "d4"]
    assert found.facts["rows with a tied score"] == 2


def test_a_tie_across_rank_ten_is_told(project: Project, file: Write) -> None:
    def text(qid: str, tied: int) -> str:
        return "".join(
            f"{qid} Q0 d{rank} {rank} {100 - rank - (rank == tied)} t\n" for rank in range(1, 13)
        )

    found = import_run(project, file(text("q1", 10) + text("q2", 9) + text("q3", 11)))
    assert found.facts["queries with a tie across rank 10"] == 1
    assert found.facts["rows with a tied score"] == 6


def test_queries_outside_the_project_are_left_out(project: Project, file: Write) -> None:
    import_queries(project, file("q1\tone\nq2\ttwo\n", "queries.tsv"))
    found = import_run(project, file(run_lines({"q1": ["d1"], "q9": ["d2"]})))
    assert found.facts["unknown queries"] == 1
    assert found.facts["queries of the project without a ranking"] == 1
    assert "q9" in found.warnings[0]
    assert list(project.queries.ids()) == ["q1", "q2"]


def test_ids_taken_from_a_run_do_not_settle_the_queries(project: Project, file: Write) -> None:
    import_run(project, file(run_lines({"q1": ["d1"]})))
    import_run(project, file(run_lines({"q2": ["d1"]}), "beta.run"))
    assert list(project.queries.ids()) == ["q1", "q2"]


def test_the_same_run_twice_changes_nothing(project: Project, file: Write) -> None:
    path = file(run_lines({"q1": ["d1"]}))
    import_run(project, path)
    before = contents(project)
    assert "nothing changed" in import_run(project, path).warnings[0]
    assert contents(project) == before


def test_a_name_that_is_taken_needs_to_be_replaced_and_keeps_its_judgments(
    project: Project,
    file: Write,
) -> None:
    import_run(project, file(run_lines({"q1": ["d1", "d2"]})))
    make_pool(project, 10)
    Desk(project, "ann").say(pair_number(project, "q1", "d2"), grade=3)
    path = file(run_lines({"q1": ["d3", "d2"]}))
    assert "--replace" in refused(project, lambda: import_run(project, path), UsageError)
    import_run(project, path, replace=True)
    assert [system.name for system in project.systems.all()] == ["alpha"]
    assert ranking(project, "alpha", "q1") == ["d3", "d2"]
    assert labels_of(project) == {("q1", "d2"): 3}
    import_run(project, file(run_lines({"q1": ["d4"]}), "x-alpha.run"))
    assert [system.name for system in project.systems.all()] == ["alpha", "x-alpha"]


def test_a_bad_line_of_a_run_stores_nothing(project: Project, file: Write) -> None:
    path = file(run_lines({"q1": ["d1"]}) + "q1 Q0 d2 2 high t\nq1 Q0 d3\n")
    said = refused(project, lambda: import_run(project, path), InputError)
    assert f"{path}:2:" in said
    assert f"{path}:3:" in said


@pytest.mark.parametrize(
    ("file_name", "name"),
    [
        ("bm25.run", "bm25"),
        ("bm25.run.gz", "bm25"),
        ("a.b.TXT", "a.b"),
        ("plain", "plain"),
        ("v1.2", "v1.2"),
        (".run", ".run"),
    ],
)
def test_a_system_is_named_after_its_file(file_name: str, name: str) -> None:
    assert system_name(Path("folder.run") / file_name) == name
