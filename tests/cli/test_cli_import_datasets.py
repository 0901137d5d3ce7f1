"""Whole data sets and Parquet from the command line, and what must be installed for them."""

from __future__ import annotations

import gzip
import os
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

from tests.cli.conftest import Run, facts, labels


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


def test_a_beir_folder_comes_in_with_one_command(run: Run, empty: Path, beir: Path) -> None:
    queries, qrels, documents = facts(run, "beir", beir)
    assert queries["queries added"] == 1
    assert (qrels["assessor"], qrels["judgments added"]) == ("tiny test", 1)
    assert documents["documents known by id before, now with text"] == 1
    assert labels(run) == "1 0 d1 1\n"


def test_another_split_is_named(run: Run, empty: Path, beir: Path) -> None:
    facts(run, "beir", beir, "--split", "train")
    assert labels(run) == "2 0 d2 1\n"
    result = run("import", "beir", beir, "--split", "dev")
    assert (result.code, "no qrels/dev.tsv; splits: test, train" in result.err) == (3, True)
    result = run("import", "beir", beir / "qrels")
    assert (result.code, "it has no queries.jsonl" in result.err) == (3, True)


def test_a_data_set_of_ir_datasets_comes_in_by_its_id(
    run: Run, empty: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
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


def test_rows_of_parquet_are_read_as_json_lines_are(run: Run, empty: Path) -> None:
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
    run: Run, empty: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("ir_datasets", "pyarrow"):
        monkeypatch.setitem(sys.modules, name, None)
    assert "'pool-annotator[ir-datasets]'" in run("import", "ir-datasets", "x").err
    Path("a.parquet").write_bytes(b"PAR1")
    assert "'pool-annotator[parquet]'" in run("import", "run", "a.parquet").err
