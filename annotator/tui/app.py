"""The app: which screen is shown, and the scoreboard that all of them share."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import PurePath
from typing import Any, ClassVar

from textual.app import App
from textual.binding import Binding, BindingType
from textual.message import Message

from annotator.errors import AnnotatorError
from annotator.sanitise import one_line
from annotator.scoring.board import Board
from annotator.scoring.table import Method
from annotator.tui.guard import MIN_GAP, Guard
from annotator.tui.screens.grade import GradeScreen
from annotator.tui.screens.help import HelpScreen
from annotator.tui.screens.queries import QueriesScreen
from annotator.tui.screens.rubric import RubricScreen
from annotator.tui.screens.scores import ScoresScreen
from annotator.tui.workplace import Workplace


class BoardRead(Message):
    """The scoreboard has been read, or could not be."""

    def __init__(self, live: tuple[Board, Method] | None, fault: str = "") -> None:
        super().__init__()
        self.live = live
        self.fault = fault


class AnnotatorApp(App[None]):
    """Grading in the terminal."""

    CSS_PATH: ClassVar[list[str | PurePath]] = [
        "app.tcss",
        "screens/grade.tcss",
        "screens/lists.tcss",
    ]
    TITLE = "annotator"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "ctrl+q",
            "quit",
            "Quit",
            show=False,
            priority=True,
            id="app.quit",
            tooltip="Quit; all is saved",
        )
    ]

    def __init__(self, workplace: Workplace, *, min_gap: float = MIN_GAP) -> None:
        super().__init__()
        self.animation_level = "none"
        self.failure: BaseException | None = None
        self._work = workplace
        self._live: tuple[Board, Method] | None = None
        self._desk = GradeScreen(workplace, Guard(min_gap))

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """One colour a grade, from nothing to much; a theme may set others."""
        return {
            "grade-0": "#8a8f98",
            "grade-1": "#c9a227",
            "grade-2": "#4fa3d1",
            "grade-3": "#5cb870",
        }

    def _fatal_error(self) -> None:
        """Leave without printing a document's text; :func:`run_app` passes the failure on."""
        self.failure = sys.exc_info()[1]
        self._close_messages_no_wait()

    async def run_action(self, *action: Any, **where: Any) -> bool:
        """Do what a key stands for; a file that cannot be read just now is told of, not fatal."""
        try:
            return await super().run_action(*action, **where)
        except AnnotatorError as error:
            self._tell(error.message)
            return True

    def _tell(self, message: str) -> None:
        self.notify(one_line(message), severity="error", markup=False)

    def get_default_screen(self) -> GradeScreen:
        """Begin at the desk."""
        return self._desk

    def on_mount(self) -> None:
        """Read the scoreboard in the background; grading does not wait for it."""
        self._read_board()

    def _read_board(self) -> None:
        self._live = None
        self.run_worker(self._load_board, thread=True, group="board", exit_on_error=False)

    def _load_board(self) -> None:
        try:
            self.post_message(BoardRead(self._work.load_board()))
        except AnnotatorError as error:
            self.post_message(BoardRead(None, error.message))
        except Exception as error:  # grading can go on without a scoreboard
            fault = f"a fault of the program ({type(error).__name__}): there are no scores"
            self.post_message(BoardRead(None, fault))

    def on_board_read(self, message: BoardRead) -> None:
        """Take the scoreboard in, and show it where it is waited for."""
        if message.live is None:
            self._tell(message.fault)
            return
        self._live = message.live
        live = self._current_board()
        if isinstance(self.screen, ScoresScreen):
            self.screen.show(live)
        elif isinstance(self.screen, QueriesScreen):
            self.screen.show(live[0] if live else None)

    def _current_board(self) -> tuple[Board, Method] | None:
        """The scoreboard with every label given since; None while it has to be read again."""
        if self._live is None:
            return None
        changed = self._work.session.changed()
        if changed is None:
            self._read_board()
            return None
        board, method = self._live
        for card in changed:
            board.relabel(card.query, card.document, card.grade)
        if any(card.grade is not None for card in changed):
            everyone = dict.fromkeys((*method.assessors, self._work.assessor))
            self._live = board, replace(method, assessors=tuple(everyone))
        return self._live

    def action_queries(self) -> None:
        """Show the progress of every query; go to the one that is opened."""
        live = self._current_board()
        self.push_screen(QueriesScreen(self._work, live[0] if live else None), self._go_to)

    def _go_to(self, index: int | None) -> None:
        if index is not None:
            self._work.session.open_query(index)
            self._desk.show_card()

    def action_scores(self) -> None:
        """Show the scoreboard; go to the query that is opened."""
        self.push_screen(ScoresScreen(self._work, self._current_board()), self._go_to_id)

    def _go_to_id(self, qid: str | None) -> None:
        ids = [one.qid for one in self._work.session.progress]
        if qid in ids:
            self._go_to(ids.index(qid))
        elif qid is not None:
            self.notify("nothing of that query is in the pool", markup=False)

    def action_rubric(self) -> None:
        """Show what each grade means."""
        self.push_screen(RubricScreen(self._work.rubric))

    def action_help(self) -> None:
        """Show the keys of this screen."""
        rows: dict[str, list[str]] = {}
        for active in self.screen.active_bindings.values():
            binding = active.binding
            if binding.id is None:
                continue
            key = self.get_key_display(binding)
            row = rows.setdefault(binding.id, [key, binding.tooltip, binding.id])
            if row[0] != key:
                row[0] += f" {key}"
        self.push_screen(HelpScreen(list(rows.values())))


def run_app(workplace: Workplace) -> None:
    """Run the app until the person leaves it; what made it fail, if anything, is raised."""
    app = AnnotatorApp(workplace)
    app.run()
    if app.failure is not None:
        raise app.failure
