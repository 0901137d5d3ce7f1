"""Backups that are made by themselves, and going back to one."""

from __future__ import annotations

import os
import shutil
import sqlite3
import stat
from contextlib import closing
from pathlib import Path

import pytest

from annotator.actions.backups import KEPT, back_up_daily, backups_of
from annotator.cli.options import back_up, backups_kept
from annotator.settings import settings_path
from annotator.store import Desk, Project
from tests.cli.conftest import Run
from tests.projects import begin, pooled_project, write
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


def test_backups_can_be_switched_off_or_be_more(
    run: Run, demo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(Path.cwd()))
    assert backups_kept() == KEPT == 3
    settings_path().parent.mkdir()
    write(settings_path(), "backups = 7")
    assert backups_kept() == 7
    monkeypatch.setenv("ANNOTATOR_BACKUPS", "0")
    assert backups_kept() == 0
    for odd in ("-1", "three", "1e3", "9" * 60, "9" * 5000, "\u0663"):
        monkeypatch.setenv("ANNOTATOR_BACKUPS", odd)
        for words in (("pool",), ("doctor",)):
            ended = run("-p", demo, *words)
            assert (ended.code, "ANNOTATOR_BACKUPS is" in ended.err) == (2, True), words


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
    made = [*backups_of(demo), Path("new.db"), demo, *Path().glob("*.replaced.*")]
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


@pytest.fixture
def two(run: Run, tmp_path: Path) -> tuple[Path, Path]:
    """Two projects in one folder, the name of one being the beginning of the other's."""
    for name, grade in (("eval.db", 1), ("eval.v2.db", 2)):
        project = pooled_project(tmp_path / name, {"alpha": {"q1": ["d1", "d2"]}})
        session = begin(project)
        assert session.card
        session.grade(session.card.pair, grade)
        project.close()
    return tmp_path / "eval.db", tmp_path / "eval.v2.db"


def test_backups_of_another_project_are_neither_deleted_nor_in_the_way(
    two: tuple[Path, Path],
) -> None:
    path, other = two
    others = [daily(other, day) for day in range(1, 6)]
    for one in (*others, daily(path, 7), daily(path, 8)):  # the last two under this one's name
        shutil.copy(other, one)
        newer(one, 1000)
    made = [back_up_daily(path, 1)]
    newer(path, 90_000)
    assert made[0] is not None
    assert all(one.exists() for one in (*others, daily(path, 7), daily(path, 8)))
    assert backups_of(path) == made


def test_the_place_of_todays_backup_may_be_taken_by_another_project(
    two: tuple[Path, Path],
) -> None:
    path, other = two
    first = back_up_daily(path, 3)
    assert first is not None
    shutil.copy(other, first)
    second = back_up_daily(path, 3)
    assert second is not None
    assert second.name == first.name.replace(".daily", "-2.daily")
    newer(path, 10)
    assert back_up_daily(path, 3) is None


def test_doctor_names_and_restore_takes_only_backups_of_this_project(
    run: Run, two: tuple[Path, Path]
) -> None:
    path, other = two
    mine, theirs = daily(path, 1), daily(other, 1)
    shutil.copy(path, mine)
    shutil.copy(other, theirs)
    newer(theirs, 100)
    damaged = bytearray(path.read_bytes())
    damaged[0:100] = bytes(100)
    for content in (bytes(damaged), b"", path.read_bytes()[:5000]):
        path.write_bytes(content)
        said = run("-p", path, "doctor").err
        assert str(mine) in said
        assert theirs.name not in said
    shutil.copy(mine, path)
    before = path.read_bytes()
    refused = run("-p", path, "restore", theirs)
    assert (refused.code, "another project" in refused.err) == (2, True)
    assert path.read_bytes() == before
    assert run("-p", path, "restore", theirs, "--another-project").code == 0


def test_a_copy_that_went_its_own_way_keeps_its_own_daily_backups(two: tuple[Path, Path]) -> None:
    path, _ = two
    copy = path.with_name("eval.copy.db")
    shutil.copy(path, copy)
    for day in (1, 2):
        shutil.copy(copy, daily(copy, day))
    newer(path, 10)
    assert back_up_daily(path, 1) is not None
    assert daily(copy, 1).exists()
    assert daily(copy, 2).exists()


def test_backups_of_a_project_that_was_renamed_are_its_own(two: tuple[Path, Path]) -> None:
    path, other = two
    shutil.copy(path, daily(path, 1))
    renamed = path.rename(path.with_name("renamed.db"))
    assert backups_of(renamed) == [daily(path, 1).absolute()]
    assert backups_of(other) == []
