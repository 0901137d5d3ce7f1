"""Files of every source from the command line: how ids and grades are taken, and what is told."""

from __future__ import annotations

import gzip
import io
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Run, facts, labels
from tests.projects import DATA

FORMATS = DATA / "formats"


def test_a_quepid_book_alone_makes_a_project_with_texts(run: Run, empty: Path) -> None:
    book = FORMATS / "quepid" / "haystack_book.json"
    (queries,) = facts(run, "queries", book)
    (qrels,) = facts(run, "qrels", book)
    (documents,) = facts(run, "documents", book)
    assert queries["queries added"] == qrels["queries"]
    assert "rater02@example.org" in str(qrels["assessors"])
    assert documents["documents known by id before, now with text"]


def test_ratings_by_text_find_queries_that_have_ids(run: Run, empty: Path) -> None:
    Path("queries.tsv").write_text("7\tnotebook\n8\tother\n")
    run("import", "queries", "queries.tsv")
    (found,) = facts(run, "qrels", FORMATS / "quepid" / "Chorus_Electronics_basic.csv")
    assert (found["queries known by their text"], found["judgments added"]) == (1, 20)
    assert labels(run).startswith("7 0 1325549 1\n")


def test_a_run_by_text_and_by_id_of_one_query_is_not_mixed(run: Run, empty: Path) -> None:
    Path("queries.tsv").write_text("7\tnotebook\n")
    Path("a.csv").write_text("query,docid,rank\nnotebook,d1,1\n7,d2,1\n")
    run("import", "queries", "queries.tsv")
    result = run("import", "run", "a.csv")
    assert result.code == 0
    assert "1 query is not in the project, so left out: notebook" in result.out


def test_ids_that_differ_by_zeros_are_pointed_at(run: Run, empty: Path) -> None:
    Path("queries.tsv").write_text("051\tone\n052\ttwo\n")
    Path("q.txt").write_text("51 0 d 1\n")
    run("import", "queries", "queries.tsv")
    result = run("import", "qrels", "q.txt")
    assert result.code == 2
    assert "ids are compared as text, so these are not the same: 51 and 051" in result.err
    Path("q.txt").write_text("51 0 d 1\n052 0 d 1\n")
    assert "the same: 51 and 051" in run("import", "qrels", "q.txt").out


def test_documents_of_another_collection_are_pointed_at(run: Run, small: Path) -> None:
    Path("t.jsonl").write_text('{"_id": "D-01", "text": "x"}\n{"_id": "other", "text": "x"}\n')
    result = run("import", "documents", "t.jsonl")
    assert "none of its documents (D-01, other) is pooled" in result.out
    assert "these are not the same: D-01 and d1" in result.out


def test_a_judged_document_whose_text_changed_is_told(run: Run, small: Path) -> None:
    run("import", "documents", "texts.jsonl")
    Path("new.jsonl").write_text('{"_id": "d1", "text": "changed"}\n')
    result = run("import", "documents", "new.jsonl", "--dry-run")
    assert "1 document was judged by another text than this file has" in result.out


def test_grades_columns_and_format_are_as_typed(run: Run, empty: Path) -> None:
    Path("r.csv").write_text("q,url,stars\nfirst,/a,0.5\nfirst,/b,1.0\n")
    words = ("qrels", "r.csv", "--columns", "query=q,docid=url,grade=stars")
    assert run("import", *words).code == 3
    facts(run, *words, "--grades", "0:0,0.5:1,1:3")
    assert labels(run) == "first 0 /a 1\nfirst 0 /b 3\n"
    Path("three.txt").write_text("1 184 2\n")
    result = run("import", "qrels", "three.txt")
    assert (result.code, "say --as trec-3" in result.err) == (3, True)
    facts(run, "qrels", "--as", "trec-3", "three.txt")
    result = run("import", "qrels", "--as", "nothing", "three.txt")
    assert (result.code, "there are: beir, ltr, quepid" in result.err) == (2, True)
    assert run("import", "qrels", "three.txt", "--encoding", "utf-9").code == 2


def test_raters_are_assessors(run: Run, empty: Path) -> None:
    file = FORMATS / "quepid" / "Broad_Query_Set_individual_ratings.csv"
    result = run("import", "qrels", file, "--assessor", "me")
    assert (result.code, "names its assessors itself (agent_1, agent_2" in result.err) == (2, True)
    (found,) = facts(run, "qrels", file)
    assert found["assessors"] == "agent_1, agent_2, agent_3, final"
    (again,) = facts(run, "qrels", file)
    assert (again["judgments added"], again["judgments stored already"]) == (0, 80)


def test_labels_that_an_import_changes_are_counted_before(run: Run, small: Path) -> None:
    Path("more.txt").write_text("q1 0 d1 3\nq1 0 d2 0\n")
    before = small.read_bytes()
    result = run("import", "qrels", "more.txt", "--dry-run")
    assert "1 pair had another label" in result.out
    assert small.read_bytes() == before


def test_what_replacing_a_run_changes_is_told(run: Run, small: Path) -> None:
    Path("c.run").write_text("q1 Q0 d9 1 9 a\n")
    words = ("import", "run", "c.run", "--name", "a", "--replace", "--dry-run")
    result = run(*words)
    assert "rankings changed" in result.out
    assert "rankings gone" in result.out
    assert "all judgments stay" in result.out


def test_a_run_from_standard_input_needs_a_name(
    run: Run, small: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def give() -> None:
        content = gzip.compress(b"q1 Q0 d9 1 9 a\n")
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))

    give()
    assert run("import", "run", "-").code == 2
    give()
    result = run("import", "run", "-", "--name", "piped")
    assert (result.code, result.out.startswith("standard input (run)")) == (0, True)


def test_two_files_that_would_be_one_system_are_told_before_anything_is_read(
    run: Run, small: Path
) -> None:
    Path("other").mkdir()
    Path("other/a.run").write_text("q1 Q0 d2 1 9 a\n")
    told = run("import", "run", "a.run", "other/a.run")
    assert (told.code, told.out) == (2, "")
    assert "a.run and other/a.run would both be the system a: import one of them" in told.err
    assert run("import", "run", "a.run", "a.run").code == 0
