"""Several programs on one file: nothing is lost, doubled or refused, and each sees the others."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from annotator.domain import Query
from annotator.errors import LockedError
from annotator.store import Desk, Project
from annotator.store.sqlite import connection
from annotator.store.sqlite import retry as locking
from tests.projects import (
    finished,
    new_project,
    open_project,
    pooled_project,
    run_lines,
    start_python,
    write,
)

GRADER = """
import sys
from pathlib import Path
from annotator.store import Desk, Project

project = Project.open(Path(sys.argv[1]))
desk = Desk(project, sys.argv[2])
pairs = [card.pair for one in desk.progress() for card in desk.cards(one.query)]
print("ready", flush=True)
sys.stdin.readline()
for pair in pairs:
    desk.say(pair, grade=pair % 4)
"""

IMPORTER = """
import sys
from pathlib import Path
from annotator.actions.imports.texts import import_run
from annotator.actions.pool import make_pool
from annotator.store import Project

project = Project.open(Path(sys.argv[1]))
print("ready", flush=True)
sys.stdin.readline()
import_run(project, Path(sys.argv[2]))
make_pool(project, 20)
"""


WRITER = """
import sys
from pathlib import Path
from annotator.store import Project

project = Project.open(Path(sys.argv[1]))
print("ready", flush=True)
while True:
    with project.file.writing():
        project.file.execute("UPDATE system SET findings = findings || ' '")
"""

HOLDER = """
import sqlite3, sys, time

db = sqlite3.connect(sys.argv[1], isolation_level=None)
db.execute("BEGIN EXCLUSIVE")
print("ready", flush=True)
sys.stdin.readline()
time.sleep(0.05)
db.execute("ROLLBACK")
sys.stdin.read()
"""

TRIES_TO_WRITE = """
import sqlite3, sys

try:
    sqlite3.connect(sys.argv[1], timeout=0, isolation_level=None).execute("BEGIN IMMEDIATE")
except sqlite3.Error as error:
    print(error)
"""


def test_one_who_writes_on_and_on_keeps_nobody_from_opening_and_grading(tmp_path: Path) -> None:
    path = tmp_path / "judgments.db"
    project = pooled_project(path, {"old": {"q": [f"d{at}" for at in range(20)]}})
    desk = Desk(project, "ann")
    cards = desk.cards(desk.progress()[0].query)
    writer = start_python(WRITER, path)
    try:
        assert writer.stdout
        assert writer.stdout.readline() == "ready\n"
        for card in cards:
            desk.say(card.pair, grade=1)
            other = Project.open(path)
            other.file.answer_keys(5)
            other.close()
        assert writer.poll() is None
    finally:
        writer.kill()
        writer.communicate()
    assert project.judgments.last_event() == len(cards) == 10


def test_who_writes_on_and_on_is_waited_for_when_reading_and_named_in_the_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "judgments.db"
    project = pooled_project(path, {"old": {"q": ["d"]}})
    monkeypatch.setattr(connection, "LOCK_SECONDS", 0.1)
    monkeypatch.setattr(locking, "TELL_AFTER", 0.02)
    waits: list[str] = []
    reader = Project.open(path, tell=waits.append)
    holder = start_python(HOLDER, path)
    try:
        assert holder.stdout
        assert holder.stdout.readline() == "ready\n"
        who = rf"another program( \(python\S*, process {holder.pid}\))? is writing to it"
        reads: list[Callable[[], object]] = [
            reader.queries.ids,
            reader.systems.all,
            lambda: reader.file.one("SELECT 1 FROM query"),
            lambda: list(reader.file.each("SELECT 1 FROM query")),
            lambda: reader.file.copy_to(tmp_path / "copy.db"),
            lambda: Project.open(path),
        ]
        for read in reads:
            with pytest.raises(LockedError, match=who):
                read()
        assert re.search(who + "; waiting", waits[0])
        monkeypatch.setattr(connection, "LOCK_SECONDS", 30)
        assert holder.stdin
        holder.stdin.write("\n")
        holder.stdin.flush()
        assert reader.queries.ids() == {"q": 1}
    finally:
        holder.kill()
        holder.communicate()
        reader.close()
    assert project.queries.ids() == {"q": 1}


def test_opening_a_project_again_leaves_the_locks_of_the_same_program_alone(
    tmp_path: Path,
) -> None:
    path = tmp_path / "judgments.db"
    project = new_project(path)
    with project.file.writing():
        open_project(path).close()
        other = start_python(TRIES_TO_WRITE, path)
        said, _ = other.communicate(timeout=30)
    assert said == "database is locked\n"


def test_graders_and_an_import_at_once_lose_and_double_nothing(tmp_path: Path) -> None:
    path = tmp_path / "judgments.db"
    queries = [f"q{number}" for number in range(15)]
    pooled_project(path, {"old": {qid: [f"d{at}" for at in range(10)] for qid in queries}})
    new = {qid: [f"n{at}" for at in range(10)] for qid in queries}
    run = write(tmp_path / "new.run", run_lines(new))
    processes = [
        start_python(GRADER, path, "ann"),
        start_python(GRADER, path, "ben"),
        start_python(IMPORTER, path, run),
    ]
    for process in processes:
        assert process.stdout
        assert process.stdout.readline() == "ready\n"
    for process in processes:
        assert process.stdin
        process.stdin.write("\n")
        process.stdin.flush()
    for process in processes:
        finished(process)

    project = open_project(path)
    said = Counter((one.qid, one.docid, one.assessor) for one in project.judgments.events())
    assert set(said.values()) == {1}
    assert Counter(assessor for _, _, assessor in said) == {"ann": 150, "ben": 150}
    labels = project.judgments.labels(project.rubrics.counted())
    assert (len(labels.grade), labels.disputed) == (150, 0)
    assert [system.name for system in project.systems.all()] == ["old", "new"]
    assert len(project.pool.pairs()[0]) == 300
    assert project.file.tuples("PRAGMA integrity_check") == [("ok",)]
    assert project.file.tuples("PRAGMA foreign_key_check") == []


def test_the_version_is_another_one_only_when_somebody_else_has_written(tmp_path: Path) -> None:
    path = tmp_path / "judgments.db"
    project, other = new_project(path), open_project(path)
    before = project.file.version()
    project.queries.store([Query("q1", "one")])
    assert project.file.version() == before
    other.queries.store([Query("q2", "two")])
    assert project.file.version() != before
