from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from annotator.actions.found import Found
from annotator.actions.importing import (
    import_documents,
    import_queries,
    import_run,
)
from annotator.actions.journal import import_judgments
from annotator.actions.labelling import import_qrels
from annotator.actions.pooling import make_pool
from annotator.errors import AnnotatorError, InputError, UsageError
from annotator.formats.naming import system_name
from annotator.ordering import OrderRule
from annotator.store import Desk, Project
from tests.projects import (
    begin,
    contents,
    labels_of,
    new_project,
    pair_number,
    pooled_project,
    run_lines,
    write,
)

Write = Callable[..., Path]


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return new_project(tmp_path / "judgments.db")


@pytest.fixture
def file(tmp_path: Path) -> Write:
    """Write a file of this text."""

    def write_file(text: str, name: str = "alpha.run") -> Path:
        return write(tmp_path / name, text)

    return write_file


def documents_text(**texts: str) -> str:
    return "".join(json.dumps({"docid": key, "text": text}) + "\n" for key, text in texts.items())


def ranking(project: Project, system: str, qid: str) -> list[str]:
    """What a stored system returned for a query, in displayed order."""
    (number,) = [one.id for one in project.systems.all() if one.name == system]
    names = project.documents.names()
    query = project.queries.ids()[qid]
    (found,) = [one for one in project.systems.rankings(number) if one.query == query]
    return [names[document] for document in found.documents.tolist()]


def refused(project: Project, act: Callable[[], Found], error: type[AnnotatorError]) -> str:
    """Do what must be refused without any change; all that was said."""
    before = contents(project)
    with pytest.raises(error) as caught:
        act()
    assert contents(project) == before
    return "\n".join([caught.value.message, *caught.value.details])


def test_queries_are_stored_once_and_never_overwritten(project: Project, file: Write) -> None:
    found = import_queries(project, file("q1\tone\nq2\ttwo\n", "queries.tsv"))
    assert found.facts == {"queries added": 2}
    found = import_queries(project, file("q1\tone\nq2\tother\nq3\tthree\n", "more.tsv"))
    assert found.facts == {
        "queries added": 1,
        "queries stored already": 1,
        "queries that differ from what is stored": 1,
    }
    assert "q2" in found.warnings[0]
    assert [query.text for query in project.queries.all().values()] == ["one", "two", "three"]


def test_queries_known_by_id_get_their_text(project: Project, file: Write) -> None:
    found = import_run(project, file(run_lines({"q1": ["d1"], "q2": ["d1"]})))
    assert any("no queries are imported yet" in warning for warning in found.warnings)
    found = import_queries(project, file("q2\ttwo\nq3\tthree\n", "queries.tsv"))
    assert found.facts == {"queries added": 1, "queries known by id before, now with text": 1}


def test_ids_with_braces_are_told_as_they_are(project: Project, file: Write) -> None:
    import_queries(project, file("q{q}\tone\nq2\ttwo\n", "queries.tsv"))
    found = import_queries(project, file("q{q}\tother\n", "more.tsv"))
    assert "q{q}" in found.warnings[0]
    found = import_run(project, file(run_lines({"q2": ["d1"], "{0}": ["d1"]})))
    assert "{0}" in found.warnings[0]


def test_a_bad_line_of_queries_stores_nothing(project: Project, file: Write) -> None:
    path = file("q1\tone\n\ttwo\nq3\tthree\n", "queries.tsv")
    assert f"{path}:2:" in refused(project, lambda: import_queries(project, path), InputError)


def test_documents_are_all_stored_before_there_is_a_pool(project: Project, file: Write) -> None:
    import_qrels(project, file("q1 0 d1 1\n", "qrels.txt"))
    found = import_documents(project, file(documents_text(d1="one", d2="two"), "docs.jsonl"))
    assert found.facts["documents added"] == 1
    assert found.facts["documents known by id before, now with text"] == 1


