"""A table of any length with a cursor: only the rows that can be seen are drawn."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import ClassVar

from rich.cells import cell_len, set_cell_size
from rich.segment import Segment
from rich.style import Style
from textual.binding import Binding, BindingType
from textual.events import Click
from textual.geometry import Size
from textual.message import Message
from textual.reactive import reactive
from textual.scroll_view import ScrollView
from textual.strip import Strip

from annotator.sanitise import one_line

GAP = 2
LEAST = 8
CURSOR = ">"


class RowsView(ScrollView, can_focus=True, inherit_bindings=False):
    """Rows of cells under a heading; where the width is too small, some columns give way."""

    DEFAULT_CSS = """
    RowsView {
        overflow-x: hidden;
        overflow-y: auto;
        scrollbar-size-vertical: 1;
        & > .rows-view--heading { color: $text-muted; text-style: bold; }
        &:focus > .rows-view--cursor { background: $accent 20%; text-style: bold; }
    }
    """
    COMPONENT_CLASSES: ClassVar[set[str]] = {"rows-view--heading", "rows-view--cursor"}
    ALLOW_SELECT = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "choose", "Open", id="rows.open", tooltip="Open the row"),
        Binding("up", "go(-1)", "Up", show=False, id="rows.up", tooltip="One row up"),
        Binding("down", "go(1)", "Down", show=False, id="rows.down", tooltip="One row down"),
        Binding(
            "pageup", "page(-1)", "Page up", show=False, id="rows.page-up", tooltip="A page up"
        ),
        Binding(
            "pagedown,space",
            "page(1)",
            "Page down",
            show=False,
            id="rows.page-down",
            tooltip="A page down",
        ),
        Binding("home", "go(-1000000000)", "First", show=False, id="rows.first", tooltip="Top"),
        Binding("end", "go(1000000000)", "Last", show=False, id="rows.last", tooltip="Bottom"),
    ]

    cursor: reactive[int] = reactive(0)

    class Chosen(Message):
        """A row was opened."""

        def __init__(self, row: int) -> None:
            super().__init__()
            self.row = row

    class Moved(Message):
        """The cursor may be on another row, or another row under it."""

        def __init__(self, view: RowsView, row: int) -> None:
            super().__init__()
            self.row = row
            self.view = view

        @property
        def control(self) -> RowsView:
            """The table."""
            return self.view

    class HeadingClicked(Message):
        """A column's heading was clicked."""

        def __init__(self, column: int) -> None:
            super().__init__()
            self.column = column

    def __init__(self, *, id: str | None = None, choosable: bool = True) -> None:  # noqa: A002 -- Textual's own name
        super().__init__(id=id)
        self._choosable = choosable
        self._headings: list[str] = []
        self._rows: list[list[str]] = []
        self._widths: list[int] = []
        self._flexible: Sequence[int] = ()
        self._right: set[int] = set()

    def show(
        self,
        headings: Sequence[str],
        rows: Sequence[Sequence[str]],
        *,
        flexible: Sequence[int] = (0,),
        right: Sequence[int] = (),
        bars: Sequence[int] = (),
        cursor: int | None = None,
    ) -> None:
        """Replace the table.

        Parameters
        ----------
        headings, rows
            Cells as text; whatever is in them is made safe here.
        flexible
            The columns that are cut when the width is too small, the first to be cut first.
        right
            The columns whose cells stand to the right.
        bars
            The columns of the program's own making, in which every blank counts.
        cursor
            The row that the cursor goes to; None leaves it where it is.
        """
        self._headings = list(headings)
        self._rows = [
            [cell if at in bars else one_line(cell, 400) for at, cell in enumerate(row)]
            for row in rows
        ]
        self._flexible, self._right = flexible, set(right)
        self._widths = [
            max(map(cell_len, column)) for column in zip(self._headings, *self._rows, strict=True)
        ]
        self.virtual_size = Size(self.size.width, len(self._rows) + 1)
        self.refresh_bindings()
        at = self.cursor if cursor is None else cursor
        self.cursor = max(0, min(at, len(self._rows) - 1))
        self.watch_cursor()

    def render_line(self, y: int) -> Strip:
        """Draw one line: the heading stays on top."""
        width = self.scrollable_content_region.width
        if y == 0:
            style = self.get_component_rich_style("rows-view--heading")
            return self._strip(self._headings, width, style, mark=" ")
        row = y - 1 + self.scroll_offset.y
        if row >= len(self._rows):
            return Strip.blank(width, self.rich_style)
        if row == self.cursor and self._choosable:
            style = self.get_component_rich_style("rows-view--cursor")
            return self._strip(self._rows[row], width, style, mark=CURSOR)
        return self._strip(self._rows[row], width, self.rich_style, mark=" ")

    def _strip(self, cells: Sequence[str], width: int, style: Style, *, mark: str) -> Strip:
        if not cells:
            return Strip.blank(width, self.rich_style)
        parts = [
            _fit(cell, room, right=at in self._right)
            for at, (cell, room) in enumerate(zip(cells, self._rooms(width), strict=True))
        ]
        line = set_cell_size(mark + (" " * GAP).join(parts), width)
        return Strip([Segment(line, style)], width)

    def _rooms(self, width: int) -> list[int]:
        """How wide each column may be."""
        rooms = list(self._widths)
        over = sum(rooms) + GAP * (len(rooms) - 1) + 1 - width
        for column in self._flexible:
            give = max(0, min(over, rooms[column] - LEAST))
            rooms[column] -= give
            over -= give
        return rooms

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """A table that is empty, or only to be read, has nothing to open."""
        return self._choosable and bool(self._rows) if action == "choose" else True

    def watch_cursor(self) -> None:
        """Redraw, and keep the cursor's row on screen."""
        self._keep_in_view()
        self.refresh()
        if self._rows:
            self.post_message(self.Moved(self, self.cursor))

    def on_resize(self) -> None:
        """Keep the size of what can be scrolled true."""
        self.virtual_size = Size(self.size.width, len(self._rows) + 1)
        self._keep_in_view()

    def on_click(self, event: Click) -> None:
        """Go to a row; open it if it was there already. Tell of a click on a heading."""
        row = event.y - 1 + self.scroll_offset.y
        if event.y == 0 and self._headings:
            rooms = self._rooms(self.scrollable_content_region.width)
            ends = accumulate(room + GAP for room in rooms)
            if (
                column := next((at for at, end in enumerate(ends) if event.x <= end), None)
            ) is not None:
                self.post_message(self.HeadingClicked(column))
        elif self._choosable and row < len(self._rows):
            if row == self.cursor:
                self.action_choose()
            self.cursor = row

    def action_choose(self) -> None:
        """Open the row under the cursor."""
        if self._rows:
            self.post_message(self.Chosen(self.cursor))

    def action_go(self, by: int) -> None:
        """Move the cursor; in a table that is only to be read, what is seen of it."""
        if self._choosable:
            self.cursor = max(0, min(self.cursor + by, len(self._rows) - 1))
        else:
            self._scroll(self.scroll_offset.y + by)

    def action_page(self, by: int) -> None:
        """Move by what fits on the screen."""
        self.action_go(by * max(1, self.size.height - 2))

    def _keep_in_view(self) -> None:
        room = self.size.height - 1
        top = self.scroll_offset.y
        if self.cursor < top:
            self._scroll(self.cursor)
        elif 0 < room <= self.cursor - top:
            self._scroll(self.cursor - room + 1)

    def _scroll(self, top: int) -> None:
        # Forced, since a table that was just filled has no scroll bar yet.
        self.scroll_to(y=top, animate=False, immediate=True, force=True)


def _fit(cell: str, width: int, *, right: bool) -> str:
    if cell_len(cell) > width:
        return set_cell_size(cell, width - 1) + "…"
    pad = " " * (width - cell_len(cell))
    return pad + cell if right else cell + pad
