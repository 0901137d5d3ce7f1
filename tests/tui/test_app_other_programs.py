"""Another program writes: what is said waits for it; what it changed is shown before any grade."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from itertools import count
from pathlib import Path

import pytest

from annotator.actions.rubrics import set_rubric
from annotator.errors import ProjectError
from annotator.store import Desk, Project
from annotator.store.sqlite import connection
from annotator.tui import retry
from annotator.tui.app import AnnotatorApp
from annotator.tui.scoreboard import BoardRead
from annotator.tui.screens import waiting
from annotator.tui.screens.rubric import RubricScreen
from annotator.tui.screens.waiting import Waiting
from annotator.tui.widgets.grade_bar import GradeKey
from rubric import Rubric
from tests.tui.workplaces import (
    events,
    labels,
    running,
    said,
    scale,
    shown,
    until,
    words,
    workplace,
)


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """The file's lock is not waited for, but asked for often."""
    monkeypatch.setattr(connection, "LOCK_SECONDS", 0.01)
    monkeypatch.setattr(retry, "AGAIN", 0.02)


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Another program writes."""
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        yield
        other.execute("ROLLBACK")


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("keys", [["2"], ["s"], ["n", "w", "enter"], ["x", "w", "enter"]])
async def test_what_is_said_while_another_program_writes_is_saved_once_it_is_done(
    small: Path, keys: list[str]
) -> None:
    work = workplace(small)
    before = work.session.card
    async with running(work) as pilot:
        with locked(small):
            await pilot.press(*keys)
            await until(pilot, lambda: isinstance(pilot.app.screen, Waiting))
            await pilot.press("3", "right", "u", "q", "enter")
            assert "Not saved yet" in words(pilot)
            assert "✓" not in said(pilot)
            assert work.session.card == before
        await until(pilot, lambda: not isinstance(pilot.app.screen, Waiting))
        await until(pilot, lambda: "✓ s" in said(pilot))  # saved, or skipped
        assert len(events(small)) == 1


@pytest.mark.usefixtures("impatient")
async def test_what_must_be_read_while_another_program_writes_is_shown_once_it_is_done(
    small: Path,
) -> None:
    work = workplace(small)
    async with running(work) as pilot:
        app = pilot.app
        assert isinstance(app, AnnotatorApp)
        await pilot.press("1", "q", "down")
        with locked(small):
            await pilot.press("enter")  # the other query, which has to be read
            app.on_board_read(BoardRead(app._live._live))
            await pilot.pause(0.1)
            assert "wing flutter" in words(pilot)
        await until(pilot, lambda: "heat transfer" in words(pilot))
        await pilot.press("h")
        with locked(small):
            await pilot.press("enter")
            await pilot.pause(0.1)
            assert "heat transfer" in words(pilot)
        await until(pilot, lambda: "wing flutter" in words(pilot))
        await pilot.press("2")
        await until(pilot, lambda: "✓ saved 2" in said(pilot))


@pytest.mark.usefixtures("impatient")
async def test_a_grade_that_waits_for_another_program_can_be_given_up_and_given_again(
    small: Path,
) -> None:
    work = workplace(small)
    async with running(work) as pilot:
        with locked(small):
            await pilot.press("2")
            await until(pilot, lambda: isinstance(pilot.app.screen, Waiting))
            await pilot.press("escape")
            assert "! NOT saved: another program is writing" in said(pilot)
        assert events(small) == []
        await pilot.press("2")
        assert [event.grade for event in events(small)] == [2]


@pytest.mark.usefixtures("impatient")
async def test_a_lock_that_does_not_end_is_given_up_with_nothing_shown_as_saved(
    small: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(waiting, "PATIENCE", 0.1)
    async with running(workplace(small)) as pilot:
        with locked(small):
            await pilot.press("2")
            await until(pilot, lambda: "NOT saved" in said(pilot))
            assert "✓" not in said(pilot)
        assert events(small) == []


async def test_a_file_that_cannot_be_read_for_a_moment_ends_nothing(
    small: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def locked(*_: object) -> None:
        raise ProjectError("demo.db: another program is writing")

    async with running(workplace(small), min_gap=0.001, board=True) as pilot:
        guard = pilot.app._desk._guard  # type: ignore[attr-defined]
        await until(pilot, lambda: guard._shown_at is not None)
        with monkeypatch.context() as patch:
            versions = count()
            patch.setattr(Desk, "version", lambda _: next(versions))
            patch.setattr(Desk, "document", locked)
            await pilot.press("1")
            await until(pilot, lambda: "another program is writing" in shown(pilot))
            await pilot.press("3")
        assert [event.grade for event in events(small)] == [1]
        await pilot.press("left")
        await until(pilot, lambda: guard._shown_at is not None)
        await pilot.press("2")
        assert [event.grade for event in events(small)] == [1, 2]


@pytest.mark.parametrize("keys", ["2", "s", "u", "n", "x", "rankings"])
async def test_a_rubric_changed_by_another_program_is_shown_and_graded_by(
    small: Path, keys: str
) -> None:
    work = workplace(small)
    async with running(work, size=(80, 30), board=True) as pilot:
        await pilot.press("1")
        before, other = events(small), scale(2)
        put_in_force(small, other)
        if keys == "rankings":
            await pilot.press("b", "enter", "enter", "2")
        else:
            await pilot.press(keys, *(["w", "enter"] if keys in "nx" else []))
        await until(pilot, lambda: isinstance(pilot.app.screen, RubricScreen))
        await pilot.pause()
        assert events(small) == before
        assert "was not saved" in words(pilot)
        assert "What 2 means." in words(pilot)
        await pilot.press("3", "escape")
        await until(pilot, lambda: "Level 2" in words(pilot))
        assert "NOT saved: the rubric was changed to to-2 v1" in said(pilot)
        assert "0 of 5 judged" in words(pilot)
        await pilot.press("3")  # a grade of the old rubric alone
        assert events(small) == before
        await pilot.press("2")
        assert "✓ saved 2 Level 2" in said(pilot)
        (last,) = events(small)[len(before) :]
        assert (last.rubric, last.grade) == (other.fingerprint, 2)


def put_in_force(path: Path, rubric: Rubric) -> None:
    project = Project.open(path)
    set_rubric(project, rubric)
    project.close()


async def test_what_you_said_in_another_window_is_shown_and_not_taken_back_here(
    small: Path,
) -> None:
    work, other = workplace(small), workplace(small).session
    async with running(work) as pilot:
        first = other.card
        assert first
        await pilot.press("3")
        other.grade(first.pair, 0)
        await pilot.press("left")
        assert "graded 0" in said(pilot)
        await pilot.press("u")
        assert "! nothing was taken back: you said 0 of this document in another window" in said(
            pilot
        )
        assert list(labels(small).values()) == [0]


async def test_the_document_on_the_desk_does_not_show_what_another_person_says_of_it(
    small: Path,
) -> None:
    work, other = workplace(small), workplace(small, "ben").session
    async with running(work) as pilot:
        assert other.card
        await pilot.press("right", "left")
        await until(pilot, lambda: "not judged yet" in shown(pilot))
        before = shown(pilot)
        other.grade(other.card.pair, 2)
        await until(pilot, lambda: bool(work.session.card and work.session.card.label == 2))
        assert shown(pilot) == before
        assert not pilot.app.screen.query(".-given")


async def test_the_document_on_the_desk_shows_what_you_say_of_it_elsewhere(small: Path) -> None:
    work, other = workplace(small), workplace(small).session
    async with running(work) as pilot:
        assert other.card
        other.grade(other.card.pair, 2)
        await until(pilot, lambda: "changed meanwhile: graded 2" in said(pilot))
        assert "1 of 5 judged" in shown(pilot)
        assert [key.grade for key in pilot.app.screen.query(".-given").results(GradeKey)] == [2]
