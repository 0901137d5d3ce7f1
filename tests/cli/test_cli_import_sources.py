"""Imports of every kind from the command line, and what they tell."""

from __future__ import annotations

import gzip
import io
import json
import os
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.projects import DATA

FORMATS = DATA / "formats"


@pytest.fixture
def project(run: Run, folder: Path) -> Path:
    """An empty project."""
    assert run("init").code == 0
    return folder / "judgments.db"


def facts(run: Run, *words: object) -> list[dict[str, object]]:
    """What an import found, file by file."""
    result = run("import", *words, "--format", "json")
    assert result.code == 0, result.err
    found: list[dict[str, object]] = [one["facts"] for one in json.loads(result.out)["files"]]
    return found


def labels(run: Run) -> str:
    return run("export", "qrels", "-").out


def test_a_quepid_book_alone_makes_a_project_with_texts(run: Run, project: Path) -> None:
    book = FORMATS / "quepid" / "haystack_book.json"
    (queries,) = facts(run, "queries", book)
    (qrels,) = facts(run, "qrels", book)
    (documents,) = facts(run, "documents", book)
    assert queries["queries added"] == qrels["queries"]
    assert "rater02@example.org" in str(qrels["assessors"])
    assert documents["documents known by id before, now with text"]


def test_ratings_by_text_find_queries_that_have_ids(run: Run, project: Path) -> None:
    Path("queries.tsv").write_text("7\tnotebook\n8\tother\n")
    run("import", "queries", "queries.tsv")
    (found,) = facts(run, "qrels", FORMATS / "quepid" / "Chorus_Electronics_basic.csv")
    assert (found["queries known by their text"], found["judgments added"]) == (1, 20)
    assert labels(run).startswith("7 0 1325549 1\n")


def test_a_run_by_text_and_by_id_of_one_query_is_not_mixed(run: Run, project: Path) -> None:
    Path("queries.tsv").write_text("7\tnotebook\n")
    Path("a.csv").write_text("query,docid,rank\nnotebook,d1,1\n7,d2,1\n")
    run("import", "queries", "queries.tsv")
    result = run("import", "run", "a.csv")
    assert result.code == 0
    assert "1 query is not in the project, so left out: notebook" in result.out


def test_ids_that_differ_by_zeros_are_pointed_at(run: Run, project: Path) -> None:
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


def test_grades_columns_and_format_are_as_typed(run: Run, project: Path) -> None:
    Path("r.csv").write_text("q,url,stars\nfirst,/a,0.5\nfirst,/b,1.0\n")
    words = ("qrels", "r.csv", "--columns", "query=q,docid=url,grade=stars")
    assert run("import", *words).code == 3
    facts(run, *words, "--grades", "0:0,0.5:1,1:3")
    assert labels(run) == "first 0 /a 1\nfirst 0 /b 3\n"
    Path("three.txt").write_text("1 184 2\n")
    result = run("import", "qrels", "three.txt")
    assert (result.code, "annotator import qrels --as trec-3 three.txt" in result.err) == (3, True)
    facts(run, "qrels", "--as", "trec-3", "three.txt")
    result = run("import", "qrels", "--as", "nothing", "three.txt")
    assert (result.code, "there are: beir, ltr, csv, trec" in result.err) == (2, True)
    assert run("import", "qrels", "three.txt", "--encoding", "utf-9").code == 2


def test_raters_are_assessors_and_a_program_is_known_as_one(run: Run, project: Path) -> None:
    file = FORMATS / "quepid" / "Broad_Query_Set_individual_ratings.csv"
    result = run("import", "qrels", file, "--assessor", "me")
    assert (result.code, "names its assessors itself (agent_1, agent_2" in result.err) == (2, True)
    (found,) = facts(run, "qrels", "--model", file)
    assert found["assessors"] == "agent_1, agent_2, agent_3, final"
    assert '"assessor_kind": "model"' in run("export", "judgments", "-").out
    (again,) = facts(run, "qrels", "--model", file)
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


