"""What the screens are given to work with; whoever starts them knows where it comes from."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from annotator.judging import Session
from annotator.tui.idle import IdleTime
from rubric import Rubric

if TYPE_CHECKING:  # the first document does not wait for what reads a scoreboard
    from annotator.results.comparisons import Compared
    from annotator.results.method import Method
    from annotator.results.scores import Neighbours, SystemScore
    from annotator.results.standings import Standing
    from annotator.scoring.board import Board

Live: TypeAlias = "tuple[Board, Method]"
"""A scoreboard with all that is said so far, and how its numbers are made."""
Estimated: TypeAlias = (
    "tuple[Board, tuple[SystemScore, ...], tuple[Neighbours, ...], Compared | None]"
)
"""A scoreboard as it was at one moment, its numbers, a verdict on every two neighbours of each
measure, and the comparison of the first two systems where it was asked for."""


@dataclass(frozen=True)
class Workplace:
    """One assessor's session on one project.

    ``load_board`` reads the scoreboard afresh; it is called in a thread of its own and must use a
    connection of its own. What it is given it calls between small pieces of reading, to let the
    screen go first. ``load_standing`` works out, in a thread and over a connection of its own too,
    how far it is to what the order of judging is for. ``once_shown`` is called when the first
    document is on screen. ``find_order`` finds the order of judging, in a thread and over a
    connection of its own, where that takes long enough to be told; what it returns brings the first
    document. ``has_goal`` says whether the order of judging is for a verdict, and not for the whole
    pool. ``greeting`` is said when the app opens.
    """

    project: str
    assessor: str
    session: Session
    load_board: Callable[[Callable[[], None]], Live]
    load_standing: Callable[[], Standing]
    once_shown: Callable[[], object] = int
    find_order: Callable[[], Callable[[], None]] | None = None
    has_goal: bool = False
    greeting: tuple[str, ...] = ()
    idle: IdleTime = field(default_factory=IdleTime)

    @property
    def rubric(self) -> Rubric:
        """What is graded by, which another program may change."""
        return self.session.rubric
