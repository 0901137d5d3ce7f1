"""The scoreboard of the app: read in a thread of its own, then kept true with every label."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from textual.message import Message
from textual.screen import Screen

from annotator.errors import AnnotatorError
from annotator.tui.workplace import Estimated, Live, Workplace

if TYPE_CHECKING:
    from annotator.results.comparisons import Compared
    from annotator.results.scores import SystemScore
    from annotator.scoring.board import Board

if TYPE_CHECKING:  # not needed to open the app
    from rubric import Measure


class BoardRead(Message):
    """The scoreboard has been read, or could not be."""

    def __init__(self, live: Live | None, fault: str = "") -> None:
        super().__init__()
        self.live = live
        self.fault = fault


class LiveBoard:
    """Holds the scoreboard, if it has been read.

    Parameters
    ----------
    work
        Whose board it is.
    read
        Has :meth:`load` run in a thread, and what it gives handed to :meth:`take`.

    Attributes
    ----------
    measure, sort
        Which of its measures is shown, and by which order, until another is chosen.
    """

    def __init__(self, work: Workplace, read: Callable[[], object]) -> None:
        self._work = work
        self._read = read
        self._live: Live | None = None
        self._changing = threading.Lock()
        self.begun = False
        self.measure, self.sort = -1, 0
        self._measures: tuple[Measure, ...] = ()

    def begin(self) -> None:
        """Call this when a document is on screen, and all else: what can wait begins."""
        if not self.begun:
            self.begun = True
            self._work.once_shown()
            self._read()

    def load(self) -> tuple[Live | None, str]:
        """Read it, wherever this runs; or None, and why not."""
        idle = self._work.idle
        try:
            with idle.between_imports():
                live = self._work.load_board(idle.wait)
                if self._measures:
                    live[0].measure_by(self._measures)
                return live, ""
        except AnnotatorError as error:
            return None, error.message
        except Exception as error:  # grading can go on without a scoreboard
            return None, f"a fault of the program ({type(error).__name__}): there are no scores"

    def take(self, live: Live) -> None:
        """Hold what was read."""
        self._live = live

    def measure_by(self, measures: Sequence[Measure]) -> None:
        """Have these measures, in this one and in those read later; the last is shown."""
        self._measures, self.measure = tuple(measures), -1
        if self._live:
            self._live[0].measure_by(self._measures)

    def read_again(self) -> None:
        """Hold nothing until it is read anew."""
        self._live = None
        self._read()

    def current(self) -> Live | None:
        """The scoreboard with every label given since; None while it has to be read again."""
        if self._live is None:
            return None
        changed = self._work.session.changed()
        if changed is None:
            self.read_again()
            return None
        board, method = self._live
        if changed:
            with self._changing:
                board.relabel_all(
                    (one.query, one.document, one.label, one.by_eye) for one in changed
                )
        if any(card.label is not None for card in changed):
            everyone = dict.fromkeys((*method.assessors, self._work.assessor))
            self._live = board, replace(method, assessors=tuple(everyone))
        return self._live

    def estimated(self, live: Live, *, compare: bool = False) -> Estimated:
        """The scoreboard as it is now, every system's numbers, and verdicts on neighbours.

        With ``compare`` the first two systems are compared too, if there are two.

        In any thread: no label comes in while it is copied, and none changes the copy.
        """
        with self._changing:
            now = live[0].frozen()
        from annotator.scoring.neighbours import neighbours

        now.estimate()
        table = now.table()
        return now, table, neighbours(now, table), _first_two(now, table) if compare else None

    def estimate_beside(
        self,
        screen: Screen[Any],
        live: Live,
        take: Callable[[Estimated], object],
        *,
        compare: bool = False,
    ) -> None:
        """The same in a thread of its own; the screen gets what is found, if it is still there."""

        def work() -> None:
            found = self.estimated(live, compare=compare)
            screen.app.call_from_thread(lambda: screen.is_attached and take(found))

        screen.run_worker(work, thread=True, group="table", exit_on_error=False)


def _first_two(board: Board, table: Sequence[SystemScore]) -> Compared | None:
    """The first two systems compared on the last measure; None where there are not two."""
    from annotator.scoring.neighbours import ranking
    from annotator.scoring.paired_systems import compared

    if len(table) < 2:
        return None
    first, second, *_ = ranking([system.measures[-1] for system in table])
    return compared(board, first, second, board.measures[-1], seed=0)
