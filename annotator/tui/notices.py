"""What the app says after a grade, each thing once."""

from __future__ import annotations

from collections.abc import Iterator

from annotator.judging import Session
from annotator.text.plural import counted
from annotator.tui.breaks import Breaks

REST_NOW = "a short break keeps grades steady. All is saved."
GOAL_REACHED = "Verdict reached: you can stop here, or go on. Press v to read it."


def news(session: Session, breaks: Breaks) -> Iterator[str]:
    """Call at each judgment: that a rest is due, and that the order's goal is reached."""
    if breaks.due():
        yield f"{counted(breaks.minutes, 'minute')} without a rest: {REST_NOW}"
    if session.reaches_goal():
        yield GOAL_REACHED
