"""A grade that cannot be stored is not shown as saved, and can be given again once it can."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import suppress
from pathlib import Path

import pytest

from annotator.errors import ProjectError
from annotator.store import Desk
from annotator.store.sqlite import connection
from tests.tui.workplaces import events, running, said, workplace


async def test_a_grade_that_the_disk_has_no_room_for_is_not_shown_as_saved(small: Path) -> None:
    work = workplace(small)
    store = work.session._store
    before = work.session.card
    db = store.project.file.db  # type: ignore[attr-defined]
    async with running(work) as pilot:
        (pages,) = db.execute("PRAGMA page_count").fetchone()
        db.execute(f"PRAGMA max_page_count = {pages}")
        with suppress(ProjectError):
            while before is not None:
                store.note(before.pair, "w" * 60)
        while "NOT saved" not in said(pilot):
            await pilot.press("n", "w", "enter")
        assert " is full" in said(pilot)
        assert "✓" not in said(pilot)
        notes = len(events(small))
        db.execute("PRAGMA max_page_count = 1000000")
        assert work.session.card is not None
        assert before is not None
        assert work.session.card.pair == before.pair
        await pilot.press("2")
        assert "✓ saved 2" in said(pilot)
        assert [event.grade for event in events(small)[notes:]] == [2]


@pytest.mark.parametrize("replaced", [False, True])
async def test_a_file_that_is_gone_from_underneath_is_told_and_graded_in_once_it_is_back(
    small: Path, replaced: bool
) -> None:
    async with running(workplace(small)) as pilot:
        await pilot.press("1")
        aside = small.rename(small.with_name("aside.db"))
        if replaced:
            shutil.copy(aside, small)
        await pilot.press("2")
        assert "NOT saved" in said(pilot)
        assert "it was moved, deleted or replaced" in said(pilot)
        aside.rename(small)
        await pilot.press("3")
        assert "✓ saved 3" in said(pilot)
        assert [event.grade for event in events(small)] == [1, 3]


async def test_a_project_that_could_only_be_read_is_graded_in_once_it_may_be_written(
    small: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    work, connect = workplace(small), sqlite3.connect
    file = work.session._store.project.file  # type: ignore[attr-defined]
    file.answer_keys(0.25)
    async with running(work) as pilot:
        with monkeypatch.context() as patch:  # as SQLite opens a file that may not be written
            patch.setattr(
                sqlite3, "connect", lambda at, **how: connect(at.replace("=rw", "=ro"), **how)
            )
            file.db = connection.connect(small)
            for _ in range(2):
                await pilot.press("2")
                assert "NOT saved" in said(pilot)
                assert "it cannot be written" in said(pilot)
        await pilot.press("2")
        assert "✓ saved 2" in said(pilot)
        assert [event.grade for event in events(small)] == [2]


async def test_what_cannot_be_stored_stays_on_screen_and_can_be_said_again(
    small: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> int:
        raise ProjectError("demo.db: the disk is full")

    work = workplace(small)
    before = work.session.card
    async with running(work) as pilot:
        with monkeypatch.context() as patch:
            patch.setattr(Desk, "say", full)
            for key in ("2", "s"):
                await pilot.press(key)
                assert work.session.card == before
                assert "! NOT saved: demo.db: the disk is full" in said(pilot)
                assert "✓" not in said(pilot)
        assert events(small) == []
        await pilot.press("2")
        assert "✓ saved 2" in said(pilot)
        assert [event.grade for event in events(small)] == [2]
