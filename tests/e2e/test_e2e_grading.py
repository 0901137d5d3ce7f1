"""The program as a person meets it: in a terminal, from the first key to the last."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

import pytest

from annotator.actions.demo import open_or_build
from annotator.records import JudgmentEvent, Mark
from annotator.store import Project
from annotator.tui.guard import MIN_GAP
from tests.e2e.terminals import ALTERNATE_SCREEN, CURSOR, MOUSE, PASTE, ROOT, Terminal

CTRL_Q = "\x11"
KEYBOARD_ON, KEYBOARD_OFF = re.compile(rb"\x1b\[>\d+u"), b"\x1b[<u"


class Start(Protocol):
    """Starts the program in a terminal."""

    def __call__(self, *words: object) -> Terminal: ...


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    if not os.path.exists("/dev/ptmx"):
        pytest.skip("no pseudo-terminals here: /dev/ptmx is missing")
    terminals: list[Terminal] = []

    def begin(*words: object) -> Terminal:
        terminals.append(Terminal(*words, folder=tmp_path))
        return terminals[-1]

    yield begin
    for terminal in terminals:
        terminal.close()


@pytest.fixture
def demo(tmp_path: Path) -> Path:
    open_or_build(tmp_path / "demo.db").close()
    return tmp_path / "demo.db"


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
    assert CURSOR in terminal.modes()
    assert terminal.modes().isdisjoint({ALTERNATE_SCREEN, PASTE, *MOUSE})
    assert terminal.written.count(KEYBOARD_OFF) == len(KEYBOARD_ON.findall(terminal.written))
    assert terminal.is_as_before()


def test_what_was_shown_as_saved_is_there_after_a_kill(start: Start, demo: Path) -> None:
    words = ("-p", demo, "grade", "--assessor", "ana")
    terminal = start(*words)
    terminal.wait_for("793 of 867 judged")
    terminal.wait_for("document 5 of 22")
    press(terminal, "2", then="saved 2 Relevant")
    (graded,) = said(demo)
    assert (graded.qid, graded.grade) == ("5", 2)
    press(terminal, "u", then="saved undo")
    assert "document 5 of 22" in terminal.text
    press(terminal, "s", then="saved for later")
    press(terminal, "3", then="saved 3 Highly relevant")
    shown = terminal.text.splitlines()[0]
    terminal.kill()

    again = start(*words)
    again.wait_for("794 of 867 judged")
    assert again.text.splitlines()[0] == shown
    assert [(one.grade, one.mark) for one in said(demo)] == [
        (2, None),
        (None, None),
        (None, Mark.LATER),
        (3, None),
    ]
    leave(again)


def test_the_demo_opens_and_leaves_the_terminal_clean(start: Start, tmp_path: Path) -> None:
    terminal = start("demo", "try.db")
    terminal.wait_for("793 of 867 judged")
    press(terminal, "b", then="lsa_200")
    leave(terminal)
    assert (tmp_path / "try.db").is_file()


def test_nothing_in_an_imported_document_commands_the_terminal(
    start: Start, tmp_path: Path
) -> None:
    evil = r"\u001b]2;EVIL\u0007\u001b[31m\u009b31m\u202e\u001b]52;c;RVZJTA==\u0007"
    (tmp_path / "evil.jsonl").write_text(
        f'{{"_id": "d1", "title": "TITLE {evil}", "text": "TEXT {evil} END", "url": "{evil}"}}\n'
    )
    (tmp_path / "one.run").write_text("q1 Q0 d1 1 9 tag\n")
    (tmp_path / "queries.jsonl").write_text(f'{{"_id": "q1", "text": "QUERY {evil}"}}\n')
    for words in (
        "init",
        "import queries queries.jsonl",
        "import run one.run",
        "pool",
        "import documents evil.jsonl",
    ):
        subprocess.run(
            [sys.executable, "-m", "annotator", *words.split()],
            cwd=tmp_path,
            env={"PYTHONPATH": str(ROOT), "LANG": "C.UTF-8"},
            check=True,
            capture_output=True,
        )
    terminal = start("grade", "--assessor", "ana")
    terminal.wait_for("END")
    for start_of in ("QUERY", "TITLE", "TEXT"):
        assert f"{start_of} ␛]2;EVIL␇␛[31m�31m�␛]52;c;RVZJTA==␇" in terminal.text
    leave(terminal)
    for command in (b"\x1b]2;", b"\x1b]52;", b"\x1b[31m", b"\xc2\x9b", b"\xe2\x80\xae"):
        assert command not in terminal.written
