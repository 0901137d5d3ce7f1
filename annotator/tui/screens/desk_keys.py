"""The keys of the desk."""

from __future__ import annotations

from textual.binding import Binding, BindingType

from annotator.tui.screens import document
from rubric.scale import TOP_GRADE


def _grade_binding(grade: int) -> Binding:
    return Binding(
        str(grade),
        f"grade({grade})",
        f"Grade {grade}",
        show=False,
        id=f"grade.{grade}",
        tooltip=f"Grade {grade}, save, and go on",
    )


GRADES: list[BindingType] = [_grade_binding(grade) for grade in range(TOP_GRADE + 1)]
DESK: list[BindingType] = [
    *GRADES,
    Binding("s", "later", "Skip", id="grade.later", tooltip="Skip for now; comes back at the end"),
    Binding("x", "cannot", "Can't", id="grade.cannot", tooltip="Mark as not judgeable; asks why"),
    *document.BINDINGS,
    Binding("n", "note", "Note", id="grade.note", tooltip="Write a note on this document"),
    Binding("u", "undo", "Undo", id="grade.undo",
            tooltip="Undo the last jump, grade, note or skip"),
    Binding("left", "back", "Back", show=False, id="grade.back", tooltip="The document before"),
    Binding("right", "forward", "Forward", show=False, id="grade.forward",
            tooltip="The next document"),
    document.START,
    document.NEED,
    document.ABOUT,
    Binding("m", "mark", "Evidence", show=False, id="evidence.mark",
            tooltip="Mark the lines that are the reason"),
    Binding("escape", "drop_evidence", "Forget evidence", show=False, id="evidence.drop",
            tooltip="Forget the lines marked"),
    Binding("J", "next_query(1)", "Next query", show=False, id="grade.next-query",
            tooltip="The next query with something to judge"),
    Binding("K", "next_query(-1)", "Previous query", show=False, id="grade.previous-query",
            tooltip="The query before with something to judge"),
    Binding("o", "only_open", "Only open", show=False, id="grade.only-open",
            tooltip="Browse all documents, or only unjudged ones"),
    Binding("d", "toggle_need", "Need", show=False, id="grade.need",
            tooltip="Show or hide description and narrative"),
    Binding("t", "toggle_styled", "Markdown", show=False, id="document.markdown",
            tooltip="Toggle Markdown formatting"),
    Binding("M", "models", "Models", show=False, id="grade.models",
            tooltip="What models said of a graded document"),
    Binding("q", "app.queries", "Queries", id="app.queries", tooltip="Progress of every query"),
    Binding("b", "app.scores", "Scores", id="app.scores", tooltip="The scoreboard"),
    Binding("v", "app.verdict", "Verdict", show=False, id="app.verdict",
            tooltip="The verdict so far, and how far it is to one"),
    Binding("h", "app.history", "History", show=False, id="app.history",
            tooltip="Your last judgments, to reopen any"),
    Binding("r", "app.rubric", "Rubric", id="app.rubric", tooltip="What each grade means"),
    Binding("question_mark", "app.help", "Help", id="app.help", tooltip="All keys"),
]  # fmt: skip
