"""A project that one may read and not write: told in one line, nothing lost, well when repaired."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from tempfile import mkdtemp

import pytest

from annotator.store import Project
from tests.nobody import NOBODY
from tests.projects import ROOT, contents, pooled_project

AS_NOBODY = """
import io, json, sys
from contextlib import redirect_stderr, redirect_stdout
from annotator.cli import main
from tests.nobody import become
become()
for words in json.loads(sys.argv[1]):
    said = io.StringIO()
    with redirect_stdout(io.StringIO()), redirect_stderr(said):
        code = main(words)
    print(json.dumps([code, said.getvalue()]))
"""
STORE = ("import", "qrels", "labels.qrels")


GRADES_AS_NOBODY = """
import os, sys
from pathlib import Path
from annotator.errors import ProjectError
from annotator.store import Desk, Project
from tests.nobody import become
become()
path = Path(sys.argv[1])
journal = Path(f"{path}-journal")
desk = Desk(Project.open(path), "ann")
if sys.argv[2] == "app":
    desk.project.file.answer_keys(0.25)
said = []
for file, folder in [(0o444, 0o777), (0o644, 0o777), (0o444, 0o555), (0o644, 0o777)]:
    path.chmod(file)
    path.parent.chmod(folder)
    try:
        if sys.argv[2] != "app":
            desk.project.close()
            if folder == 0o777:  # as the app leaves it when it is killed
                journal.unlink(missing_ok=True)
                journal.write_bytes(bytes(512))
                journal.chmod(0o444)
            desk = Desk(Project.open(path), "ann")
        said.append((file, desk.say(1, grade=1)))
    except ProjectError as error:
        assert "it cannot be" in error.message, error.message
print(sum(file == 0o644 for file, _ in said), len(said) - desk.project.judgments.last_event())
"""


@pytest.mark.parametrize("way", ["app", "anew"])
def test_what_was_write_protected_for_a_while_can_be_graded_in_again(
    folder: Path, way: str
) -> None:
    path = folder / "judgments.db"
    if os.geteuid() == 0:
        for one in (folder, path):
            shutil.chown(one, NOBODY)
    done = subprocess.run(
        [sys.executable, "-c", GRADES_AS_NOBODY, path, way],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.stdout.split(), done.stderr) == (["2", "0"], "")


def run_as_nobody(folder: Path, *commands: tuple[str, ...]) -> list[tuple[int, str]]:
    """What commands of one whom permissions hold back end with, and say on stderr."""
    done = subprocess.run(
        [sys.executable, "-c", AS_NOBODY, json.dumps(commands)],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT), "HOME": str(folder)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return [(code, said) for code, said in map(json.loads, done.stdout.splitlines())]


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder that everybody may reach, with a project and a few labels beside it."""
    place = Path(mkdtemp())
    place.chmod(0o777)
    pooled_project(place / "judgments.db", {"alpha": {"q1": ["d1", "d2"]}}).close()
    (place / "labels.qrels").write_text("q1 0 d1 2\n")
    yield place
    shutil.rmtree(place)


@pytest.mark.parametrize(("file", "around"), [(0o444, 0o777), (0o666, 0o555)])
def test_what_may_not_be_written_is_told_and_works_when_it_may(
    folder: Path, file: int, around: int
) -> None:
    path = folder / "judgments.db"
    with closing(Project.open(path)) as project:
        before = contents(project)
    path.chmod(file)
    folder.chmod(around)
    try:
        refused, *read = run_as_nobody(
            folder, STORE, ("status",), ("score",), ("history",), ("doctor",)
        )
    finally:
        path.chmod(0o666)
        folder.chmod(0o777)
    assert (refused[0], len(refused[1].splitlines())) == (4, 1), refused
    assert "it cannot be" in refused[1]
    assert [code for code, _ in read] == [0, 0, 0, 0], read
    assert ("no daily backups are made" in read[-1][1]) == (around == 0o555)
    with closing(Project.open(path)) as project:
        assert contents(project) == before
    assert run_as_nobody(folder, STORE)[0][0] == 0
    with closing(Project.open(path)) as project:
        assert project.judgments.last_event() == 1
