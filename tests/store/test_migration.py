"""A file of an earlier schema is brought up to date and says the same as before.

The program knows one schema so far: the earlier one is this one, and a made-up next one is set up.
"""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from sqlite_utils import Database, Migrations

from annotator.actions.scoring import score
from annotator.scoring.options import ScoreOptions
from annotator.store import Desk, checks
from annotator.store.sqlite import connection, migrations
from annotator.store.sqlite import schema as store_schema
from annotator.store.sqlite.schema import SCHEMA_VERSION
from tests.cli.conftest import Run, run
from tests.projects import begin, new_project, open_project, pooled_project
from tests.store.project_files import SYSTEMS

__all__ = ["run"]

NEXT = SCHEMA_VERSION + 1


def test_the_version_of_a_file_is_the_number_of_migrations() -> None:
    with closing(Database(memory=True, execute_plugins=False)) as empty:
        assert len(migrations.migrations.pending(empty)) == SCHEMA_VERSION


def test_the_schema_says_what_it_is_for_in_statements_that_sqlite_takes() -> None:
    with closing(sqlite3.connect(":memory:")) as empty:
        for statement in store_schema.statements():
            empty.execute(statement)
        made = empty.execute("SELECT sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%'")
        assert [sql for (sql,) in made] == list(store_schema.statements())


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """A project with grades of two people."""
    project = pooled_project(tmp_path / "old.db", SYSTEMS)
    for who, grade in (("ann", 2), ("ben", 1)):
        session = begin(project, who)
        for card in session.cards[:2]:
            session.grade(card.pair, grade)
    project.close()
    return tmp_path / "old.db"


@pytest.fixture
def next_release(old: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A program with one schema more."""
    both = Migrations("annotator")
    both()(migrations.m001_schema)

    @both()
    def m002_remarks(db: Database) -> None:
        db.execute("ALTER TABLE query ADD COLUMN remark TEXT NOT NULL DEFAULT ''")

    for user in (migrations, checks):
        monkeypatch.setattr(user, "migrations", both)
    with closing(Database(memory=True, execute_plugins=False)) as made:
        both.apply(made)
        sql = "SELECT sql FROM sqlite_schema WHERE sql != '' AND name NOT LIKE '%sqlite%'"
        wanted = tuple(one for (one,) in made.execute(sql))
    monkeypatch.setattr(store_schema, "statements", lambda: wanted)
    for module in (migrations, connection):
        monkeypatch.setattr(module, "SCHEMA_VERSION", NEXT)


def says(path: Path) -> object:
    project = open_project(path)
    table = score(project, ScoreOptions())
    return table.systems, list(project.judgments.events())


def schema(path: Path) -> list[tuple[str, str, str]]:
    with closing(sqlite3.connect(path)) as db:
        return sorted(db.execute("SELECT type, name, sql FROM sqlite_master WHERE sql != ''"))


def test_scores_and_log_are_the_same_as_before(old: Path, request: pytest.FixtureRequest) -> None:
    before = says(old)
    request.getfixturevalue("next_release")
    assert says(old) == before
    assert open_project(old).file.tuples("PRAGMA user_version") == [(NEXT,)]


@pytest.mark.usefixtures("next_release")
def test_what_could_be_undone_can_still_be_undone(old: Path) -> None:
    project = open_project(old)
    assert Desk(project, "ann").undo() is not None
    events = list(project.judgments.events())
    assert events[-1].undoes == events[1].identity


@pytest.mark.usefixtures("next_release")
def test_a_migrated_file_has_the_schema_of_a_new_one(tmp_path: Path, old: Path) -> None:
    open_project(old)
    new_project(tmp_path / "new.db")
    assert schema(old) == schema(tmp_path / "new.db")


@pytest.mark.usefixtures("next_release")
def test_a_backup_of_an_earlier_schema_is_restored_and_stays_as_it_is(
    run: Run, old: Path, tmp_path: Path
) -> None:
    kept, before = tmp_path / "kept", old.read_bytes()
    shutil.copy(old, kept)
    kept.chmod(0o444)
    assert run("-p", old, "restore", kept).code == 0
    assert kept.read_bytes() == before
    assert open_project(old).file.tuples("PRAGMA user_version") == [(NEXT,)]
