"""A file that an earlier release made is brought up to date and says the same as before."""

from __future__ import annotations

import json
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from annotator.store import Desk
from annotator.store.checks import check
from annotator.store.migrations import schema_version
from tests.cli.conftest import Run, run
from tests.projects import DATA, new_project, open_project

__all__ = ["run"]

SCHEMA_1 = DATA / "schema-1"


@pytest.fixture
def old(tmp_path: Path) -> Path:
    return Path(shutil.copy(SCHEMA_1 / "project.annotator", tmp_path))


def expected(name: str) -> object:
    """What the release that made the file said of it."""
    return json.loads((SCHEMA_1 / name).read_text("utf-8"))


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


def test_scores_are_the_same_as_before(run: Run, old: Path) -> None:
    measures = ["-m", "nDCG@3", "-m", "nDCG@10"]
    result = run("-p", old, "score", *measures, "--per-query", "--format", "json")
    assert says_all(facts_of(expected("score.json")), facts_of(json.loads(result.out)))


def facts_of(scores: object) -> object:
    """The scores without what later releases estimate in a way of their own."""
    estimated = ("expected", "expected95", "p10", "p25", "median", "p75", "ci95", "worst")
    if isinstance(scores, dict):
        return {key: facts_of(one) for key, one in scores.items() if key not in estimated}
    return [facts_of(one) for one in scores] if isinstance(scores, list) else scores


def test_the_log_is_the_same_as_before(old: Path) -> None:
    _, *lines = (SCHEMA_1 / "judgments.jsonl").read_text("utf-8").splitlines()
    events = [event._asdict() for event in open_project(old).judgments.events()]
    assert events == [{**json.loads(line), "chosen": None, "text_hash": None} for line in lines]


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
    assert project.file.tuples("PRAGMA user_version") == [(schema_version(),)]


def test_the_backup_beside_it_is_the_file_as_it_was(old: Path) -> None:
    open_project(old)
    backup = old.with_name("project.annotator.schema-1.backup")
    with closing(sqlite3.connect(backup)) as copy:
        copied = list(copy.iterdump())
    with closing(sqlite3.connect(SCHEMA_1 / "project.annotator")) as source:
        assert copied == list(source.iterdump())
