"""What the desk's keys do to the project file."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from textual.events import Key
from textual.widgets import Input

from annotator.domain import Mark
from annotator.store import Desk
from annotator.tui.guard import MIN_GAP
from annotator.tui.messages import REASONS
from annotator.tui.screens.ask import Ask
from annotator.tui.screens.grade import GradeScreen
from annotator.tui.widgets.document_view import DocumentView
from annotator.tui.widgets.grade_bar import GradeKey
from tests.projects import begin
from tests.tui.workplaces import (
    events,
    labels,
    make_small,
    opened,
    running,
    said,
    scale,
    shown,
    until,
    workplace,
)


async def test_a_grade_key_commits_and_brings_the_next_document(demo: Path) -> None:
    work = workplace(demo)
    before = work.session.card
    assert before is not None
    async with running(work) as pilot:
        assert isinstance(pilot.app.focused, DocumentView)
        assert "792" not in shown(pilot)
        assert "793 of 867 judged" in shown(pilot)
        await pilot.press("2")
        assert work.session.card not in (None, before)
        assert "✓ saved 2 Relevant" in shown(pilot)
        assert "794 of 867 judged" in shown(pilot)
        last = events(demo)[-1]
        assert (last.docid, last.grade, last.assessor) == (before.docid, 2, "ana")
        assert (last.position, last.blind) == (5, True)


async def test_saved_is_said_after_the_commit_and_not_before(
    small: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    at_commit: list[str] = []
    say = Desk.say

    def watched(self: Desk, pair: int, **what: Any) -> int:
        event = say(self, pair, **what)
        at_commit.append(said(pilot))
        return event

    monkeypatch.setattr(Desk, "say", watched)
    async with running(workplace(small)) as pilot:
        await pilot.press("1")
        assert at_commit == [""]
        assert "✓ saved 1" in said(pilot)


async def test_undo_brings_the_document_back_without_its_grade(small: Path) -> None:
    work = workplace(small)
    first = work.session.card
    async with running(work) as pilot:
        await pilot.press("u")
        assert "nothing to undo" in said(pilot)
        await pilot.press("3", "u")
        assert work.session.card == first
        assert labels(small) == {}
        assert "✓ took back 3 Highly relevant of 'Title " in said(pilot)
        assert [event.undoes is not None for event in events(small)] == [False, True]


async def test_looking_around_stores_nothing_and_tells_what_is_known(small: Path) -> None:
    work = workplace(small)
    async with running(work) as pilot:
        await pilot.press("left")
        assert "the first document" in said(pilot)
        await pilot.press("2", "left")
        assert "graded 2; another grade replaces it" in said(pilot)
        assert [key.grade for key in pilot.app.screen.query(".-given").results(GradeKey)] == [2]
        await pilot.press("right")
        assert "not judged yet" in said(pilot)
        assert len(events(small)) == 1
        await pilot.press("left", "0")
        assert "✓ saved 0 Not relevant, was 2" in said(pilot)
        assert list(labels(small).values()) == [0]


async def test_what_was_put_aside_comes_back_in_the_end(small: Path) -> None:
    work = workplace(small)
    first = work.session.card
    assert first is not None
    async with running(work) as pilot:
        await pilot.press("s")
        assert events(small)[0].mark is Mark.LATER
        assert "✓ skipped, comes back at the end" in said(pilot)
        await pilot.press("1", "1", "1", "1")
        assert work.session.card is not None
        assert work.session.card.pair == first.pair
        await pilot.press("0")
        assert "Nothing is left to judge." in shown(pilot)
        assert len(labels(small)) == 5


async def test_a_document_cannot_be_judged_for_a_reason(small: Path) -> None:
    work = workplace(small)
    first = work.session.card
    async with running(work) as pilot:
        await pilot.press("x", "escape")
        await pilot.press("x", "enter")
        assert isinstance(pilot.app.screen, Ask)
        assert "type an answer first" in shown(pilot)
        assert events(small) == []
        await pilot.press(*"cut", "enter")
        assert [(event.mark, event.note) for event in events(small)] == [(Mark.CANNOT, "cut")]
        assert work.session.card != first
        await pilot.press("left")
        assert "cannot be judged: cut" in said(pilot)


async def test_common_reasons_have_numbers_and_other_words_can_begin_with_any(small: Path) -> None:
    work = workplace(small)
    async with running(work) as pilot:
        for number, reason in enumerate(REASONS, 1):
            await pilot.press("x", str(number))
            assert events(small)[-1].note == reason
            await pilot.press("u")
        await pilot.press("x", "9", "0", *" pages", "enter")
        assert events(small)[-1].note == "90 pages"
        await pilot.press("u", "x", *"see 2", "enter")
        assert events(small)[-1].note == "see 2"


async def test_a_common_reason_can_be_clicked(small: Path) -> None:
    work = workplace(small)
    async with running(work) as pilot:
        await pilot.press("x")
        await pilot.click("#choices", offset=(1, 0))
        assert [one.note for one in events(small)] == [REASONS[0]]


@pytest.mark.parametrize("key", ["n", "x"])
async def test_words_left_unsaid_are_there_when_asked_again(small: Path, key: str) -> None:
    work = workplace(small)
    async with running(work) as pilot:
        await pilot.press(key, *"half", "escape", "n" if key == "x" else "x")
        assert pilot.app.screen.query_one(Input).value == ""
        await pilot.press("escape", key, *" done", "enter")
        assert [one.note for one in events(small)] == ["half done"]


async def test_a_note_is_kept_and_can_be_changed(small: Path) -> None:
    work = workplace(small)
    async with running(work) as pilot:
        first = work.session.position
        await pilot.press("n", *"odd", "enter")
        assert work.session.position == first
        assert "✓ saved note" in said(pilot)
        assert "· noted" in shown(pilot)
        await pilot.press("2", "left")
        assert "note: odd" in said(pilot)
        await pilot.press("n", *"er", "enter")
        last = events(small)[-1]
        assert (last.grade, last.note) == (2, "odder")


async def test_keys_go_into_a_text_field_while_it_has_the_focus(small: Path) -> None:
    async with running(workplace(small)) as pilot:
        await pilot.press("n", *"0123sxu?q")
        assert pilot.app.screen.query_one(Input).value == "0123sxu?q"
        assert events(small) == []
        await pilot.press("escape")
        assert isinstance(pilot.app.focused, DocumentView)
        assert events(small) == []


@pytest.mark.parametrize("top", [1, 4])
async def test_only_the_rubrics_own_grades_have_keys(tmp_path: Path, top: int) -> None:
    small = make_small(tmp_path / "demo.db", rubric=scale(top))
    async with running(workplace(small)) as pilot:
        await pilot.press(str(top + 1), "9")
        assert events(small) == []
        await pilot.press(str(top), "0")
        assert [event.grade for event in events(small)] == [top, 0]
        assert f" {top}  Level {top} " in shown(pilot)


async def test_a_click_on_a_grade_is_its_key(small: Path) -> None:
    async with running(workplace(small), board=True) as pilot:
        keys = list(pilot.app.screen.query(GradeKey))
        await pilot.click(keys[2])
        assert [event.grade for event in events(small)] == [2]
        assert isinstance(pilot.app.focused, DocumentView)


async def test_a_burst_of_keys_grades_one_document(small: Path) -> None:
    async with running(workplace(small), min_gap=MIN_GAP) as pilot:
        await asyncio.sleep(MIN_GAP * 1.2)
        for key in "1230" * 5:
            pilot.app.post_message(Key(key, key))
        await until(pilot, lambda: "key ignored" in said(pilot))
        assert [event.grade for event in events(small)] == [1]


async def test_a_document_below_a_question_is_drawn_and_yet_not_to_be_graded(small: Path) -> None:
    async with running(workplace(small)) as pilot:
        desk = pilot.app.screen
        assert isinstance(desk, GradeScreen)
        assert desk._guard._shown_at is not None
        await pilot.press("n")
        assert pilot.app.screen.styles.background.is_transparent, "the document can still be read"
        desk.query_one(DocumentView).draw_again()
        await pilot.pause()
        assert desk._guard._shown_at is None
        await pilot.press("escape")
        await until(pilot, lambda: desk._guard._shown_at is not None)


async def test_a_held_undo_takes_back_one_grade(small: Path) -> None:
    begun = begin(opened(small), "ana")
    for _ in range(3):
        assert begun.card is not None
        begun.grade(begun.card.pair, 1)
    async with running(workplace(small), min_gap=MIN_GAP) as pilot:
        await asyncio.sleep(MIN_GAP * 1.2)
        for _ in range(20):
            pilot.app.post_message(Key("u", "u"))
        await until(pilot, lambda: "key ignored" in said(pilot))
        assert len(labels(small)) == 2
