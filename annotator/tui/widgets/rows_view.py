"""A table of any length with a cursor: only the rows that can be seen are drawn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual.binding import Binding, BindingType
from textual.events import Click
from textual.geometry import Size
from textual.message import Message
from textual.reactive import reactive
from textual.scroll_view import ScrollView
from textual.strip import Strip

from annotator.text.safe import one_line
from annotator.tui.widgets.columns import GAP, Columns
from annotator.tui.widgets.grade_bar import GRADE_CLASSES

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
    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "rows-view--heading",
        "rows-view--cursor",
        *GRADE_CLASSES,
    }
    ALLOW_SELECT = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "choose", "Open", id="rows.open", tooltip="Open the row"),
        Binding("up,k", "go(-1)", "Up", show=False, id="rows.up", tooltip="One row up"),
        Binding("down,j", "go(1)", "Down", show=False, id="rows.down", tooltip="One row down"),
        Binding(
            "pageup,ctrl+u",
            "page(-1)",
            "Page up",
            show=False,
            id="rows.page-up",
            tooltip="A page up",
        ),
        Binding(
            "pagedown,space,ctrl+d",
            "page(1)",
            "Page down",
            show=False,
            id="rows.page-down",
            tooltip="A page down",
        ),
        Binding("home,g", "go(-1000000000)", "First", show=False, id="rows.first", tooltip="Top"),
        Binding("end,G", "go(1000000000)", "Last", show=False, id="rows.last", tooltip="Bottom"),
    ]

    cursor: reactive[int] = reactive(0)

    class AtRow(Message):
        """Something of one row."""

        def __init__(self, view: RowsView) -> None:
            super().__init__()
            self.view, self.row, self._rows = view, view.cursor, view._rows

        @property
        def control(self) -> RowsView:
            """The table."""
            return self.view

        @property
        def is_stale(self) -> bool:
            """Whether other rows are shown by now: keys go on while this waits to be heard."""
            return self.view._rows is not self._rows

    class Chosen(AtRow):
        """A row was opened."""

    class Moved(AtRow):
        """The cursor may be on another row, or another row under it."""

    class HeadingClicked(Message):
        """A column's heading was clicked."""

        def __init__(self, column: int) -> None:
            super().__init__()
            self.column = column

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 -- Textual's own name
        super().__init__(id=id)
        self._headings: list[str] = []
        self._rows: list[list[str]] = []
        self._columns = Columns()
        self._looks: Sequence[str] = ()

    def show(
        self,
        headings: Sequence[str],
        rows: Sequence[Sequence[str]],
        *,
        flexible: Sequence[int] = (0,),
        right: Sequence[int] = (),
        bars: Sequence[int] = (),
        looks: Sequence[str] = (),
        cursor: int | None = None,
    ) -> None:
        """Replace the table.

        Parameters
        ----------
        headings, rows
            Cells as text; whatever is in them is made safe here.
        flexible, right
            As of :class:`Columns`.
        bars
            The columns of the program's own making, in which every blank counts.
        looks
            What the first cell of each row looks like: the class of a grade, or nothing.
        cursor
            The row that the cursor goes to; None leaves it where it is.
        """
        self._headings = list(headings)
        self._rows = [
            [cell if at in bars else one_line(cell, 400) for at, cell in enumerate(row)]
            for row in rows
        ]
        self._columns = Columns(self._headings, self._rows, flexible=flexible, right=right)
        self._looks = looks
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
        look = self._looks[row] if self._looks else ""
        if row == self.cursor:
            style = self.get_component_rich_style("rows-view--cursor")
            return self._strip(self._rows[row], width, style, mark=CURSOR, look=look)
        return self._strip(self._rows[row], width, self.rich_style, mark=" ", look=look)

    def _strip(
        self, cells: Sequence[str], width: int, style: Style, *, mark: str, look: str = ""
    ) -> Strip:
        if not cells:
            return Strip.blank(width, self.rich_style)
        first, *others = self._columns.fitted(cells, width)
        tint = Style(color=self.get_component_rich_style(look).color, bold=True) if look else style
        rest = "".join(" " * GAP + cell for cell in others)
        segments = [Segment(mark, style), Segment(first, style + tint), Segment(rest, style)]
        return Strip(segments).adjust_cell_length(width, style)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """A table that is empty has nothing to open."""
        return bool(self._rows) if action == "choose" else True

    def watch_cursor(self) -> None:
        """Redraw, and keep the cursor's row on screen."""
        self._keep_in_view()
        self.refresh()
        if self._rows:
            self.post_message(self.Moved(self))

    def on_resize(self) -> None:
        """Keep the size of what can be scrolled true."""
        self.virtual_size = Size(self.size.width, len(self._rows) + 1)
        self._keep_in_view()

    def on_click(self, event: Click) -> None:
        """Go to a row; open it if it was there already. Tell of a click on a heading."""
        row = event.y - 1 + self.scroll_offset.y
        if event.y == 0 and self._headings:
            column = self._columns.column_at(event.x, self.scrollable_content_region.width)
            if column is not None:
                self.post_message(self.HeadingClicked(column))
        elif row < len(self._rows):
            if row == self.cursor:
                self.action_choose()
            self.cursor = row

    def action_choose(self) -> None:
        """Open the row under the cursor."""
        if self._rows:
            self.post_message(self.Chosen(self))

    def action_go(self, by: int) -> None:
        """Move the cursor."""
        self.cursor = max(0, min(self.cursor + by, len(self._rows) - 1))

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
