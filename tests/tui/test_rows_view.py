"""A table of any rows at any width: drawn whole, moved through, opened."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len
from textual.app import App, ComposeResult

from annotator.tui.widgets.rows_view import RowsView

NUMBERED = [[f"q{number}", f"the text of query {number}"] for number in range(100)]
HEADINGS = ["query", "text"]


class Table(App[None]):
    def __init__(self) -> None:
        super().__init__()
        self.animation_level = "none"
        self.view = RowsView()
        self.opened: list[int] = []

    def compose(self) -> ComposeResult:
        yield self.view

    def on_mount(self) -> None:
        self.view.focus()

    def on_rows_view_chosen(self, message: RowsView.Chosen) -> None:
        self.opened.append(message.row)

    @property
    def lines(self) -> list[str]:
        return [self.view.render_line(y).text.rstrip() for y in range(self.view.size.height)]


async def test_the_heading_stays_and_the_cursor_stays_in_view() -> None:
    table = Table()
    async with table.run_test(size=(40, 11)) as pilot:
        table.view.show(HEADINGS, NUMBERED)
        assert table.lines[1].startswith(">q0 ")
        for key, row in [("end", 99), ("up", 98), ("pageup", 89), ("home", 0), ("pagedown", 9)]:
            await pilot.press(key)
            assert table.view.cursor == row
            assert table.lines[0].startswith(" query")
            assert sum(line.startswith(f">q{row} ") for line in table.lines) == 1


async def test_the_cursor_stops_at_both_ends() -> None:
    table = Table()
    async with table.run_test(size=(40, 11)) as pilot:
        table.view.show(HEADINGS, NUMBERED[:2])
        await pilot.press("up")
        assert table.view.cursor == 0
        await pilot.press("down", "down", "down")
        assert table.view.cursor == 1


async def test_a_table_opens_with_the_row_in_view_and_no_empty_room() -> None:
    class Late(Table):
        def on_mount(self) -> None:
            self.view.show(HEADINGS, NUMBERED, cursor=5)

    table = Late()
    async with table.run_test(size=(40, 11)) as pilot:
        await pilot.pause()
        assert table.lines[1].startswith(" q0 ")
        assert table.lines[6].startswith(">q5 ")


async def test_enter_and_a_second_click_open_a_row() -> None:
    table = Table()
    async with table.run_test(size=(40, 11)) as pilot:
        table.view.show(HEADINGS, NUMBERED)
        await pilot.press("down", "enter")
        assert table.opened == [1]
        await pilot.click(RowsView, offset=(3, 5))
        assert (table.view.cursor, table.opened) == (4, [1])
        await pilot.click(RowsView, offset=(3, 5))
        assert table.opened == [1, 4]
        await pilot.click(RowsView, offset=(3, 0))
        assert table.opened == [1, 4]


async def test_where_there_is_no_room_the_flexible_column_gives_way() -> None:
    table = Table()
    async with table.run_test(size=(30, 5)):
        row = ["id", "a text that is far too long for this", "12", "345"]
        table.view.show(["query", "text", "a", "b"], [row], flexible=(1,), right=(2,))
        assert table.lines[1] == ">id     a text that …  12  345"


cells = st.text(st.sampled_from("a \t\n[]/💥é漢\x1b\x9b\u202e\u200b\ud800"), max_size=30)
tables = st.integers(1, 5).flatmap(
    lambda columns: st.lists(
        st.lists(cells, min_size=columns, max_size=columns), min_size=1, max_size=4
    )
)


@pytest.mark.parametrize("width", [3, 20, 80])
async def test_every_line_is_as_wide_as_the_screen_and_holds_no_control(width: int) -> None:
    table = Table()
    async with table.run_test(size=(width, 5)):

        @given(tables)
        @settings(max_examples=40, deadline=None)
        def check(rows: list[list[str]]) -> None:
            table.view.show(["h"] * len(rows[0]), rows, right=(1,))
            for y in range(5):
                line = table.view.render_line(y).text
                assert cell_len(line) == table.view.scrollable_content_region.width
                assert not set(line) & set("\t\n\x1b\x9b\u202e\u200b\ud800")

        check()
