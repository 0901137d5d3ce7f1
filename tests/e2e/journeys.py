"""What journeys through the program have in common."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Protocol

from annotator.domain import JudgmentEvent
from annotator.store import Project
from annotator.tui.guard import MIN_GAP
from tests.e2e.terminals import ALTERNATE_SCREEN, CURSOR, MOUSE, PASTE, Terminal

CTRL_Q = "\x11"
KEYBOARD_ON, KEYBOARD_OFF = re.compile(rb"\x1b\[>\d+u"), b"\x1b[<u"


class Start(Protocol):
    """Starts the program, or another command, in a terminal."""

    def __call__(self, *words: object, command: list[str] | None = None) -> Terminal: ...


def said(path: Path) -> list[JudgmentEvent]:
    """What ana said, by the file."""
    project = Project.open(path)
    try:
        return [event for event in project.judgments.events() if event.assessor == "ana"]
    finally:
        project.close()


def press(terminal: Terminal, key: str, then: str) -> None:
    """Press a key once what is shown was there for long enough to be meant."""
    terminal.rest(MIN_GAP * 2)
    terminal.type(key)
    terminal.wait_for(then)


def leave(terminal: Terminal) -> None:
    """Quit, and see that the terminal is as it was."""
    assert ALTERNATE_SCREEN in terminal.modes()
    terminal.type(CTRL_Q)
    assert terminal.exit_code() == 0
    assert_as_before(terminal)


def assert_as_before(terminal: Terminal) -> None:
    """See that the terminal is as it was before the program."""
    assert CURSOR in terminal.modes()
    assert terminal.modes().isdisjoint({ALTERNATE_SCREEN, PASTE, *MOUSE})
    assert terminal.written.count(KEYBOARD_OFF) == len(KEYBOARD_ON.findall(terminal.written))
    assert terminal.is_as_before()
