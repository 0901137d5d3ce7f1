"""Programs killed without a warning at any moment, beside the app: what they did is done or is not.

One says all that an assessor can say, on and on, and writes down what it was told is stored. The
others are commands: of what they make or change there is all or nothing, and they work when they
are run again, which leaves nothing lying about.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from annotator.actions.imports.texts import import_run
from annotator.judging import Session
from annotator.store import Project
from tests.projects import ROOT, run_lines
from tests.store.project_files import altered
from tests.torture.audit import TellingDesk, told_in, violations
from tests.torture.facts import Facts
from tests.torture.grading import act, project_of

PROJECT, COPY, TOLD = "judgments.db", "copy.db", "told"
COMMANDS = {
    "create": ("init",),
    "import": ("import", "run", "more.run"),
    "pool": ("pool", "--depth", "20"),
    "backup": ("backup", COPY),
    "restore": ("restore", "old.db"),
    "migrate": ("status",),
    "rescue": ("doctor", "--rescue", COPY),
    "export": ("export", "judgments", "out.jsonl"),
}
AGAIN = {"create": (4,), "backup": (2,), "rescue": (4,), "export": (2,)}
"""How a command may end where the one that was killed had done it all."""

Counts = dict[str, int]


def killed(rounds: int, seed: int, facts: Facts, commands: Iterable[str] = COMMANDS) -> None:
    """Kill each of them so many times."""
    random = Random(seed)
    for _ in range(rounds):
        with TemporaryDirectory() as place:
            facts.violations += _sayer(Path(place), random, facts)
        for name in commands:
            with TemporaryDirectory() as place:
                facts.violations += _command(name, Path(place), random, facts)


def _sayer(place: Path, random: Random, facts: Facts) -> list[str]:
    path = project_of(place / PROJECT, queries=2, documents=30)
    program = _started("-m", "tests.torture.killed", place, random.random(), folder=place)
    assert program.stdout
    assert program.stdout.readline() == b"ready\n"
    time.sleep(random.uniform(0, 0.3))
    _kill(program)
    told = told_in((place / TOLD).read_text())
    facts.add("grades, marks, notes and undos before a kill", len(told))
    return [f"saying: {one}" for one in violations(path, told)]


def _command(name: str, place: Path, random: Random, facts: Facts) -> list[str]:
    """Run a command to its end on a copy, kill it on the project, and compare."""
    path = _prepared(name, place)
    before = _counts(path)
    done = Path(shutil.copytree(place, place / "done"))
    began = time.monotonic()
    whole = _run(name, done)
    whole.communicate()
    assert whole.returncode == 0
    took, ways = time.monotonic() - began, (before, _counts(done / PROJECT))
    program = _run(name, place)
    time.sleep(random.uniform(0.3, 1.1) * took)
    _kill(program)
    facts.add("commands killed")
    facts.add("of these too late", program.returncode == 0)
    found = []
    if _counts(path) not in ways:
        found.append(f"{name}: done in part: {_counts(path)}, not one of {ways}")
    if _counts(place / COPY) not in ({}, _counts(done / COPY)):
        found.append(f"{name}: the copy is there in part")
    found += [f"{name}: {one}" for there in (path, place / COPY) for one in _not_whole(there)]
    again = _run(name, place)
    again.communicate()
    if again.returncode not in (0, *AGAIN.get(name, ())):
        found.append(f"{name}: run again, it ends with {again.returncode}")
    return found + [f"{name}: run again, it leaves {one.name}" for one in place.glob(".*")]


def _not_whole(path: Path) -> list[str]:
    return violations(path, []) if path.exists() else []


def _prepared(name: str, place: Path) -> Path:
    path = place / PROJECT
    if name == "create":
        return path
    project_of(path, queries=2, documents=30)
    if name == "migrate":
        altered(path, "PRAGMA user_version = 0")
        return path
    shutil.copy(path, place / "old.db")
    rankings = {f"q{at}": [f"n{rank}" for rank in range(500)] for at in range(2)}
    (place / "more.run").write_text(run_lines(rankings))
    if name != "import":
        with closing(Project.open(path)) as project:
            import_run(project, place / "more.run")
    return path


def _counts(path: Path) -> Counts:
    """How many rows each table has, read from a copy: the file itself is left as it is.

    Nothing where there is no file.
    """
    if not path.exists():
        return {}
    with TemporaryDirectory() as place:
        for one in path.parent.glob(f"{path.name}*"):
            if one.is_file():
                shutil.copy(one, place)
        with closing(sqlite3.connect(Path(place, path.name))) as db:
            names = db.execute("SELECT name FROM sqlite_schema WHERE type = 'table'").fetchall()
            sql = "SELECT count(*) FROM "
            found = {name: int(db.execute(sql + name).fetchone()[0]) for (name,) in names}
            ((found["version"],),) = db.execute("PRAGMA user_version").fetchall()
    return found


def _run(name: str, place: Path) -> subprocess.Popen[bytes]:
    return _started("-m", "annotator", "-p", PROJECT, *COMMANDS[name], folder=place)


def _started(*words: object, folder: Path) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, *map(str, words)],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT), "ANNOTATOR_BACKUPS": "0"},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )


def _kill(program: subprocess.Popen[bytes]) -> None:
    program.kill()
    program.communicate()


def _say_on_and_on(place: Path, seed: str) -> None:
    told, random = os.open(place / TOLD, os.O_WRONLY | os.O_CREAT), Random(seed)
    with closing(Project.open(place / PROJECT)) as project:
        session = Session(TellingDesk(project, "ann", told))
        session.start()
        sys.stdout.write("ready\n")
        sys.stdout.flush()
        while True:
            act(session, random)


if __name__ == "__main__":
    _say_on_and_on(Path(sys.argv[1]), sys.argv[2])
