"""The program without a command: what is in this folder, and what to do next."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from annotator.cli import main
from tests.projects import run_lines, write


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("ANNOTATOR_PROJECT", raising=False)


def said(capsys: pytest.CaptureFixture[str], *args: str) -> list[str]:
    capsys.readouterr()
    assert main(list(args)) == 0
    return capsys.readouterr().out.splitlines()


def next_command(lines: list[str]) -> list[str]:
    """The first command that is named as the next, as it would be typed."""
    (line,) = [line for line in lines if line.startswith("next: ")]
    return shlex.split(line.removeprefix("next: annotator ").split("  ")[0])


def test_in_an_empty_folder_it_names_the_ways_to_begin(capsys: pytest.CaptureFixture[str]) -> None:
    lines = said(capsys)
    assert lines[0] == "There is no project here by the name of judgments.db."
    assert next_command(lines) == ["demo"]
    assert any("init" in line for line in lines)


def test_each_step_that_it_names_leads_to_the_next(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    queries = write(tmp_path / "queries.tsv", "q1\tfirst\nq2\tsecond\n")
    run = write(tmp_path / "a.run", run_lines({"q1": ["d1", "d2"], "q2": ["d3"]}))
    qrels = write(tmp_path / "a.qrels", "q1 0 d1 1\nq1 0 d2 0\nq2 0 d3 1\n")
    assert main(["init"]) == 0
    assert next_command(said(capsys))[:2] == ["import", "queries"]
    assert main(["import", "queries", str(queries)]) == 0
    assert next_command(said(capsys))[:2] == ["import", "run"]
    assert main(["import", "run", str(run)]) == 0
    assert next_command(said(capsys)) == ["pool"]
    assert main(["pool"]) == 0
    lines = said(capsys)
    assert lines[0] == "judgments.db: 2 queries, 1 system, 0 of 3 pooled pairs judged (0%)"
    assert next_command(lines) == ["grade"]
    assert main(["import", "qrels", str(qrels)]) == 0
    assert next_command(said(capsys)) == ["score"]


def test_a_project_of_another_name_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["init", "other.db"]) == 0
    assert said(capsys)[-1] == "also here: annotator -p other.db"
    assert said(capsys, "-p", "other.db")[0] == "other.db: 0 queries, 0 systems"
