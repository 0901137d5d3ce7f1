"""A disk that is full, a file that is locked, a terminal that is too small."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import pytest

from annotator.actions.rubrics import set_rubric
from annotator.errors import ProjectError
from annotator.records import Document
from annotator.store import Project, connecting
from annotator.tui import reading
from annotator.tui.app import AnnotatorApp
from annotator.tui.live import BoardRead
from annotator.tui.screens import waiting
from annotator.tui.screens.ask import Ask
from annotator.tui.screens.grade import GradeScreen
from annotator.tui.screens.rubric import RubricScreen
from annotator.tui.screens.too_small import TooSmall
from annotator.tui.screens.waiting import Waiting
from annotator.tui.widgets.grade_bar import GradeKey
from annotator.tui.widgets.rows_view import RowsView
from annotator.tui.words import MOST_TOLD, about
from rubric import Rubric
from tests.tui.workplaces import (
    events,
    make_small,
    running,
    said,
    scale,
    shown,
    until,
    words,
    workplace,
)


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
        assert "the disk is full" in said(pilot)
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
            file.db = connecting.connect(small)
            for _ in range(2):
                await pilot.press("2")
                assert "NOT saved" in said(pilot)
                assert "it cannot be written" in said(pilot)
        await pilot.press("2")
        assert "✓ saved 2" in said(pilot)
        assert [event.grade for event in events(small)] == [2]


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """The file's lock is not waited for, but asked for often."""
    monkeypatch.setattr(connecting, "LOCK_SECONDS", 0.01)
    monkeypatch.setattr(reading, "AGAIN", 0.02)


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
        await until(pilot, lambda: "✓ saved" in said(pilot))
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


async def test_a_terminal_that_is_too_small_takes_no_grade_and_keeps_what_was_open(
    small: Path,
) -> None:
    async with running(workplace(small), size=(39, 12), wait=False) as pilot:
        assert "40x12 needed, this is 39x12" in words(pilot)
        await pilot.press("2")
        await pilot.resize_terminal(40, 12)
        await pilot.pause()
        assert "wing flutter" in shown(pilot)
        await pilot.press("n", *"half")
        await pilot.resize_terminal(40, 11)
        await pilot.press("x", "escape")
        assert isinstance(pilot.app.screen, TooSmall)
        await pilot.resize_terminal(80, 24)
        await pilot.pause()
        assert isinstance(pilot.app.screen, Ask)
        await pilot.press("enter")
        assert [(event.grade, event.note) for event in events(small)] == [(None, "half")]


@pytest.mark.parametrize("title", ["", "A title"])
async def test_a_document_without_text_shows_its_id_and_url_and_how_to_import(
    tmp_path: Path, title: str
) -> None:
    documents = [Document(f"d{one}", title, None, f"where/d{one}") for one in range(1, 6)]
    work = workplace(make_small(tmp_path / "demo.db", documents=documents))
    assert work.session.card is not None
    async with running(work) as pilot:
        assert title in shown(pilot)
        assert f" {work.session.card.docid} " in shown(pilot)
        assert f"where/{work.session.card.docid}" in shown(pilot)
        assert "annotator import documents FILE" in words(pilot)


async def test_what_a_file_told_of_a_document_stands_below_its_title_and_is_cut_with_a_mark(
    tmp_path: Path,
) -> None:
    told = (("authors", "Ann, Bo"), ("year", "1962"), ("long", "w" * 500), ("more", "x" * 500))
    documents = [Document(f"d{one}", "T", "The text.", "", told) for one in range(1, 6)]
    async with running(workplace(make_small(tmp_path / "demo.db", documents=documents))) as pilot:
        assert "authors: Ann, Bo · year: 1962 · long: www" in words(pilot)
        assert "…" in words(pilot)
        assert "The text." in words(pilot)
        assert len(about(documents[0])[-1]) <= MOST_TOLD
        await pilot.press("i")
        assert "w" * 70 in shown(pilot)
        await pilot.press("end")
        everything = "".join(line.strip() for line in shown(pilot).splitlines())
        assert "x" * 500 in everything
        await pilot.press("i")
        assert isinstance(pilot.app.screen, GradeScreen)


async def test_all_that_is_known_of_a_document_is_shown_harmless_from_a_ranking_too(
    tmp_path: Path,
) -> None:
    told = (("by\x1b[31m", "A\u202eB\x07 [red]C[/]"), ("empty", " "))
    documents = [
        Document(f"d{one}", f"T{one}", "The text.", "http://u", told) for one in range(1, 6)
    ]
    async with running(workplace(make_small(tmp_path / "demo.db", documents=documents))) as pilot:
        for way in [("i",), ("i", "b", "enter", "enter", "i")]:
            await pilot.press(*way)
            seen = shown(pilot)
            assert {"title", "url"} <= set(seen.split())
            assert "[red]C[/]" in seen
            assert "empty" not in seen
            assert not {"\x1b", "\u202e", "\x07"} & set(seen)
            assert seen.splitlines()[0].startswith(" Document d")


async def test_ones_own_grades_are_listed_in_the_colours_that_they_are_given_in(
    small: Path,
) -> None:
    async with running(workplace(small)) as pilot:
        bar = {str(key.grade): key.rich_style.color for key in pilot.app.screen.query(GradeKey)}
        await pilot.press(*"03s2h")
        rows = pilot.app.screen.query_one(RowsView)
        drawn = [rows.render_line(y) for y in range(1, 5)]
        said = {parts[1].text.strip(): parts[1].style for parts in map(list, drawn)}
        assert said.keys() == {"0", "3", "later", "2"}
        for grade in "032":
            style = said[grade]
            assert style is not None
            assert (style.color, style.bold) == (bar[grade], True)
        assert len({bar[grade] for grade in "0123"}) == 4


@pytest.mark.parametrize("keys", ["2", "s", "u", "n", "x", "rankings"])
async def test_a_rubric_changed_by_another_program_is_shown_and_graded_by(
    small: Path, keys: str
) -> None:
    work = workplace(small)
    async with running(work, size=(80, 30)) as pilot:
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
