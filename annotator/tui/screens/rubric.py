"""What each grade means."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from annotator.text.safe import document_text, one_line
from annotator.tui.screens.base import BaseScreen
from annotator.tui.widgets.grade_bar import grade_class
from annotator.tui.widgets.key_line import KeyLine
from rubric import Level, Rubric

CHANGED = (
    "Another program has put this rubric in force. What you said last was not saved: look at it "
    "again under these words. What you said before stays as it was said, under the words of then."
)


class RubricScreen(BaseScreen[None]):
    """The rubric that is graded by."""

    AUTO_FOCUS = "VerticalScroll"
    CONTEXT = "rubric"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,r", "leave", "Back", id="screen.leave", tooltip="Back to the document"),
        Binding("question_mark", "app.help", "Help", id="app.help", tooltip="All keys"),
    ]

    def __init__(self, rubric: Rubric, *, is_new: bool = False) -> None:
        super().__init__()
        self._rubric = rubric
        self._is_new = is_new

    def compose(self) -> ComposeResult:
        """Instructions, then one text a grade."""
        rubric = self._rubric
        yield Static(
            f" Rubric · {one_line(rubric.name)} version {rubric.version} · gain {rubric.gain} · "
            f"relevant from grade {rubric.threshold} · {rubric.fingerprint[:14]}",
            id="heading",
            markup=False,
        )
        with VerticalScroll():
            if self._is_new:
                yield Static(CHANGED, classes="changed", markup=False)
            yield Static(Content(document_text(rubric.instructions)), classes="instructions")
            for level in rubric.levels:
                yield Static(_level(level), classes=f"level {grade_class(level.grade, rubric.top)}")
        yield KeyLine()

    def action_leave(self) -> None:
        """Back to the document."""
        self.dismiss(None)


def _level(level: Level) -> Content:
    parts: list[Content | str | tuple[str, str]] = [
        (f" {level.grade} ", "bold reverse"),
        (f" {one_line(level.label)}\n", "bold"),
        (document_text(level.definition), "$foreground"),
    ]
    parts += [("\n  e.g. " + document_text(one), "$foreground-muted") for one in level.examples]
    return Content.assemble(*parts)
