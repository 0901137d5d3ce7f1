"""A document of any size and any content is shown as what it says, and can be read and searched."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.style import Style
from textual.app import App, ComposeResult
from textual.strip import Strip

from annotator.sanitise import visible
from annotator.tui.widgets import page as pages
from annotator.tui.widgets.document_view import GUTTER, DocumentView
from annotator.tui.widgets.line_breaks import Lines
from annotator.tui.widgets.looks import NONE
from annotator.tui.widgets.matches import Matches
from annotator.tui.widgets.page import Page
from annotator.tui.widgets.wrapping import wrap

MEGABYTES = "lorem ipsum dolor sit amet\n" * 200_000
NUMBERED = "\n".join(f"line {number}" for number in range(200))


class Reading(App[None]):
    def compose(self) -> ComposeResult:
        yield DocumentView()

    @property
    def view(self) -> DocumentView:
        return self.query_one(DocumentView)


def rows(view: DocumentView) -> list[str]:
    return [view.render_line(y).text[GUTTER:].rstrip() for y in range(view.size.height)]


def styles(view: DocumentView, text: str) -> list[Style]:
    return [
        segment.style
        for y in range(view.size.height)
        for segment in view.render_line(y)
        if segment.text == text and segment.style is not None
    ]


async def test_title_then_url_then_text() -> None:
    async with Reading().run_test() as pilot:
        view = pilot.app.query_one(DocumentView)
        view.show("A\ntitle", "The text.\r\nSecond\tline", ["https://example.org/a"])
        assert rows(view)[:5] == [
            "A title",
            "https://example.org/a",
            "",
            "The text.",
            "Second  line",
        ]
        (title,) = styles(view, "A title")
        assert title.bold
        view.show("", "Only text")
        assert rows(view)[0] == "Only text"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (None, "No text stored for this document."),
        ("", "The stored text of this document is empty."),
    ],
)
async def test_a_document_without_text_says_so(text: str | None, said: str) -> None:
    async with Reading().run_test() as pilot:
        view = pilot.app.query_one(DocumentView)
        view.show("d1", text)
        assert rows(view)[2] == said
        assert (rows(view)[3] == "Import it with: annotator import documents FILE") == (
            text is None
        )


async def test_markup_is_text() -> None:
    text = "[red]x[/red] [@click=app.bell]y[/] [/] [/some/path]"
    async with Reading().run_test() as pilot:
        view = pilot.app.query_one(DocumentView)
        view.show(text, text, [text])
        await pilot.pause()
        assert [row for row in rows(view) if row] == [text] * 3
        assert not any(style.meta for style in styles(view, text))


async def test_nothing_that_a_terminal_obeys_is_ever_drawn() -> None:
    app = Reading()
    async with app.run_test(size=(30, 12)):

        @settings(max_examples=60, deadline=None)
        @given(st.text(st.characters()), st.text(st.characters()), st.none() | st.text())
        def drawn_is_visible(title: str, url: str, text: str | None) -> None:
            app.view.show(title, text, [url], re.compile("[a-z]"))
            app.view.find("0")
            for y in range(app.view.size.height):
                strip = app.view.render_line(y)
                assert strip.text == visible(strip.text)
                assert not set(strip.text) & set("\n\t")
                assert strip.cell_length == app.view.size.width

        drawn_is_visible()


async def test_terms_are_marked_without_colour_too() -> None:
    async with Reading().run_test() as pilot:
        view = pilot.app.query_one(DocumentView)
        view.show("wing", "the wing of a\twing tip", ["http://wing"], re.compile("wing"))
        found = styles(view, "wing")
        assert len(found) == 3
        assert all(style.bold and style.underline for style in found)
        assert rows(view)[3] == "the wing of a   wing tip"


async def test_find_goes_round_and_marks_the_current_match() -> None:
    async with Reading().run_test(size=(60, 10)) as pilot:
        view = pilot.app.query_one(DocumentView)
        view.show("t", NUMBERED.replace("line 150", "LINE 150 (a+b)"))
        assert view.find("(A+B)") == view.match_index == 1
        assert "LINE 150 (a+b)" in rows(view)
        assert view.find("line 1") == 111
        assert 11 < view.match_index < 62  # the next from where the reader is, before line 150
        view.show("t", NUMBERED)
        assert (view.match_count, view.match_index, view.scroll_offset.y) == (0, 0, 0)
        assert view.find("line 19") == 11
        assert view.match_index == 1
        assert "line 19" in rows(view)
        view.find_next()
        assert view.match_index == 2
        assert "line 190" in rows(view)
        (current, *others) = styles(view, "line 19")
        assert current.underline
        assert current.reverse
        assert others
        assert all(style.reverse and not style.underline for style in others)
        view.find_previous()
        view.find_previous()
        assert view.match_index == 11
        view.find_next()
        assert view.match_index == 1
        view.clear_find()
        assert not any(style.reverse for style in styles(view, "line 19"))
        assert view.find("") == view.find("no such") == view.match_index == 0
        view.find_next()


async def test_a_match_across_a_line_end_is_marked_on_both_lines() -> None:
    async with Reading().run_test(size=(20, 10)) as pilot:
        view = pilot.app.query_one(DocumentView)
        view.show("", "find this match that goes on")
        assert view.find("match that") == 1
        assert len(styles(view, "match")) == len(styles(view, "that")) == 1


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
        assert len(bindings) == 7
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


async def test_a_document_given_before_there_is_a_screen_is_shown() -> None:
    class Early(Reading):
        def compose(self) -> ComposeResult:
            view = DocumentView()
            view.show("Early", NUMBERED)
            yield view

    async with Early().run_test(size=(40, 10)) as pilot:
        await pilot.pause()
        assert rows(pilot.app.query_one(DocumentView))[0] == "Early"


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
