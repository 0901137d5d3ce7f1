"""The app: which screen is shown, and the scoreboard that all of them share."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

from textual.binding import Binding, BindingType
from textual.events import Event, InputEvent, Key, Resize
from textual.filter import NoColor
from textual.widgets import Input

from annotator.domain import Past
from annotator.errors import AnnotatorError
from annotator.settings import Settings
from annotator.text.safe import one_line
from annotator.tui.base_app import BaseApp
from annotator.tui.breaks import Breaks
from annotator.tui.guard import MIN_GAP, Guard
from annotator.tui.keyboard_layouts import latin_key
from annotator.tui.palette import ScreenCommands, do_by_id
from annotator.tui.retry import read_when_free
from annotator.tui.scoreboard import BoardRead, LiveBoard
from annotator.tui.screens.base import BaseScreen
from annotator.tui.screens.grade import GradeScreen
from annotator.tui.screens.judging import JudgingScreen, RubricChanged
from annotator.tui.screens.too_small import TooSmall
from annotator.tui.signals import leave_on_signals, leave_without_terminal
from annotator.tui.suspension import Suspension
from annotator.tui.workplace import Workplace

if TYPE_CHECKING:  # not needed to open the app
    from annotator.tui.screens.verdict import StandingRead

LOOKS = 2.0
"""Seconds between two looks whether the terminal is still there."""


class AnnotatorApp(BaseApp):
    """Grading in the terminal."""

    TITLE = "annotator"
    COMMANDS = BaseApp.COMMANDS | {ScreenCommands}
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+q", "quit", "Quit", key_display="^q", priority=True, id="app.quit",
                tooltip="Quit; all is saved"),
        Binding("ctrl+p", "command_palette", "Commands", show=False, priority=True,
                id="app.commands", tooltip="Find what can be done here by words"),
        Binding("ctrl+z", "suspend_process", "Suspend", show=False, priority=True,
                id="app.suspend", tooltip="Suspend; type fg to return"),
        Binding("ctrl+l", "redraw", "Redraw", show=False, priority=True, id="app.redraw",
                tooltip="Draw the whole screen again"),
    ]  # fmt: skip

    def __init__(
        self, workplace: Workplace, settings: Settings | None = None, *, min_gap: float = MIN_GAP
    ) -> None:
        settings = settings or Settings()
        super().__init__(settings)
        if self.no_color:  # for Textual that still leaves greys
            self._filters = [NoColor()]
        self.failure: BaseException | None = None
        self.stopped_by, self._min_gap = 0, min_gap
        self._suspension: Suspension | None = None
        self._work = workplace
        self._live = LiveBoard(workplace, self._read_board)
        guard, breaks = Guard(min_gap), Breaks(settings.break_minutes)
        self._desk = GradeScreen(workplace, guard, breaks, self._live)
        if settings.keys:
            from annotator.tui.contexts import contexts
            from annotator.tui.keymap import keymap

            self.set_keymap(keymap(settings, contexts(self.BINDINGS)))

    def _fatal_error(self) -> None:
        """Leave without printing a document's text; :func:`run_app` passes the failure on."""
        self.failure = sys.exc_info()[1]
        self._close_messages_no_wait()

    def on_key(self, event: Key) -> None:
        """Before a key is acted on, tell when it was pressed."""
        for screen in self.screen_stack[-1:]:  # none as the app is left
            if isinstance(screen, JudgingScreen):
                screen.key_pressed(event.time)

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
        """See to it that the app can be ended from outside."""
        leave_on_signals(self._leave)
        if self._driver is not None and self._driver.can_suspend:
            self._suspension = Suspension(self._driver, self._hide, self._repaint)
            self._suspension.begin()
        if not self.is_headless:
            self.set_interval(LOOKS, partial(leave_without_terminal, self._leave))
        if self._work.find_order is not None:
            from annotator.tui.screens.order import FindingOrder

            pairs = self._work.session.totals.pooled
            self.push_screen(FindingOrder(self._work.find_order, pairs), self._begin)

    def _begin(self, found: Callable[[], None] | BaseException | None) -> None:
        """Show the first document, now that it is found."""
        if callable(found):
            found()
            document = self._desk.query_one("#document")
            document.display = True
            self._desk.set_focus(document)
            read_when_free(self, self._desk.show_card)
        else:
            self.failure = found
            self.exit()

    def _hide(self) -> None:
        """Take it that nobody sees what was drawn."""
        for screen in self.screen_stack:
            if isinstance(screen, JudgingScreen):
                screen.hide()

    def _repaint(self) -> None:
        """Draw all that is on the screen; what can be graded counts once that is done."""
        for screen in self.screen_stack:
            if isinstance(screen, JudgingScreen):
                screen.draw_again()
        self.refresh()

    def action_redraw(self) -> None:
        """Set the terminal as it has to be, and draw the whole screen."""
        if self._suspension is not None:
            self._suspension.take_anew()
        else:
            self._hide()
            self._repaint()

    def _leave(self, signal: int) -> None:
        self.stopped_by = signal
        self.exit()

    async def on_event(self, event: Event) -> None:
        """Whatever a person does goes before the work in other threads."""
        if isinstance(event, InputEvent):
            self._work.idle.disturb()
        await super().on_event(self._meant(event) if isinstance(event, Key) else event)

    def _meant(self, event: Key) -> Key:
        """The key that stands at the place of one that does nothing here and is not typed."""
        other = latin_key(event)
        if other is None or isinstance(self.focused, Input):
            return event
        return event if event.key in self.screen.active_bindings else other

    def on_resize(self, event: Resize) -> None:
        """Cover everything while the terminal is too small for it."""
        needed, covered = TooSmall.is_needed(event.size), isinstance(self.screen, TooSmall)
        if needed and not covered:
            self.push_screen(TooSmall())
        elif covered and not needed:
            self.pop_screen()

    def _read_board(self) -> None:
        self.run_worker(self._load_board, thread=True, group="board", exit_on_error=False)

    def _load_board(self) -> None:
        live, fault = self._live.load()
        from annotator.tui.screens import rankings, scores  # noqa: F401 -- here this holds up no key

        self.post_message(BoardRead(live, fault))

    def on_board_read(self, message: BoardRead) -> None:
        """Take the scoreboard in, and show it where it is waited for."""
        if message.live is None:
            self._tell(message.fault)
            return
        self._live.take(message.live)
        read_when_free(self, self._show_board)

    def _show_board(self) -> None:
        live = self._live.current()
        for screen in self.screen_stack:
            if isinstance(screen, BaseScreen):
                screen.board_read(live)

    def action_queries(self) -> None:
        """Show the progress of every query; go to the one that is opened."""
        from annotator.tui.screens.queries import QueriesScreen

        self.push_screen(QueriesScreen(self._work), self._go_to)

    def _go_to(self, index: int | None) -> None:
        if index is not None:
            read_when_free(self, partial(self._open_query, index))

    def _open_query(self, index: int) -> None:
        self._work.session.open_query(index)
        self._desk.show_card()

    def action_history(self) -> None:
        """Show one's own last judgments; reopen the one that is chosen."""
        from annotator.tui.screens.history import HistoryScreen

        self.push_screen(HistoryScreen(self._work), self._reopen)

    def _reopen(self, past: Past | None) -> None:
        if past is not None:
            read_when_free(self, partial(self._open_past, past))

    def _open_past(self, past: Past) -> None:
        if self._work.session.reopen(past.query, past.pair):
            self._desk.show_again()
        else:
            self.notify("that document is not in the pool", markup=False)

    def action_scores(self) -> None:
        """Show the scoreboard."""
        from annotator.tui.screens.scores import ScoresScreen

        self.push_screen(ScoresScreen(self._work, self._live, self._show_rankings))

    def _show_rankings(self, qid: str) -> None:
        from annotator.tui.screens.rankings import RankingsScreen

        guard = Guard(self._min_gap)
        self.push_screen(
            RankingsScreen(self._work, self._live.current, qid, guard, self._judge_query)
        )

    def _leave_other_screens(self) -> None:
        while self.screen is not self._desk:
            self.pop_screen()

    def _judge_query(self, qid: str) -> None:
        """Leave all other screens, and go to a query at the desk."""
        self._leave_other_screens()
        ids = [one.qid for one in self._work.session.progress]
        if qid in ids:
            self._go_to(ids.index(qid))
        else:
            self.notify("nothing of that query is in the pool", markup=False)

    def action_verdict(self) -> None:
        """Show how far it is to what the order of judging is for."""
        from annotator.tui.screens.verdict import VerdictScreen

        self.push_screen(VerdictScreen(self._work.load_standing))

    def on_standing_read(self, message: StandingRead) -> None:
        """Take over at the desk how far it is to a verdict."""
        if message.standing:
            self._desk.verdict_read(message.standing.more)

    def action_rubric(self) -> None:
        """Show what each grade means."""
        from annotator.tui.screens.rubric import RubricScreen

        self.push_screen(RubricScreen(self._work.rubric))

    def on_rubric_changed(self, message: RubricChanged) -> None:
        """Show the rubric that another program has put in force, and go on under it at the desk."""
        read_when_free(self, partial(self._take_rubric, message.said))

    def _take_rubric(self, said: str) -> None:
        from annotator.tui.screens.rubric import RubricScreen

        self._work.session.take_rubric()
        self._leave_other_screens()
        self._desk.take_rubric(said)
        self._live.read_again()
        self.push_screen(RubricScreen(self._work.rubric, is_new=True))

    def action_help(self) -> None:
        """Show the keys of this screen; do what is chosen among them."""
        from annotator.tui.screens.help import HelpScreen, key_rows

        self.push_screen(HelpScreen(key_rows(self.screen)), partial(do_by_id, self))