@pytest.fixture
def beir(folder: Path) -> Path:
    """A BEIR folder with two splits."""
    root = folder / "tiny"
    (root / "qrels").mkdir(parents=True)
    (root / "queries.jsonl").write_text(
        '{"_id": "1", "text": "one"}\n{"_id": "2", "text": "two"}\n'
    )
    (root / "corpus.jsonl.gz").write_bytes(
        gzip.compress(b'{"_id": "d1", "title": "", "text": "x"}\n{"_id": "d2", "text": "y"}\n')
    )
    (root / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\n1\td1\t1\n")
    (root / "qrels" / "train.tsv").write_text("query-id\tcorpus-id\tscore\n2\td2\t1\n")
    return root


def test_a_beir_folder_comes_in_with_one_command(run: Run, project: Path, beir: Path) -> None:
    queries, qrels, documents = facts(run, "beir", beir)
    assert queries["queries added"] == 1
    assert (qrels["assessor"], qrels["judgments added"]) == ("tiny test", 1)
    assert documents["documents known by id before, now with text"] == 1
    assert labels(run) == "1 0 d1 1\n"


def test_another_split_is_named(run: Run, project: Path, beir: Path) -> None:
    facts(run, "beir", beir, "--split", "train")
    assert labels(run) == "2 0 d2 1\n"
    result = run("import", "beir", beir, "--split", "dev")
    assert (result.code, "no qrels/dev.tsv; splits: test, train" in result.err) == (3, True)
    result = run("import", "beir", beir / "qrels")
    assert (result.code, "it has no queries.jsonl" in result.err) == (3, True)


def test_a_data_set_of_ir_datasets_comes_in_by_its_id(
    run: Run, project: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("IR_DATASETS_HOME", str(folder / "home"))
    ir_datasets = import_module("ir_datasets")
    formats = import_module("ir_datasets.formats")

    class Queries(formats.BaseQueries):  # type: ignore[misc, name-defined]
        def queries_iter(self) -> Iterator[object]:
            yield formats.TrecQuery("1", "one", "about one", "more")
            yield formats.TrecQuery("2", "two", "", "")

    class Qrels(formats.BaseQrels):  # type: ignore[misc, name-defined]
        def qrels_iter(self) -> Iterator[object]:
            yield formats.TrecQrel("1", "d", 2, "0")

    class Docs(formats.BaseDocs):  # type: ignore[misc, name-defined]
        def docs_iter(self) -> Iterator[object]:
            yield formats.GenericDoc("d", "a text")

    dataset = ir_datasets.Dataset(Docs(), Queries(), Qrels())
    ir_datasets.registry.register("tiny/local", dataset)
    queries, qrels, documents = facts(run, "ir-datasets", "tiny/local")
    assert queries["queries added"] == 1  # the other has no judgment
    assert qrels["assessor"] == "tiny/local"
    assert documents["documents known by id before, now with text"] == 1
    assert labels(run) == "1 0 d 2\n"
    result = run("import", "ir-datasets", "no/such")
    assert (result.code, "knows no data set no/such" in result.err) == (2, True)


def test_rows_of_parquet_are_read_as_json_lines_are(run: Run, project: Path) -> None:
    pyarrow = import_module("pyarrow")
    parquet = import_module("pyarrow.parquet")
    table = pyarrow.table({"qid": ["1", "1"], "docid": ["a", "b"], "grade": [2, None]})
    parquet.write_table(table, "labels.parquet")
    facts(run, "qrels", "labels.parquet")
    assert labels(run) == "1 0 a 2\n"
    damaged = Path("labels.parquet").read_bytes()
    Path("bad.parquet").write_bytes(damaged[:4] + os.urandom(50))
    result = run("import", "qrels", "bad.parquet")
    assert (result.code, "is a damaged Parquet file" in result.err) == (3, True)


def test_extras_that_are_not_installed_are_named(
    run: Run, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("ir_datasets", "pyarrow"):
        monkeypatch.setitem(sys.modules, name, None)
    assert "'pool-annotator[ir-datasets]'" in run("import", "ir-datasets", "x").err
    Path("a.parquet").write_bytes(b"PAR1")
    assert "'pool-annotator[parquet]'" in run("import", "run", "a.parquet").err


@pytest.mark.parametrize("form", ["trec", "beir", "csv"])
def test_exported_qrels_make_the_same_labels_elsewhere(run: Run, small: Path, form: str) -> None:
    result = run("export", "qrels", "out.txt", "--as", form, "--unjudged", "-1")
    assert "2 unlabelled pooled pairs have grade -1" in result.err
    assert run("-p", "other.db", "init").code == 0
    result = run("-p", "other.db", "import", "qrels", "out.txt")
    assert "negative grades, left unjudged" in result.out
    assert run("-p", "other.db", "export", "qrels", "-").out == labels(run)
    assert run("export", "qrels", "-", "--unjudged", "0").code == 2


def test_two_files_that_would_be_one_system_are_told_before_anything_is_read(
    run: Run, small: Path
) -> None:
    Path("other").mkdir()
    Path("other/a.run").write_text("q1 Q0 d2 1 9 a\n")
    told = run("import", "run", "a.run", "other/a.run")
    assert (told.code, told.out) == (2, "")
    assert "a.run and other/a.run would both be the system a: import one of them" in told.err
    assert run("import", "run", "a.run", "a.run").code == 0
