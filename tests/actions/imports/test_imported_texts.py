"""Queries and documents are stored once, are never overwritten, and reach the desk."""

from __future__ import annotations

import json
from pathlib import Path

from annotator.actions.exports import export_documents
from annotator.actions.imports.qrels import import_qrels
from annotator.actions.imports.texts import import_documents, import_queries, import_run
from annotator.errors import InputError
from annotator.formats import Hints
from annotator.store import Project
from tests.actions.conftest import refused
from tests.actions.imports.conftest import Write
from tests.projects import begin, pooled_project, run_lines


def documents_text(**texts: str) -> str:
    return "".join(json.dumps({"docid": key, "text": text}) + "\n" for key, text in texts.items())


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
        "columns": "docid=docid, text=text",
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
    assert found.facts["documents stored already"] == 1
    assert found.facts["documents added"] == 0


def test_a_bad_line_of_documents_stores_nothing(project: Project, file: Write) -> None:
    path = file(documents_text(**{f"d{at}": "text" for at in range(700)}) + "{bad\n", "d.jsonl")
    assert f"{path}:701:" in refused(project, lambda: import_documents(project, path), InputError)


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


def test_fields_are_listed_and_may_be_chosen_again(project: Project, file: Write) -> None:
    line = json.dumps({"_id": "d1", "text": "one", "by": "Ann", "price": 3, "score": 9})
    path = file(line + "\n", "fields.jsonl")
    found = import_documents(project, path)
    assert (found.facts["fields shown"], found.facts["fields held back"]) == ("by, price", "score")
    found = import_documents(project, path, hints=Hints.parse(hide="by"))
    assert found.facts["documents of the same text with other fields now"] == 1
    number = project.documents.ids(["d1"])["d1"]
    assert project.documents.get(number).metadata == (("price", "3"),)
    found = import_documents(project, path, hints=Hints.parse(hide="by"))
    assert found.warnings[-1] == "nothing changed"


def test_exported_documents_are_read_by_beirs_loader_and_come_back(
    project: Project, file: Write
) -> None:
    records = [
        {"_id": "a", "text": "Red."},
        {"_id": "b", "title": "", "text": "Blue."},
        {"_id": "c", "title": "Only a title"},
        {"_id": "d", "title": "D", "text": ""},
    ]
    import_documents(project, file("\n".join(map(json.dumps, records)), "corpus.jsonl"))
    lines = [*export_documents(project)]
    corpus = {}
    for line in lines:  # as BEIR's loader does, and then its models
        read = json.loads(line)
        corpus[read["_id"]] = {"text": read.get("text"), "title": read.get("title")}
    joined = [(one["title"] + " " + one["text"]).strip() for one in corpus.values()]
    assert joined == ["Red.", "Blue.", "Only a title", "D"]
    found = import_documents(project, file("\n".join(lines), "again.jsonl"))
    assert found.warnings[-1] == "nothing changed"
