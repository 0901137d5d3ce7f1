"""A disk that is full, a file that is locked, a terminal that is too small."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from annotator.records import Document
from annotator.store import connecting
from annotator.tui.screens.ask import Ask
from annotator.tui.screens.too_small import TooSmall
from annotator.tui.words import MOST_TOLD, about
from tests.tui.workplaces import events, make_small, running, said, shown, words, workplace


async def test_a_grade_that_the_disk_has_no_room_for_is_not_shown_as_saved(small: Path) -> None:
    work = workplace(small)
    store = work.session._store
    before = work.session.card
    db = store.project.file.db  # type: ignore[attr-defined]
    async with running(work) as pilot:
        (pages,) = db.execute("PRAGMA page_count").fetchone()
        db.execute(f"PRAGMA max_page_count = {pages}")
        await pilot.press("n", *"w" * 60, "enter")
        while "NOT saved" not in said(pilot):
            await pilot.press("n", *"w" * 60, "enter")
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


async def test_a_grade_that_a_locked_file_does_not_take_can_be_given_again(
    small: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connecting, "LOCK_SECONDS", 0.05)
    work = workplace(small)
    async with running(work) as pilot:
        with closing(sqlite3.connect(small, isolation_level=None)) as other:
            other.execute("BEGIN EXCLUSIVE")
            await pilot.press("2")
            assert "! NOT saved: " in said(pilot)
            assert "another program is writing to it" in words(pilot)
            other.execute("ROLLBACK")
        assert events(small) == []
        await pilot.press("2")
        assert [event.grade for event in events(small)] == [2]


async def test_a_terminal_that_is_too_small_takes_no_grade_and_keeps_what_was_open(
    small: Path,
) -> None:
    async with running(workplace(small), size=(39, 12)) as pilot:
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
