"""The rubric's grades as one line: key, label, colour; each can be clicked."""

from __future__ import annotations

from rich.cells import cell_len
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content
from textual.events import Click
from textual.message import Message
from textual.widgets import Static

from annotator.text.safe import one_line
from annotator.tui.keymap import key_of
from rubric import Level, Rubric

COLOURS = 4
GRADE_CLASSES = tuple(f"grade-{colour}" for colour in range(COLOURS))


def grade_class(grade: int, top: int) -> str:
    """The style class of a grade: four colours, whatever the number of grades."""
    return GRADE_CLASSES[round(grade * (COLOURS - 1) / top)]


class GradeKey(Static):
    """One grade to be chosen."""

    ALLOW_SELECT = False

    def __init__(self, level: Level, top: int) -> None:
        super().__init__(markup=False, classes=grade_class(level.grade, top))
        self.grade = level.grade
        self._label = f" {one_line(level.label, 24)} "
        self.tooltip = Content(one_line(level.definition, 200))

    @property
    def full_width(self) -> int:
        """Cells needed with the label."""
        return cell_len(self._label) + cell_len(self._key()) + 4

    def draw(self, *, with_label: bool) -> None:
        """Show key and label; without a label the key, and the grade if that is another."""
        shown = self._key()
        if not with_label and shown != str(self.grade):
            shown = f"{shown} = {self.grade}"
        self.update(Content.assemble((f" {shown} ", "bold reverse"), self._label * with_label))

    def _key(self) -> str:
        """The key for the grade."""
        return key_of(self.screen, f"grade.{self.grade}", str(self.grade))

    def on_click(self, event: Click) -> None:
        """Choose this grade."""
        event.stop()
        self.post_message(GradeBar.Chosen(self.grade))


class GradeBar(Horizontal):
    """All grades of a rubric."""

    class Chosen(Message):
        """A grade was clicked."""

        def __init__(self, grade: int) -> None:
            super().__init__()
            self.grade = grade

    def __init__(self, rubric: Rubric) -> None:
        super().__init__()
        self._rubric = rubric
        self._given: int | None = None

    def show_rubric(self, rubric: Rubric) -> None:
        """Offer the grades of another rubric."""
        self._rubric = rubric
        self.refresh(recompose=True)
        self.call_after_refresh(self._draw)

    def compose(self) -> ComposeResult:
        """Lay out one key a grade."""
        for level in self._rubric.levels:
            yield GradeKey(level, self._rubric.top)

    def on_resize(self) -> None:
        """Leave the labels out where they do not all fit."""
        self._draw()

    def _draw(self) -> None:
        self.mark(self._given)
        keys = self.query(GradeKey)
        fits = sum(key.full_width for key in keys) <= self.size.width
        for key in keys:
            key.draw(with_label=fits)

    def mark(self, grade: int | None) -> None:
        """Show which grade the document on the desk has."""
        self._given = grade
        for key in self.query(GradeKey):
            key.set_class(key.grade == grade, "-given")
