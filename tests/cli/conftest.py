"""Runs the program in this process, in a folder of its own."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from contextlib import chdir
from pathlib import Path
from typing import NamedTuple, TypeAlias

import pytest

from annotator.actions.demo import open_or_build
from annotator.cli import main


class Result(NamedTuple):
    """What a command left behind."""

    code: int
    out: str
    err: str


Run: TypeAlias = Callable[..., Result]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty current folder, and none of the user's settings."""
    monkeypatch.chdir(tmp_path)
    for name in ("ANNOTATOR_PROJECT", "ANNOTATOR_ASSESSOR", "ANNOTATOR_DEBUG", "COLUMNS"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Run a command line; its exit code and what it printed."""

    def run_it(*words: object) -> Result:
        capsys.readouterr()
        code = main([str(word) for word in words])
        return Result(code, *capsys.readouterr())

    return run_it


@pytest.fixture(scope="session")
def built_demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The demo, built once."""
    path = tmp_path_factory.mktemp("demo") / "demo.db"
    open_or_build(path).close()
    return path


@pytest.fixture
def demo(folder: Path, built_demo: Path) -> Path:
    """A copy of the demo in the current folder."""
    return Path(shutil.copy(built_demo, folder / "demo.db")).relative_to(folder)


@pytest.fixture
def empty(run: Run, folder: Path) -> Path:
    """An empty project."""
    assert run("init").code == 0
    return folder / "judgments.db"


@pytest.fixture(scope="session")
def built_small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of :func:`small`, made once by the commands that a user types."""
    folder = tmp_path_factory.mktemp("small")
    (folder / "queries.tsv").write_text("q1\tfirst question\nq2\tsecond question\n")
    (folder / "a.run").write_text("q1 Q0 d1 1 9 a\nq1 Q0 d2 2 8 a\nq2 Q0 d3 1 7 a\n")
    (folder / "b.run").write_text("q1 Q0 d2 1 9 b\nq1 Q0 d1 2 8 b\nq2 Q0 d4 1 7 b\n")
    (folder / "labels.txt").write_text("q1 0 d1 2\nq1 0 d2 0\n")
    (folder / "texts.jsonl").write_text('{"_id": "d1", "text": "one"}\n')
    with chdir(folder):
        for words in (
            ["init"],
            ["import", "queries", "queries.tsv"],
            ["import", "run", "a.run", "b.run"],
            ["pool"],
            ["import", "qrels", "labels.txt"],
        ):
            assert main(words) == 0
    return folder


@pytest.fixture
def small(folder: Path, built_small: Path) -> Path:
    """A project with two systems over two queries, pooled; q1 d1 is grade 2 and q1 d2 grade 0."""
    shutil.copytree(built_small, folder, dirs_exist_ok=True)
    return folder / "judgments.db"


def facts(run: Run, *words: object) -> list[dict[str, object]]:
    """What an import found, file by file."""
    result = run("import", *words, "--format", "json")
    assert result.code == 0, result.err
    found: list[dict[str, object]] = [one["facts"] for one in json.loads(result.out)["files"]]
    return found


def labels(run: Run) -> str:
    """The labels of the project, as TREC qrels."""
    return run("export", "qrels", "-").out
