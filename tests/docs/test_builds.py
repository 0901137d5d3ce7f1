"""The recipes for builds are run as they stand: they pass, warn and fail as the page says."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from defusedxml.ElementTree import parse

from annotator.cli import main
from tests.projects import ROOT, qrels_lines, run_lines

PAGE = (ROOT / "docs" / "builds.md").read_text("utf-8")
QUERIES = [f"q{at}" for at in range(4)]
GRADES = {(qid, docid): grade for qid in QUERIES for docid, grade in (("d1", 3), ("d2", 1))}
NEW = {"good": ["d1", "d2"], "worse": ["x"], "open": ["y", "z"]}
"""What the new system returns for every query; x is worth nothing, y and z are not judged."""
needs_bash = pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")


def recipe(heading: str) -> str:
    """The YAML below a heading."""
    return PAGE.split(f"## {heading}\n")[1].split("```yaml\n")[1].split("```")[0]


def github() -> list[str]:
    """The scripts of the steps that call the program."""
    found = re.findall(r"^( +)run: (?:\|\n((?:\1  .*\n)+)|(.*)\n)", recipe("GitHub Actions"), re.M)
    scripts = [block or line for _, block, line in found]
    return [one for one in scripts if "annotator" in one]


def gitlab() -> list[str]:
    """The lines of the script."""
    [block] = re.findall(r"^  script:\n((?:    - .*\n)+)", recipe("GitLab"), re.M)
    return [line.strip().removeprefix("- ") for line in block.splitlines()]


@pytest.fixture(params=NEW)
def build(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[str, Path]:
    """A checkout with labels, an old run and a new one, and the program on the path."""
    program = tmp_path / "bin" / "annotator"
    program.parent.mkdir()
    program.write_text(
        f'#!/bin/sh\nPYTHONPATH="{ROOT}" exec "{sys.executable}" -m annotator "$@"\n'
    )
    program.chmod(0o755)
    labels = qrels_lines({**GRADES, **{(qid, "x"): 0 for qid in QUERIES}})
    (tmp_path / "labels.qrels").write_text(labels)
    (tmp_path / "queries.tsv").write_text("".join(f"{qid}\tquestion {qid}\n" for qid in QUERIES))
    (tmp_path / "old.run").write_text(run_lines({qid: ["d1", "d2"] for qid in QUERIES}))
    (tmp_path / "new.run").write_text(run_lines(dict.fromkeys(QUERIES, NEW[request.param])))
    return request.param, tmp_path


def done(script: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a step as a build server does: a shell that stops at the first fault."""
    return subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script],
        cwd=folder,
        env=os.environ
        | {
            "PATH": f"{folder / 'bin'}:{os.environ['PATH']}",
            "GITHUB_STEP_SUMMARY": str(folder / "summary.md"),
        },
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@needs_bash
def test_the_recipe_for_github_passes_warns_and_fails(build: tuple[str, Path]) -> None:
    new, folder = build
    judge, page = github()
    ended = done(judge, folder)
    assert ended.returncode == (1 if new == "worse" else 0), ended.stderr
    assert ("::warning::" in ended.stdout) == (new == "open")
    assert "| system" in (folder / "summary.md").read_text()
    assert parse(folder / "score.xml").getroot() is not None
    ended = done(page, folder)
    assert ended.returncode == 0, ended.stderr
    assert (folder / "report.html").read_text().startswith("<!DOCTYPE html>")


@needs_bash
def test_the_recipe_for_gitlab_ends_with_the_code_that_is_allowed_to_warn(
    build: tuple[str, Path],
) -> None:
    new, folder = build
    assert len(gitlab()) == 3
    ended = done("\n".join(gitlab()), folder)
    assert ended.returncode == {"good": 0, "worse": 1, "open": 5}[new], ended.stderr
    assert "exit_codes: 5" in recipe("GitLab")
    assert (folder / "report.html").exists()


def test_the_commands_of_the_page_end_with_the_codes_that_it_lists(
    build: tuple[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    new, folder = build
    monkeypatch.chdir(folder)
    [block] = re.findall(r"```sh\n(.*?)```", PAGE, re.S)
    for command in block.splitlines():
        assert main(shlex.split(command)[1:]) == {"good": 0, "worse": 1, "open": 5}[new]
