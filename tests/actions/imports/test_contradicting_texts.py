"""What contradicts itself among texts is refused or told: ids, texts, and labels of equal texts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from annotator.actions.imports.collections import beir_imports
from annotator.actions.imports.log import import_judgments
from annotator.actions.imports.qrels import import_qrels
from annotator.actions.imports.texts import import_documents, import_queries
from annotator.actions.imports.transaction import import_all
from annotator.actions.status import status
from annotator.errors import InputError
from annotator.store import Project
from tests.actions.conftest import refused
from tests.projects import new_project, pooled_project, write

TWO_TEXTS = {
    "q.tsv": "1\tred\n2\tblue\n1\tgreen\n",
    "q.csv": "qid,query\n1,red\n2,blue\n1,green\n",
    "q.jsonl": '{"_id": "1", "text": "red"}\n{"_id": "1", "text": "green"}\n',
    "ratings.csv": "qid,query,docid,rating\n1,red,a,1\n1,red,b,0\n1,green,c,2\n",
}


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return new_project(tmp_path / "judgments.db")


@pytest.mark.parametrize("name", TWO_TEXTS)
def test_an_id_with_two_texts_refuses_the_queries_unless_the_first_is_to_be_kept(
    project: Project, tmp_path: Path, name: str
) -> None:
    path = write(tmp_path / name, TWO_TEXTS[name])
    said = refused(project, lambda: import_queries(project, path), InputError)
    assert "1 id has two texts" in said
    assert "1: red / green" in said
    assert "--keep-first" in said
    found = import_queries(project, path, keep_first=True)
    assert found.facts["queries that come again with another text"] == 1
    assert next(iter(project.queries.all().values())).text == "red"


def test_queries_that_come_twice_with_one_text_are_no_contradiction(
    project: Project, tmp_path: Path
) -> None:
    import_queries(project, write(tmp_path / "q.tsv", "1\tred\n1\tred\n"))
    kept = import_queries(project, write(tmp_path / "r.tsv", "1\tgreen\n"))
    assert "another text in the project, which was kept: 1" in kept.warnings[0]


def test_queries_of_one_text_under_several_ids_are_told(project: Project, tmp_path: Path) -> None:
    found = import_queries(project, write(tmp_path / "q.tsv", "1\tred\n2\tred\n3\tblue\n"))
    assert found.facts["queries that share their text"] == 2
    assert "the text of another: 1, 2" in found.warnings[0]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("iPhone case", "iphone CASE"),
        ("iPhone case", " iPhone \u00a0 case "),
        ("caf\u00e9", "cafe\u0301"),
        ("CAF\u00c9", "cafe\u0301"),
        ("Stra\u00dfe", "STRASSE"),
        ("soft\u00adware", "software"),
    ],
)
def test_case_blanks_and_composition_make_no_other_query(
    one: str, other: str, project: Project, tmp_path: Path
) -> None:
    path = write(tmp_path / "q.tsv", f"1\t{one}\n2\tresume\n3\t{other}\n4\tr\u00e9sum\u00e9\n")
    found = import_queries(project, path)
    assert found.facts["queries that share their text"] == 2
    assert "the text of another: 1, 3" in found.warnings[0]


def test_a_corpus_with_a_document_twice_says_so_and_not_that_it_was_judged(
    project: Project, tmp_path: Path
) -> None:
    write(tmp_path / "queries.jsonl", '{"_id": "1", "text": "red"}\n')
    (tmp_path / "qrels").mkdir()
    write(tmp_path / "qrels" / "test.tsv", "query-id\tcorpus-id\tscore\n1\ta\t1\n1\tgone\t1\n")
    rows = [{"_id": "a", "text": "one"}, {"_id": "a", "text": "two"}]
    write(tmp_path / "corpus.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    found = import_all(project, beir_imports(tmp_path))[-1]
    assert found.facts["documents that come again with another text"] == 1
    assert not any("judged by another text" in one for one in found.warnings)
    assert found.facts["relevant documents that no file has"] == 1
    assert any("lowers every recall: gone" in one for one in found.warnings)


def test_only_pooled_documents_count_as_pooled_documents_without_text(tmp_path: Path) -> None:
    project = pooled_project(tmp_path / "p.db", {"s": {"1": ["a", "b"]}}, depth=2)
    rows = [{"_id": one, "text": f"text of {one}"} for one in ("a", "b")]
    import_qrels(project, write(tmp_path / "big.qrels", "1 0 x0 1\n1 0 x1 0\n"))
    assert status(project).without_text == 2
    found = import_documents(
        project, write(tmp_path / "d.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    )
    assert status(project).without_text == 0
    assert found.facts["relevant documents that no file has"] == 1


@pytest.mark.parametrize("last", ["documents", "qrels", "judgments"])
def test_equal_texts_with_different_grades_are_told_by_whatever_import_makes_them(
    tmp_path: Path, last: str
) -> None:
    project = pooled_project(tmp_path / "p.db", {"s": {"1": ["a", "b", "c"]}})
    texts = {"a": "one text", "b": "one text", "c": "another"}
    rows = [{"_id": docid, "text": text, "url": f"/{docid}"} for docid, text in texts.items()]
    documents = write(tmp_path / "d.jsonl", "\n".join(map(json.dumps, rows)))
    labels = [{"qid": "1", "docid": docid, "grade": grade} for docid, grade in
              (("a", 3), ("b", 0), ("c", 1))]  # fmt: skip
    log = write(tmp_path / "l.jsonl", "\n".join(map(json.dumps, labels)))
    if last == "documents":
        import_qrels(project, log)
        found = import_documents(project, documents)
    else:
        import_documents(project, documents)
        found = (import_qrels if last == "qrels" else import_judgments)(project, log)
    assert found.facts["equal texts graded differently"] == 1
    assert any("under several ids: 1: a, b" in one for one in found.warnings)
    assert project.documents.twins_told_apart() == [("1", ["a", "b"])]