def test_only_pooled_documents_are_stored_once_there_is_a_pool(tmp_path: Path, file: Write) -> None:
    project = pooled_project(tmp_path / "j.db", {"a": {"q1": ["d1", "d2", "d3"]}}, depth=2)
    path = file(documents_text(d1="one", d3="three", d9="nine"), "docs.jsonl")
    found = import_documents(project, path)
    assert found.facts == {
        "documents added": 0,
        "documents known by id before, now with text": 1,
        "documents left out, since no pooled pair needs them": 2,
        "pooled documents still without text": 1,
    }
    assert "1 pooled document has no text yet" in found.warnings[0]
    found = import_documents(project, path, everything=True)
    assert found.facts["documents added"] == 1
    assert found.facts["documents stored already"] == 1


def test_a_stored_document_is_never_overwritten(project: Project, file: Write) -> None:
    import_documents(project, file(documents_text(d1="one"), "docs.jsonl"))
    found = import_documents(project, file(documents_text(d1="changed"), "other.jsonl"))
    assert found.facts["documents that differ from what is stored"] == 1
    assert "d1" in found.warnings[0]
    assert project.documents.get(project.documents.ids(["d1"])["d1"]).text == "one"
    found = import_documents(project, file(documents_text(d1="one"), "again.jsonl"))
    assert found.facts == {"documents added": 0, "documents stored already": 1}


TWICE: dict[Callable[..., Found], str] = {
    import_queries: "q1\tone\n",
    import_documents: '{"_id": "d1", "text": "one"}\n',
    import_run: "q1 Q0 d1 1 1.5 t\n",
    import_qrels: "q1 0 d1 1\n",
    import_judgments: '{"qid": "q1", "docid": "d1", "grade": 2}\n',
}


@pytest.mark.parametrize("import_file", TWICE, ids=lambda one: one.__name__)
def test_the_same_file_again_changes_nothing_and_says_so(
    project: Project, file: Write, import_file: Callable[..., Found]
) -> None:
    path = file(TWICE[import_file], "file")
    assert "nothing changed" not in " ".join(import_file(project, path).warnings)
    before = contents(project)
    assert import_file(project, path).warnings[-1].endswith("nothing changed")
    assert contents(project) == before


def test_a_bad_line_of_documents_stores_nothing(project: Project, file: Write) -> None:
    path = file(documents_text(**{f"d{at}": "text" for at in range(700)}) + "{bad\n", "d.jsonl")
    assert f"{path}:701:" in refused(project, lambda: import_documents(project, path), InputError)


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


def test_a_file_of_another_query_set_is_refused(project: Project, file: Write) -> None:
    import_queries(project, file("q1\tone\n", "queries.tsv"))
    run = file(run_lines({"7": ["d1"], "8": ["d1"]}))
    qrels = file("7 0 d1 1\n", "qrels.txt")
    for act in (lambda: import_run(project, run), lambda: import_qrels(project, qrels)):
        assert "another query set" in refused(project, act, UsageError)


def test_ids_taken_from_a_run_do_not_settle_the_queries(project: Project, file: Write) -> None:
    import_run(project, file(run_lines({"q1": ["d1"]})))
    import_run(project, file(run_lines({"q2": ["d1"]}), "beta.run"))
    import_qrels(project, file("q3 0 d1 1\n", "qrels.txt"))
    assert list(project.queries.ids()) == ["q1", "q2", "q3"]


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


def test_a_file_that_is_of_another_kind_is_refused(project: Project, file: Write) -> None:
    run, qrels = file(run_lines({"q1": ["d1"]})), file("q1 0 d1 1\n", "qrels.txt")
    refused(project, lambda: import_qrels(project, run), InputError)
    refused(project, lambda: import_run(project, qrels), InputError)
    refused(project, lambda: import_run(project, qrels.with_name("missing.run")), InputError)


def test_texts_reach_the_desk(tmp_path: Path, file: Write) -> None:
    project = pooled_project(tmp_path / "j.db", {"a": {"q1": ["d1"]}})
    import_queries(project, file("q1\tone\n", "queries.tsv"))
    import_documents(project, file(documents_text(d1="the text"), "docs.jsonl"))
    session = begin(project)
    assert session.query
    assert session.query.text == "one"
    document = session.document()
    assert document
    assert document.text == "the text"
