"""A crash of the machine at each step that a program takes on the disk.

The real program works with the shim before the disk, which writes down every step. The steps are
replayed on a disk that may lose what was not synced, and the machine goes down after each of them,
in all the ways that :mod:`tests.torture.disk` knows. Then the project is opened as after any crash.

Here a program grades; :mod:`tests.torture.cut_commands` has the commands.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from annotator.actions.imports.texts import import_run
from annotator.actions.pool import make_pool
from annotator.judging import Session
from annotator.store import Project
from tests.projects import ROOT, run_lines
from tests.torture import shim
from tests.torture.audit import TellingDesk, told_in, violations
from tests.torture.crashes import TOLD, crashes, put
from tests.torture.cut_commands import SCENES, cut_commands
from tests.torture.disk import Disk
from tests.torture.facts import Facts
from tests.torture.grading import MEMORY, act, project_of

PROJECT = "judgments.db"


def cut(rounds: int, seed: int, *, torn: int = 3) -> Facts:
    """Grade ``rounds`` times, run each command; at each step go down, also ``torn`` times torn."""
    facts = cut_grading(rounds, seed, torn=torn)
    for name in SCENES:
        cut_commands(name, seed, facts, torn=torn)
    return facts


def cut_grading(rounds: int, seed: int, *, torn: int, setting: str = "") -> Facts:
    """Grade ``rounds`` times; in the middle of more than two a run is imported and pooled.

    ``setting`` is a pragma to be set as the program does not, to see that the ordeal would notice.
    """
    facts = Facts("cut: the machine goes down at each step on the disk")
    with TemporaryDirectory(dir=MEMORY) as place:
        folder, log = Path(place, "folder"), Path(place, "log")
        folder.mkdir()
        project_of(folder / PROJECT, queries=3, documents=6)
        Path(place, "more.run").write_text(run_lines({"q1": [f"e{at}" for at in range(6)]}))
        disk = Disk(folder)
        words = [folder, place, rounds, seed, setting]
        subprocess.run(
            [sys.executable, "-m", "tests.torture.cut", *map(str, words)],
            env={**os.environ, "PYTHONPATH": str(ROOT), **shim.environment(folder, log=log)},
            check=True,
            cwd=ROOT,
        )
        after = Path(place, "after")
        after.mkdir()
        for left, told in crashes(disk, list(shim.recorded(log, folder)), seed, torn, facts):
            put(left, after)
            found = violations(after / PROJECT, told_in(told))
            facts.violations += [
                f"step {facts.counts['steps on the disk']}: {one}" for one in found
            ]
            facts.add("states after a crash, opened and looked through")
    return facts


def _grade(folder: Path, place: Path, rounds: int, seed: int, setting: str) -> None:
    """What the recorded program does: grade, import in between, open the file anew."""
    told = os.open(folder / TOLD, os.O_WRONLY | os.O_CREAT)
    random = Random(seed)
    for part in range(2):
        project = Project.open(folder / PROJECT)
        if setting:
            project.file.tuples(f"PRAGMA {setting}")
        session = Session(TellingDesk(project, "ann", told))
        session.start()
        for _ in range(rounds // 2):
            act(session, random)
        if part == 0 and rounds > 2:
            import_run(project, place / "more.run")
            make_pool(project, 10)
        project.close()


if __name__ == "__main__":
    _grade(Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4]), sys.argv[5])
