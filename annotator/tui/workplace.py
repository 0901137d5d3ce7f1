"""What the screens are given to work with; whoever starts them knows where it comes from."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from annotator.judging import Session
from annotator.scoring.board import Board
from annotator.scoring.table import Method
from rubric import Rubric

Live = tuple[Board, Method]
"""A scoreboard with all that is said so far, and how its numbers are made."""


@dataclass(frozen=True)
class Workplace:
    """One assessor's session on one project.

    ``load_board`` reads the scoreboard afresh; it is called in a thread of its own and must use a
    connection of its own.
    """

    project: str
    assessor: str
    rubric: Rubric
    session: Session
    load_board: Callable[[], Live]
