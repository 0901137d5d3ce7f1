"""A document of any length is read through at once: by keys, after a resize, from its top."""

from __future__ import annotations

import pytest
from textual.strip import Strip

from annotator.tui.widgets import page as pages
from annotator.tui.widgets.document_view import GUTTER, DocumentView
from annotator.tui.widgets.line_breaks import Lines
from annotator.tui.widgets.matches import Matches
from annotator.tui.widgets.page import Page
from annotator.tui.widgets.styles import NONE
from annotator.tui.widgets.wrapping import wrap
from tests.tui.document_view_app import NUMBERED, Reading, rows

MEGABYTES = "lorem ipsum dolor sit amet\n" * 200_000


async def test_keys_scroll_at_once() -> None:
    async with Reading().run_test(size=(60, 10)) as pilot:
        view = pilot.app.query_one(DocumentView)
        view.show("", NUMBERED)
        view.focus()
        for key, top in [
            ("down", 1),
            ("up", 0),
            ("space", 10),
            ("pagedown", 20),
            ("pageup", 10),
            ("end", 190),
            ("home", 0),
        ]:
            await pilot.press(key)
            assert view.scroll_offset.y == top
            assert rows(view)[0] == f"line {top}"


async def test_every_binding_can_be_remapped_and_explains_itself() -> None:
    async with Reading().run_test() as pilot:
        bindings = [
            binding
            for _, binding in pilot.app.query_one(DocumentView)._bindings
            if binding.action.startswith("move")
        ]
        assert len({one.id for one in bindings}) == 6
        assert all((binding.id or "").startswith("document.") for binding in bindings)
        assert all(binding.tooltip for binding in bindings)


async def test_a_resize_wraps_anew_and_keeps_the_place() -> None:
    text = " ".join(f"w{number:04}" for number in range(3000))
    async with Reading().run_test(size=(120, 12)) as pilot:
        view = pilot.app.query_one(DocumentView)
        view.show("", text)
        assert max(map(len, rows(view))) <= 88
        view.scroll_to(y=100, animate=False)
        await pilot.pause()
        first = rows(view)[0].split()[0]
        for width in (40, 33, 71, 50):
            await pilot.resize_terminal(width, 12)
            await pilot.pause()
            assert first in rows(view)[0]
            assert max(map(len, rows(view))) <= width - GUTTER - 1


async def test_a_new_document_begins_at_its_top() -> None:
    async with Reading().run_test(size=(60, 10)) as pilot:
        view = pilot.app.query_one(DocumentView)
        view.show("", NUMBERED)
        view.action_move("end")
        await pilot.pause()
        view.show("", NUMBERED)
        assert rows(view)[0] == "line 0"
        await pilot.resize_terminal(50, 10)
        assert rows(view)[0] == "line 0"


@pytest.mark.parametrize("text", [MEGABYTES, "x" * 5_000_000], ids=["lines", "one word"])
async def test_of_five_megabytes_no_more_lines_are_drawn_than_of_a_page(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[int] = []
    draw = DocumentView._draw

    def noted(view: DocumentView, page: Page, line: int, matches: Matches = NONE) -> Strip:
        drawn.append(line)
        return draw(view, page, line, matches)

    monkeypatch.setattr(DocumentView, "_draw", noted)
    async with Reading().run_test() as pilot:
        view = pilot.app.query_one(DocumentView)
        view.focus()
        view.show("long", text)
        await pilot.pause()
        await pilot.press("end")
        await pilot.resize_terminal(60, 24)
        assert 24 <= len(drawn) < 24 * 8
        assert view.find(text[:3]) == 10_000


async def test_the_beginning_of_a_long_text_is_shown_before_the_rest_is_laid_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    laid_out: list[int] = []

    def noted(text: str, width: int) -> Lines:
        laid_out.append(len(text))
        return wrap(text, width)

    async with Reading().run_test() as pilot:
        view = pilot.app.query_one(DocumentView)
        view.focus()
        monkeypatch.setattr(pages, "wrap", noted)
        long = f"{MEGABYTES}the last line"
        view.show("long", long)
        before = rows(view)
        assert laid_out == [pages.BEGINNING]
        await pilot.pause()
        assert (len(laid_out), rows(view)) == (2, before)
        await pilot.press("end")
        assert rows(view)[-1] == "the last line"
        view.show("long", long)
        assert view.find("the last line") == 1
