"""Where which keys work together."""

from __future__ import annotations

from collections.abc import Sequence

from textual.binding import BindingType

from annotator.tui.keymap import Context
from annotator.tui.screens.ask import Ask
from annotator.tui.screens.compare import CompareScreen
from annotator.tui.screens.document import DocumentScreen
from annotator.tui.screens.grade import GradeScreen
from annotator.tui.screens.help import HelpScreen
from annotator.tui.screens.history import HistoryScreen
from annotator.tui.screens.order import FindingOrder
from annotator.tui.screens.queries import QueriesScreen
from annotator.tui.screens.rankings import RankingsScreen
from annotator.tui.screens.rubric import RubricScreen
from annotator.tui.screens.scores import ScoresScreen
from annotator.tui.screens.waiting import Waiting
from annotator.tui.screens.whole import WholeScreen
from annotator.tui.widgets.document_view import DocumentView
from annotator.tui.widgets.rankings_view import RankingsView
from annotator.tui.widgets.rows_view import RowsView


def contexts(everywhere: Sequence[BindingType]) -> list[Context]:
    """Every screen with the bindings that work on it."""
    return [
        ("grading", [*GradeScreen.BINDINGS, *DocumentView.BINDINGS, *everywhere]),
        ("queries", [*QueriesScreen.BINDINGS, *RowsView.BINDINGS, *everywhere]),
        ("history", [*HistoryScreen.BINDINGS, *RowsView.BINDINGS, *everywhere]),
        ("scores", [*ScoresScreen.BINDINGS, *RowsView.BINDINGS, *everywhere]),
        (
            "rankings",
            [
                *RankingsScreen.BINDINGS,
                *DocumentScreen.BINDINGS,
                *RankingsView.BINDINGS,
                *everywhere,
            ],
        ),
        ("comparison", [*CompareScreen.BINDINGS, *RowsView.BINDINGS, *everywhere]),
        ("a whole text", [*WholeScreen.BINDINGS, *everywhere]),
        ("rubric", [*RubricScreen.BINDINGS, *everywhere]),
        ("help", [*HelpScreen.BINDINGS, *RowsView.BINDINGS, *everywhere]),
        ("finding the order", [*FindingOrder.BINDINGS, *everywhere]),
        ("waiting", [*Waiting.BINDINGS, *everywhere]),
        ("a question", [*Ask.BINDINGS, *everywhere]),
    ]
