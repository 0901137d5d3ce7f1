"""A file that an earlier release made is brought up to date and says the same as before."""

from __future__ import annotations

import ast
import inspect
import json
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from sqlite_utils import Database

from annotator.store import Desk, frozen, migrations
from annotator.store.checks import check
from annotator.store.schema import SCHEMA_VERSION
from tests.cli.conftest import Run, run
from tests.projects import DATA, new_project, open_project

__all__ = ["run"]

SCHEMAS = sorted(DATA.glob("schema-*"))


def test_the_version_of_a_file_is_the_number_of_migrations() -> None:
    with closing(Database(memory=True, execute_plugins=False)) as empty:
        assert len(migrations.migrations.pending(empty)) == SCHEMA_VERSION


@pytest.fixture(params=SCHEMAS, ids=lambda folder: folder.name)
def release(request: pytest.FixtureRequest) -> Path:
    """What a release with an earlier schema left: a project file, and what it said of it."""
    assert isinstance(request.param, Path)
    return request.param


@pytest.fixture
def old(release: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(release / "project.annotator", tmp_path))


def says_all(before: object, now: object) -> bool:
    """Whether what is said now holds all that was said before; it may say more."""
    if isinstance(before, dict) and isinstance(now, dict):
        return all(says_all(value, now.get(key)) for key, value in before.items())
    if isinstance(before, list) and isinstance(now, list):
        return len(before) == len(now) and all(map(says_all, before, now))
    return before is None or before == now


def schema(path: Path) -> list[tuple[str, str, str]]:
    with closing(sqlite3.connect(path)) as db:
        return sorted(db.execute("SELECT type, name, sql FROM sqlite_master WHERE sql != ''"))


def test_every_earlier_schema_has_its_file() -> None:
    earlier = range(1, SCHEMA_VERSION)
    assert [folder.name for folder in SCHEMAS] == [f"schema-{at}" for at in earlier]
    for folder in SCHEMAS:
        with closing(sqlite3.connect(folder / "project.annotator")) as db:
            assert db.execute("PRAGMA user_version").fetchone() == (int(folder.name[-1]),)


def test_scores_are_the_same_as_before(run: Run, release: Path, old: Path) -> None:
    measures = ["-m", "nDCG@3", "-m", "nDCG@10"]
    result = run("-p", old, "score", *measures, "--per-query", "--format", "json")
    expected = json.loads((release / "score.json").read_text("utf-8"))
    assert says_all(facts_of(expected), facts_of(json.loads(result.out)))


def facts_of(scores: object) -> object:
    """The scores without what later releases estimate in a way of their own."""
    estimated = ("expected", "expected95", "p10", "p25", "median", "p75", "ci95", "worst")
    if isinstance(scores, dict):
        return {key: facts_of(one) for key, one in scores.items() if key not in estimated}
    return [facts_of(one) for one in scores] if isinstance(scores, list) else scores


def test_the_log_is_the_same_as_before(release: Path, old: Path) -> None:
    _, *lines = (release / "judgments.jsonl").read_text("utf-8").splitlines()
    events = [event._asdict() for event in open_project(old).judgments.events()]
    later = {"chosen": None, "text_hash": None}  # not known in schema 1
    assert events == [later | json.loads(line) for line in lines]


def test_what_could_be_undone_can_still_be_undone(old: Path) -> None:
    before = open_project(old).judgments.events()
    (*_, last) = (event for event in before if event.assessor == "ann")
    project = open_project(old)
    undone = Desk(project, "ann").undo()
    assert undone is not None
    (*_, undo) = project.judgments.events()
    assert (undo.undoes, undo.grade, undo.mark) == (last.event, None, None)


def test_a_migrated_file_has_the_schema_of_a_new_one_and_is_whole(
    tmp_path: Path, old: Path
) -> None:
    project = open_project(old)
    new_project(tmp_path / "new.db")
    assert schema(old) == schema(tmp_path / "new.db")
    assert [one for one in check(project.file) if one.problems] == []
    assert project.file.tuples("PRAGMA user_version") == [(SCHEMA_VERSION,)]


def test_an_entry_that_was_altered_before_is_still_found_after(release: Path, old: Path) -> None:
    if release.name == "schema-1":
        return  # it has no chain
    with closing(sqlite3.connect(old)) as db, db:
        (trigger,) = db.execute("SELECT sql FROM sqlite_schema WHERE name LIKE '%never_changed'")
        db.execute("DROP TRIGGER judgment_is_never_changed")
        db.execute("UPDATE judgment SET grade = 3 - grade WHERE id = 7")
        db.execute(*trigger)
    problems = [one.problems for one in check(open_project(old).file) if one.problems]
    assert [problem[0].split(" is ")[0] for problem in problems] == ["entry 7"]


def test_the_backup_beside_it_is_the_file_as_it_was(release: Path, old: Path) -> None:
    open_project(old)
    backup = old.with_name(f"project.annotator.{release.name}.backup")
    with closing(sqlite3.connect(backup)) as copy:
        copied = list(copy.iterdump())
    with closing(sqlite3.connect(release / "project.annotator")) as source:
        assert copied == list(source.iterdump())


def test_a_backup_of_an_earlier_schema_is_restored_and_stays_as_it_is(
    run: Run, old: Path, tmp_path: Path
) -> None:
    kept, before = tmp_path / "kept", old.read_bytes()
    shutil.copy(old, kept)
    kept.chmod(0o444)
    assert run("-p", old, "restore", kept).code == 0
    assert kept.read_bytes() == before
    assert run("-p", old, "doctor").code == 0
    aside = [one.name for one in tmp_path.iterdir() if ".replaced" in one.name]
    assert sorted(one.name for one in tmp_path.iterdir()) == sorted(["kept", old.name, *aside])


def test_a_migration_uses_nothing_of_the_program_that_may_change() -> None:
    for module in (migrations, frozen):
        tree = ast.parse(inspect.getsource(module))
        used = {
            f"{node.module}.{one.name}"
            for node in ast.walk(tree)
            if isinstance(node, ast.ImportFrom) and str(node.module).startswith("annotator")
            for one in node.names
        }
        assert used <= {"annotator.store.frozen"}
