"""What goes wrong ends as one line on stderr and an exit code."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from types import FunctionType

import pytest

from annotator import atomic_write as files
from annotator.cli import importing
from annotator.store.sqlite import file as store_file
from tests.cli.conftest import Run
from tests.projects import ROOT, write

BAD = [
    (2, ["nonsense"], "No such command"),
    (2, ["score", "--format", "xml"], "is not one of"),
    (2, ["import", "run"], "Missing argument"),
    (2, ["init", "--rubric", "nothing"], "neither a preset"),
    (2, ["score", "-m", "nDGC@10"], "did you mean nDCG?"),
    (2, ["score", "-m", "nDCG@0"], "cutoff must be a whole number from 1 to 10,000"),
    (2, ["score", "-m", "nDCG@" + "9" * 5000], "from 1 to 10,000"),
    (2, ["score", "-m", "nDCG@99999"], "from 1 to 10,000"),
    (2, ["score", "-m", ","], "no measure is named"),
    (2, ["score", "-m", "nDCG@5(gain=0:1)"], "2 values for 4 grades"),
    (2, ["score", "-m", "P@5(rel=7)"], "no grade 7"),
    (2, ["score", "--gain", "much"], "expected exponential"),
    (2, ["score", "--threshold", "9"], "no grade 9"),
    (2, ["score", "--threshold", "0"], "not in the range"),
    (2, ["score", "--system", "nobody"], "no system nobody"),
    (2, ["score", "--assessor", "nobody"], "no assessor nobody"),
    (2, ["export", "qrels", "out.txt", "--assessor", "nobody"], "no assessor nobody"),
    (2, ["export", "scores", "out.pdf"], ".json, .csv"),
    (2, ["export", "scores", "-"], "annotator score --format"),
    (2, ["export", "qrels", "no/such/out.txt"], "no folder"),
    (2, ["export", "qrels", "a.run"], "--force"),
    (2, ["export", "qrels", ".", "--force"], "no file that could be replaced"),
    (2, ["pool", "--depth", "0"], "not in the range"),
    (2, ["pool", "--system", "nobody"], "no system nobody"),
    (2, ["import", "run", "a.run", "b.run", "--name", "c"], "--name names one system"),
    (2, ["import", "run", "b.run", "--name", "a"], "--replace"),
    (2, ["grade"], "needs a terminal"),
    (2, ["grade", "--assessor", " \t"], "the name is empty"),
    (2, ["rubric", "show", "nothing"], "neither a preset"),
    (3, ["rubric", "set", "a.run"], "not a TOML file"),
    (3, ["import", "queries", "missing.tsv"], "no such file"),
    (3, ["import", "queries", "a.run"], "annotator import run"),
    (3, ["import", "run", "bad.run"], "bad.run:2"),
    (3, ["import", "judgments", "labels.txt"], "annotator import qrels"),
    (3, ["import", "documents", "."], "is a directory"),
    (4, ["init"], "a file is there already"),
    (4, ["-p", "missing.db", "status"], "annotator init"),
    (4, ["-p", "a.run", "score"], "not a project"),
    (4, ["-p", ".", "score"], "no project file"),
    (4, ["-p", "other.db", "status"], "not a project of annotator"),
]


@pytest.mark.parametrize(("code", "words", "said"), BAD, ids=[" ".join(b[1])[:50] for b in BAD])
def test_bad_input_is_one_line_with_its_exit_code(
    run: Run, small: Path, code: int, words: list[str], said: str
) -> None:
    Path("bad.run").write_text("q1 Q0 d1 1 9 x\nq1 Q0 d2 two 8 x\n")
    with closing(sqlite3.connect("other.db")) as other:
        other.execute("CREATE TABLE t (x)")
    before = small.read_bytes()
    result = run(*words)
    assert result.code == code
    assert result.out == ""
    first, *details = result.err.splitlines()
    assert first.startswith("annotator: ")
    assert said in result.err
    assert all(line.startswith("  ") for line in details)
    assert "Traceback" not in result.err
    assert small.read_bytes() == before
    assert not Path("out.txt").exists()


def test_the_bad_lines_of_a_file_are_listed_below(run: Run, small: Path) -> None:
    Path("bad.run").write_text("q1 Q0 d1 one 9 x\nq1 Q0 d2 two 8 x\nq1 Q0 d3 3 7 x\n")
    result = run("import", "run", "bad.run")
    assert result.err.splitlines()[0].startswith("annotator: bad.run: 2 lines cannot be read")
    assert [line[:13] for line in result.err.splitlines()[1:]] == ["  bad.run:1: ", "  bad.run:2: "]


def fail_with(monkeypatch: pytest.MonkeyPatch, error: BaseException) -> None:
    def fail(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(importing, "queries_of", fail)


def test_an_unexpected_fault_shows_no_text_of_a_document(
    run: Run, small: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fail_with(monkeypatch, KeyError("the secret text"))
    result = run("import", "queries", "queries.tsv")
    assert result.code == 70
    assert result.out == ""
    assert "secret" not in result.err
    assert "KeyError at annotator.cli.importing:" in result.err
    assert len(result.err.splitlines()) == 1


def test_debugging_shows_the_whole_fault(
    run: Run, small: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fail_with(monkeypatch, KeyError("the secret text"))
    monkeypatch.setenv("ANNOTATOR_DEBUG", "1")
    with pytest.raises(KeyError, match="the secret text"):
        run("import", "queries", "queries.tsv")


def test_an_interrupted_command_stores_nothing(
    run: Run, small: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = small.read_bytes()
    fail_with(monkeypatch, KeyboardInterrupt())
    result = run("import", "queries", "queries.tsv")
    assert result.code == 130
    assert "stopped; nothing of this command was stored" in result.err
    assert small.read_bytes() == before


STORING = {
    "import run": ("import", "run", "more.run"),
    "import qrels": ("import", "qrels", "more.qrels"),
    "import queries": ("import", "queries", "more.tsv"),
    "import documents": ("import", "documents", "more.jsonl", "--all"),
    "pool": ("pool", "--depth", "20"),
    "rubric": ("rubric", "set", "ecommerce"),
    "init": ("init", "new.db"),
    "demo": ("demo", "new.db"),
    "backup": ("backup", "new.db"),
    "restore": ("restore", "old.db"),
    "export": ("export", "qrels", "new.db"),
}


@pytest.mark.parametrize("late", [False, True])
@pytest.mark.parametrize("name", STORING)
def test_an_interrupted_command_says_whether_it_had_stored_anything(
    run: Run, small: Path, monkeypatch: pytest.MonkeyPatch, name: str, late: bool
) -> None:
    write(Path("more.run"), "q1 Q0 new 1 1 more\n")
    write(Path("more.qrels"), "q1 0 new 1\n")
    write(Path("more.tsv"), "q99\tanother\n")
    write(Path("more.jsonl"), '{"_id": "new", "text": "new"}\n')
    small = small.absolute()
    shutil.copy(small, "old.db")
    new, before, number = Path("new.db").absolute(), small.read_bytes(), small.stat().st_ino
    real_commit, real_name = store_file.ProjectFile._patiently, files._name

    def commit(self: store_file.ProjectFile, do: FunctionType) -> object:
        """Ctrl+C when a commit to the project, no new file, is about to be or has been made."""
        if "COMMIT" in do.__code__.co_consts and Path(f"{self.path}-journal").exists():
            if late:
                real_commit(self, do)
            raise KeyboardInterrupt
        return real_commit(self, do)

    def name_it(*words: object, **more: object) -> None:
        if late:
            real_name(*words, **more)  # type: ignore[arg-type]
        raise KeyboardInterrupt

    monkeypatch.setenv("ANNOTATOR_BACKUPS", "0")
    monkeypatch.setattr(store_file.ProjectFile, "_patiently", commit)
    monkeypatch.setattr(files, "_name", name_it)
    result = run("-p", small, *STORING[name])
    monkeypatch.undo()
    assert result.code == 130
    done = new.exists() or small.stat().st_ino != number or small.read_bytes() != before
    assert ("nothing of this command was stored" in result.err) is not done
    assert done is late


def program(command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["sh", "-c", command.replace("annotator", f"{sys.executable} -m annotator")],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )


@pytest.mark.skipif(os.name == "nt", reason="needs a POSIX shell")
def test_a_reader_that_goes_away_is_no_error(demo: Path) -> None:
    done = program(f"annotator -p {demo} score --format json --per-query | head -c 10")
    assert (done.stdout, done.stderr) == ('{\n  "metho', "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_is_told_in_one_line(demo: Path) -> None:
    done = program(f"annotator -p {demo} score > /dev/full")
    assert done.returncode == 2
    assert done.stderr == "annotator: No space left on device\n"
