"""The ends of the work, what is missing, and small and changing screens."""

from __future__ import annotations

from pathlib import Path

import pytest
from rich.color import Color

from annotator.domain import Document, Query
from annotator.tui.screens.ask import Ask
from annotator.tui.screens.too_small import TooSmall
from annotator.tui.themes import COLOURS
from annotator.tui.widgets.document_view import DocumentView
from tests.tui.workplaces import (
    events,
    labels,
    make_small,
    running,
    said,
    settled,
    shown,
    words,
    workplace,
)

ALL_KEYS = ("1", "s", "x", "n", "left", "right", "slash", "escape", "d")


async def test_when_all_is_judged_the_end_is_told_and_grades_say_nothing(small: Path) -> None:
    work = workplace(small)
    async with running(work) as pilot:
        await pilot.press("x", "a", "enter", "1", "1", "1", "1")
        assert work.session.card is None
        assert "4 of 5 pooled pairs judged." in shown(pilot)
        assert "You marked 1 document as not judgeable: unjudged in the scores." in words(pilot)
        before = len(events(small))
        await pilot.press("2", "s", "x", "n")
        assert len(events(small)) == before
        await pilot.press("u")
        assert work.session.card is not None
        assert len(labels(small)) == 3


@pytest.mark.parametrize("runs", [{}, {"alpha": {"q1": ["d1"]}}])
async def test_an_empty_pool_is_told_with_what_to_do(
    tmp_path: Path, runs: dict[str, dict[str, list[str]]]
) -> None:
    work = workplace(make_small(tmp_path / "demo.db", runs=runs, depth=None))
    async with running(work) as pilot:
        assert "The pool is empty. Make one with: annotator pool" in shown(pilot)
        await pilot.press(*ALL_KEYS)
        for screen in "qbr":
            await pilot.press(screen, "enter", "escape", "escape")
        assert "The pool is empty." in shown(pilot)


async def test_a_document_without_text_says_how_to_get_it_and_can_be_graded(
    tmp_path: Path,
) -> None:
    work = workplace(make_small(tmp_path / "demo.db", documents=[]))
    card = work.session.card
    assert card is not None
    async with running(work) as pilot:
        assert f"\n  {card.docid} " in shown(pilot)
        assert "No text stored for this document." in shown(pilot)
        await pilot.press("1")
        assert work.session.totals.judged == 0  # first it asks; the second press means it
        await pilot.press("1")
        assert work.session.totals.judged == 1


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


async def test_a_query_without_text_is_named_by_its_id(tmp_path: Path) -> None:
    small = make_small(tmp_path / "demo.db", queries=[Query("q1", ""), Query("q2", "")])
    async with running(workplace(small)) as pilot:
        assert "query q1 (its text is not imported)" in shown(pilot)


async def test_the_need_behind_the_query_can_be_hidden(small: Path) -> None:
    async with running(workplace(small)) as pilot:
        assert "Measurements count." in shown(pilot)
        await pilot.press("d")
        assert "wing flutter" in shown(pilot)
        assert "Measurements count." not in shown(pilot)
        await pilot.press("d")
        assert "Measurements count." in shown(pilot)


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


async def test_another_size_keeps_the_document(demo: Path) -> None:
    work = workplace(demo)
    async with running(work) as pilot:
        document = work.session.document()
        assert document is not None
        for width, height in [(40, 12), (200, 60), (10, 4), (80, 24)]:
            await pilot.resize_terminal(width, height)
            await pilot.pause()
            if width >= 40:
                title = document.title[: width - 10]
                assert title in words(pilot)
                assert " 0 " in shown(pilot)
                assert " 3 " in shown(pilot)
        await pilot.press("1")
        assert "✓ saved 1 Marginal" in said(pilot)


async def test_every_screen_can_take_any_size(begun: Path) -> None:
    async with running(workplace(begun), board=True) as pilot:
        for key in ("q", "b", "r", "question_mark", "n"):
            await pilot.press(key)
            before = shown(pilot)
            for size in [(40, 12), (10, 3), (200, 60), (80, 24)]:
                await pilot.resize_terminal(*size)
            await settled(pilot)
            assert shown(pilot) == before
            await pilot.press("escape")


@pytest.mark.parametrize("colours", [True, False])
async def test_the_query_terms_are_marked_by_the_accent_or_without_colours_by_a_line(
    small: Path, monkeypatch: pytest.MonkeyPatch, colours: bool
) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    if not colours:
        monkeypatch.setenv("NO_COLOR", "1")
    async with running(workplace(small)) as pilot:
        view = pilot.app.screen.query_one(DocumentView)
        accent = Color.parse(COLOURS["accent"][0])
        marked = [
            segment.text
            for y in range(view.size.height)
            for segment in view.render_line(y)
            if segment.style
            and (segment.style.color == accent if colours else segment.style.underline)
        ]
        assert marked == ["flutter", "wings"] * 3
