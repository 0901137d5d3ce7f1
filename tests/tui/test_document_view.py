"""A document of any content is shown as what it says, with what is looked for marked in it."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from textual.app import ComposeResult

from annotator.text.safe import visible
from annotator.tui.widgets.document_view import DocumentView
from tests.tui.document_view_app import NUMBERED, Reading, rows, styles


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


async def test_a_document_given_before_there_is_a_screen_is_shown() -> None:
    class Early(Reading):
        def compose(self) -> ComposeResult:
            view = DocumentView()
            view.show("Early", NUMBERED)
            yield view

    async with Early().run_test(size=(40, 10)) as pilot:
        await pilot.pause()
        assert rows(pilot.app.query_one(DocumentView))[0] == "Early"
