"""Labels and scores out of a project."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.cli.conftest import Run, labels


def test_qrels_come_out_as_they_went_in(run: Run, small: Path) -> None:
    result = run("export", "qrels", "out.txt")
    said = "wrote out.txt: 2 labels\n2 unlabelled pooled pairs have no line\n"
    assert (result.code, result.out, result.err) == (0, "", said)
    assert Path("out.txt").read_text() == Path("labels.txt").read_text()
    assert run("export", "qrels", "-").out == Path("labels.txt").read_text()


@pytest.mark.parametrize("form", ["trec", "beir", "csv"])
def test_exported_qrels_make_the_same_labels_elsewhere(run: Run, small: Path, form: str) -> None:
    result = run("export", "qrels", "out.txt", "--as", form, "--unjudged", "-1")
    assert "2 unlabelled pooled pairs have grade -1" in result.err
    assert run("-p", "other.db", "init").code == 0
    result = run("-p", "other.db", "import", "qrels", "out.txt")
    assert "negative grades, left unjudged" in result.out
    assert run("-p", "other.db", "export", "qrels", "-").out == labels(run)
    assert run("export", "qrels", "-", "--unjudged", "0").code == 2


def test_a_judgment_log_makes_the_same_labels_elsewhere(run: Run, small: Path) -> None:
    run("export", "judgments", "log.jsonl")
    run("-p", "other.db", "init")
    assert run("-p", "other.db", "import", "judgments", "log.jsonl").code == 0
    assert run("-p", "other.db", "export", "judgments", "-").out == Path("log.jsonl").read_text()


def test_queries_and_documents_make_the_same_elsewhere_with_url_and_metadata(
    run: Run, small: Path
) -> None:
    texts = [
        {"_id": "d1", "title": "T", "text": "one\ntwo \u2028 \0", "url": "u", "date": "1961"},
        {"_id": "=d 'ü\"", "title": "only a title", "metadata": {"authors": ["A", "B"], "id": "7"}},
    ]
    Path("texts.jsonl").write_text("".join(json.dumps(one) + "\n" for one in texts))
    run("import", "documents", "texts.jsonl", "--all")
    run("-p", "other.db", "init")
    for kind in ("queries", "documents"):
        assert run("export", kind, f"{kind}.jsonl").code == 0
        there = ("--all",) if kind == "documents" else ()
        assert run("-p", "other.db", "import", kind, f"{kind}.jsonl", *there).code == 0
        again = run("-p", "other.db", "export", kind, "-").out
        assert again == Path(f"{kind}.jsonl").read_text("utf-8")
    assert '"metadata": {"authors": "A, B", "id": "7"}' in again
    assert '"url": "u", "metadata": {"date": "1961"}' in again


@pytest.mark.parametrize("suffix", ["json", "csv", "tsv", "md"])
def test_scores_are_written_as_the_name_says(run: Run, small: Path, suffix: str) -> None:
    form = {"md": "markdown"}.get(suffix, suffix)
    assert run("export", "scores", f"out.{suffix}", "-m", "P@1").code == 0
    assert (
        Path(f"out.{suffix}").read_text("utf-8") == run("score", "-m", "P@1", "--format", form).out
    )


def test_a_file_is_replaced_only_by_force(run: Run, small: Path) -> None:
    Path("out.json").write_text("mine")
    assert run("export", "scores", "out.json").code == 2
    assert Path("out.json").read_text() == "mine"
    assert run("export", "scores", "out.json", "--force").code == 0
    assert json.loads(Path("out.json").read_text())["systems"]


def test_a_failure_leaves_no_half_file(
    run: Run, small: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", fail)
    before = sorted(Path().iterdir())
    result = run("export", "qrels", "out.txt")
    assert result.code == 2
    assert result.err == "annotator: out.txt: cannot be written: No space left on device\n"
    assert sorted(Path().iterdir()) == before


def test_ids_that_qrels_cannot_hold_are_refused_whole(run: Run, small: Path) -> None:
    Path("log.jsonl").write_text('{"qid": "q1", "docid": "a b", "grade": 1, "assessor": "x"}\n')
    assert run("import", "judgments", "log.jsonl").code == 0
    assert run("export", "qrels", "out.txt").code == 2
    assert not Path("out.txt").exists()


def test_labels_of_one_assessor_only(run: Run, small: Path) -> None:
    Path("other.txt").write_text("q1 0 d1 3\n")
    run("import", "qrels", "other.txt", "--assessor", "ann")
    assert run("export", "qrels", "-", "--assessor", "ann").out == "q1 0 d1 3\n"
    assert run("export", "qrels", "-", "--assessor", "labels").out == "q1 0 d1 2\nq1 0 d2 0\n"


def test_a_run_makes_the_same_system_elsewhere(run: Run, small: Path) -> None:
    systems = run("export", "run", "nothing", "-")
    assert (systems.code, "no system nothing in the project" in systems.err) == (2, True)
    Path("odd.jsonl").write_text(
        '{"qid": "q1", "results": [{"docid": "a b", "score": 0.1}, {"docid": "c", "score": 3e-9}]}'
    )
    run("import", "run", "odd.jsonl")
    told = run("export", "run", "odd", "odd.run")
    assert "write it with --as jsonl" in told.err
    assert not Path("odd.run").exists()
    for form, system in (("trec", "a"), ("jsonl", "b"), ("jsonl", "odd")):
        if not Path(f"{form}.db").exists():
            run("-p", f"{form}.db", "init")
        name = f"{system}.{form}.run"
        assert run("export", "run", system, name, "--as", form).code == 0
        assert run("-p", f"{form}.db", "import", "run", name, "--name", system).code == 0
        again = run("-p", f"{form}.db", "export", "run", system, "-", "--as", form).out
        assert again == Path(name).read_text()


def test_init_takes_the_file_that_is_to_be_made(run: Run) -> None:
    assert "made mine.db" in run("init", "mine.db").err
    assert Path("mine.db").exists()


@pytest.mark.parametrize("name", ["small.db", "copy.backup.db", "link.db", "small.db-journal"])
def test_no_project_or_backup_is_replaced_by_an_export(run: Run, small: Path, name: str) -> None:
    path = Path("small.db")
    shutil.copy(small, path)
    shutil.copy(small, "copy.backup.db")
    Path("link.db").symlink_to(path)
    before = {one: one.read_bytes() for one in (path, Path("copy.backup.db"))}
    for words in ("qrels", "judgments", "queries", "documents", "run a"):
        ended = run("-p", path, "export", *words.split(), name, "--force")
        assert (ended.code, "never replaced by a text" in ended.err) == (2, True)
    assert {one: one.read_bytes() for one in before} == before
