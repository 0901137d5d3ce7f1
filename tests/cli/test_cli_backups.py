"""Backups that are made by themselves, and going back to one."""

from __future__ import annotations

import os
import shutil
import sqlite3
import stat
from contextlib import closing
from pathlib import Path

import pytest

from annotator.actions.backups import back_up_daily, backups_of, kept
from annotator.cli.options import back_up
from annotator.store import Desk, Project
from tests.cli.conftest import Run
from tests.store.project_files import altered


def newer(path: Path, seconds: int) -> None:
    """Let a file have been written to so much later."""
    at = path.stat().st_mtime + seconds
    os.utime(path, (at, at))


def daily(path: Path, day: int) -> Path:
    return path.with_name(f"{path.stem}.2026-01-0{day}.daily.backup{path.suffix}")


def test_one_backup_a_day_is_made_where_something_changed(demo: Path) -> None:
    made = back_up_daily(demo, 3)
    assert made is not None
    assert backups_of(demo) == [made.absolute()]
    newer(demo, 10)
    assert back_up_daily(demo, 3) is None
    assert back_up_daily(made, 3) is None
    with closing(Project.open(made)) as copy, closing(Project.open(demo)) as project:
        assert list(copy.judgments.events()) == list(project.judgments.events())


def test_nothing_is_copied_where_nothing_changed(demo: Path) -> None:
    daily(demo, 1).write_bytes(demo.read_bytes())
    newer(daily(demo, 1), 10)
    assert back_up_daily(demo, 3) is None


def test_a_backup_from_a_time_when_the_clock_was_ahead_keeps_none_from_being_made(
    demo: Path,
) -> None:
    daily(demo, 1).write_bytes(demo.read_bytes())
    newer(daily(demo, 1), 400 * 86_400)
    assert back_up_daily(demo, 3) is not None


def test_the_oldest_is_deleted_only_when_the_new_one_is_whole(
    demo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for day in (1, 2, 3):
        daily(demo, day).write_bytes(demo.read_bytes())
        newer(daily(demo, day), day)
    newer(demo, 100_000)
    by_hand = demo.with_name("demo.20260101T000000Z.backup.db")
    by_hand.write_bytes(demo.read_bytes())
    with monkeypatch.context() as patch:
        patch.setattr("annotator.actions.backups.broken", lambda _: "a page is torn")
        assert back_up_daily(demo, 3) is None
        assert daily(demo, 1).exists()
    made = back_up_daily(demo, 3)
    assert made is not None
    assert not daily(demo, 1).exists()
    assert daily(demo, 2).exists()
    assert by_hand.exists()
    assert not [one for one in Path.cwd().iterdir() if one.name.endswith(".part")]


def test_backups_can_be_switched_off_or_be_more(monkeypatch: pytest.MonkeyPatch) -> None:
    assert (kept(), kept(7), kept(0)) == (3, 7, 0)
    monkeypatch.setenv("ANNOTATOR_BACKUPS", "0")
    assert kept(7) == 0


def test_where_no_backup_can_be_made_work_goes_on(
    demo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("annotator.store.ProjectFile.copy_to", refuse)
    back_up(demo)
    assert backups_of(demo) == []


def test_an_import_is_preceded_by_a_backup(run: Run, demo: Path) -> None:
    Path("more.qrels").write_text("1 0 184 1\n")
    run("-p", demo, "import", "qrels", "more.qrels")
    (made,) = backups_of(demo)
    with closing(Project.open(made)) as copy:
        assert "more" not in copy.judgments.assessors()


def test_restore_goes_back_and_keeps_what_was_there(run: Run, demo: Path) -> None:
    backup = run("-p", demo, "backup").out.strip()
    with closing(Project.open(demo)) as project:
        desk = Desk(project, "ann")
        query = next(one.query for one in desk.progress() if one.open)
        desk.say(desk.cards(query)[0].pair, grade=3)
    after = demo.read_bytes()
    Path(f"{demo}-journal").write_bytes(b"left behind")  # would spoil the file put in its place
    result = run("-p", demo, "restore", backup)
    assert result.code == 0
    assert not Path(f"{demo}-journal").exists()
    with closing(Project.open(demo)) as project:
        assert "ann" not in project.judgments.assessors()
    (aside,) = Path.cwd().glob("demo.*.replaced.db")
    assert aside.read_bytes() == after
    assert Path(backup).exists()


@pytest.mark.parametrize("damage", ["UPDATE query SET text = 'other'", "DELETE FROM ranking"])
def test_a_damaged_backup_is_not_restored(run: Run, demo: Path, damage: str) -> None:
    backup, before = run("-p", demo, "backup").out.strip(), demo.read_bytes()
    with closing(sqlite3.connect(backup)) as db, db:
        db.execute(damage)
    result = run("-p", demo, "restore", backup)
    assert result.code == 4
    assert "not whole" in result.err
    assert demo.read_bytes() == before


def test_a_project_that_is_gone_can_be_restored(run: Run, demo: Path) -> None:
    backup = run("-p", demo, "backup").out.strip()
    demo.unlink()
    assert run("-p", demo, "restore", backup).code == 0
    assert run("-p", demo, "doctor").code == 0
    assert run("-p", demo, "restore", demo).code == 2


def test_every_copy_is_as_private_as_the_project(run: Run, demo: Path) -> None:
    old = demo.with_name("old.db")
    shutil.copy(demo, old)
    altered(old, "PRAGMA user_version = 0")
    for one in (demo, old):
        one.chmod(0o600)
    back_up(demo)
    backup = run("-p", demo, "backup").out.strip()
    run("-p", demo, "doctor", "--rescue", "new.db")
    run("-p", old, "status")
    assert run("-p", demo, "restore", backup).code == 0
    made = [*backups_of(demo), *backups_of(old), Path("new.db"), demo, *Path().glob("*.replaced.*")]
    assert len(made) == 6
    assert {stat.S_IMODE(one.stat().st_mode) for one in made} == {0o600}


@pytest.mark.parametrize(
    ("words", "made"),
    [(("pool", "--depth", "12"), 1), (("rubric", "set", "dl-passage"), 1), (("status",), 0)],
)
def test_whatever_writes_makes_the_daily_backup_before(
    run: Run, demo: Path, words: tuple[str, ...], made: int
) -> None:
    run("-p", demo, *words)
    assert len(backups_of(demo)) == made


def test_doctor_says_why_no_daily_backups_are_made(
    run: Run, demo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "no daily backups" not in run("-p", demo, "doctor").err
    monkeypatch.setattr(os, "access", lambda path, _: path != demo.absolute().parent)
    assert "no daily backups are made of it: the folder" in run("-p", demo, "doctor").err
    monkeypatch.setenv("ANNOTATOR_BACKUPS", "0")
    assert "no daily backups are made of it: they are switched off" in run("-p", demo, "doctor").err
