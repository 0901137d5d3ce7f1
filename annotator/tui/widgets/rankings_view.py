"""Rankings side by side: a column a system, a row a rank, a cursor on one place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

import numpy as np
import numpy.typing as npt
from rich.cells import cell_len, set_cell_size
from rich.segment import Segment
from rich.style import Style
from textual.binding import Binding, BindingType
from textual.events import Click
from textual.geometry import Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from annotator.domain import Int32Array
from annotator.text.safe import one_line
from annotator.tui.widgets.grade_bar import GRADE_CLASSES, grade_class

COLUMN = 16
"""Cells that a column has at least, if what stands in it needs so many."""
GAP = 2
RANK = 6
UNJUDGED = "?"
BEFORE, AFTER = "◂", "▸"


def _move(key: str, by: str, label: str, says: str) -> Binding:
    name = f"rankings.{label.lower().replace(' ', '-')}"
    return Binding(key, f"go({by})", label, show=False, id=name, tooltip=says)


class RankingsView(ScrollView, can_focus=True, inherit_bindings=False):
    """Each place with its grade, or ``?``; wherever the document of the cursor stands is marked."""

    DEFAULT_CSS = """
    RankingsView {
        overflow-x: hidden;
        overflow-y: auto;
        scrollbar-size-vertical: 1;
        & > .rankings-view--heading { color: $text-muted; text-style: bold; }
        & > .rankings-view--same { text-style: bold underline; }
        & > .rankings-view--unjudged { color: $text-accent; }
        & > .rankings-view--cursor { background: $panel; text-style: bold; }
        &:nocolor > .rankings-view--cursor { text-style: bold reverse; }
    }
    """
    COMPONENT_CLASSES: ClassVar[set[str]] = {
        *(f"rankings-view--{part}" for part in ("heading", "same", "unjudged", "cursor")),
        *GRADE_CLASSES,
    }
    ALLOW_SELECT = False
    BINDINGS: ClassVar[list[BindingType]] = [
        _move("up", "-1, 0", "Up", "One rank up"),
        _move("down", "1, 0", "Down", "One rank down"),
        _move("left", "0, -1", "Left", "The system before"),
        _move("right", "0, 1", "Right", "The next system"),
        _move("home", "-100000, 0", "First", "The first rank"),
        _move("end", "100000, 0", "Last", "The last rank"),
    ]

    class Moved(Message):
        """The cursor is on another place."""

    def __init__(self, top: int, *, id: str | None = None) -> None:  # noqa: A002 -- Textual's own name
        super().__init__(id=id)
        self._top = top
        self._systems: Sequence[str] = ()
        self._documents: Int32Array = np.empty((0, 0), np.int32)
        self._grades: npt.NDArray[np.int8] = np.empty((0, 0), np.int8)
        self._names: Mapping[int, str] = {}
        self._rank = self._system = self._first = 0
        self._column = COLUMN

    def show(
        self,
        systems: Sequence[str],
        documents: Int32Array,
        grades: npt.NDArray[np.int8],
        names: Mapping[int, str],
    ) -> None:
        """Replace the rankings, of shape (systems, ranks); the cursor stays in its place.

        Grades below 0 mean that nobody has judged the document.
        """
        self._systems, self._documents, self._grades = systems, documents, grades
        self._names = {number: one_line(name, 60) for number, name in names.items()}
        self._lay_out()

    @property
    def place(self) -> tuple[int, int]:
        """The system and the rank (from 0) of the cursor."""
        return self._system, self._rank

    @property
    def document(self) -> int:
        """The number of the document under the cursor, 0 if there is none."""
        return int(self._documents[self._system, self._rank]) if self._documents.size else 0

    @property
    def grade(self) -> int | None:
        """The grade of the document under the cursor, None if it has none."""
        grade = int(self._grades[self._system, self._rank]) if self._grades.size else -1
        return grade if grade >= 0 else None

    def action_go(self, ranks: int, systems: int) -> None:
        """Move the cursor."""
        if self._documents.size:
            count, depth = self._documents.shape
            self._rank = max(0, min(self._rank + ranks, depth - 1))
            self._system = max(0, min(self._system + systems, count - 1))
            self._keep_in_view()
            self.post_message(self.Moved())

    def on_click(self, event: Click) -> None:
        """Go to the place that is clicked."""
        at = event.get_content_offset(self)
        if at is not None and at.y > 0 and at.x >= RANK:
            rank = at.y - 1 + self.scroll_offset.y
            system = self._first + (at.x - RANK) // self._column
            self.action_go(rank - self._rank, system - self._system)

    def on_resize(self) -> None:
        """Keep the cursor on screen."""
        self._lay_out()

    def _lay_out(self) -> None:
        """Make the columns as wide as they need to be, if there is room for it."""
        self.virtual_size = Size(self.size.width, self._documents.shape[1] + 1)
        shown = [one_line(name, 60) for name in self._systems]
        shown += [f"{UNJUDGED} {name}" for name in self._names.values()]
        share = (self.size.width - RANK) // max(1, len(self._systems))
        needed = max(map(cell_len, shown), default=COLUMN) + GAP
        self._column = min(needed, max(COLUMN, share))
        self._keep_in_view()

    def render_line(self, y: int) -> Strip:
        """Draw one rank; the systems' names stay on top."""
        last = min(self._first + self._fits, len(self._systems))
        if y == 0:
            style = self.get_component_rich_style("rankings-view--heading")
            names = [self._fit(one_line(self._systems[at], 60)) for at in range(self._first, last)]
            before = BEFORE if self._first else ""
            after = AFTER if last < len(self._systems) else ""
            line = f"{before:1}rank ".ljust(RANK) + "".join(names)
            return self._strip([Segment(line.rstrip() + f" {after}", style)])
        rank = y - 1 + self.scroll_offset.y
        if rank >= self._documents.shape[1]:
            return self._strip([])
        cells = (self._cell(at, rank) for at in range(self._first, last))
        start = Segment(f"{rank + 1}  ".rjust(RANK), self.rich_style)
        return self._strip([start, *(part for cell in cells for part in cell)])

    def _cell(self, system: int, rank: int) -> list[Segment]:
        """One place: its grade in the grade's colour, the document's id."""
        document, grade = int(self._documents[system, rank]), int(self._grades[system, rank])
        if not document:
            return [Segment(" " * self._column, self.rich_style)]
        mark = str(grade) if grade >= 0 else UNJUDGED
        shown = self._fit(f"{mark} {self._names.get(document, '')}")
        looks = [
            ("same", document == self.document),
            ("cursor", (system, rank) == self.place),
        ]
        style: Style = self.rich_style
        for look, holds in looks:
            if holds:
                style += self.get_component_rich_style(f"rankings-view--{look}", partial=True)
        look = grade_class(grade, self._top) if grade >= 0 else "rankings-view--unjudged"
        tint = Style(color=self.get_component_rich_style(look).color, bold=True)
        return [Segment(shown[: len(mark)], style + tint), Segment(shown[len(mark) :], style)]

    def _fit(self, cell: str) -> str:
        if cell_len(cell) > self._column - GAP:
            return set_cell_size(cell, self._column - GAP - 1) + "…" + " " * GAP
        return set_cell_size(cell, self._column)

    def _strip(self, segments: list[Segment]) -> Strip:
        return Strip(segments).adjust_cell_length(self.size.width, self.rich_style)

    @property
    def _fits(self) -> int:
        return max(1, (self.size.width - RANK) // self._column)

    def _keep_in_view(self) -> None:
        last = max(0, len(self._systems) - self._fits)
        self._first = max(self._system - self._fits + 1, min(self._first, self._system, last))
        top, room = self.scroll_offset.y, max(1, self.size.height - 1)
        if not top <= self._rank < top + room:
            at = self._rank if self._rank < top else self._rank - room + 1
            self.scroll_to(y=at, animate=False, immediate=True, force=True)
        self.refresh()
