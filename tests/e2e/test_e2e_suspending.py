"""Whatever happened to the terminal meanwhile: what can be graded is what is on the screen."""

from __future__ import annotations

import os
import shlex
import shutil
import signal
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.e2e.journeys import CTRL_Q, Start, leave, press, said
from tests.e2e.terminals import ALTERNATE_SCREEN, CURSOR, MOUSE, PASTE, Terminal

CTRL_L, CTRL_Z = "\x0c", "\x1a"
SET = {ALTERNATE_SCREEN, PASTE, *MOUSE} - {1002, 1016}
needs_bash = pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash, for its jobs")


def desk(start: Start, demo: Path, *, then: str) -> Terminal:
    """The program in a shell that has job control; ``then`` is what the shell does after it."""
    program = shlex.join([sys.executable, "-m", "annotator", "-p", str(demo), "grade",
                          "--assessor", "ana"])  # fmt: skip
    terminal = start(command=["bash", "--norc", "-m", "-c", f"{program}; {then}"])
    terminal.wait_for("793 of 867 judged")
    terminal.wait_for("Help")
    return terminal


def pid_of(terminal: Terminal) -> int:
    """The program that the shell has started."""
    children = f"/proc/{terminal.program.pid}/task/{terminal.program.pid}/children"
    return int(Path(children).read_text().split()[0])


def stop_from_keyboard(terminal: Terminal) -> None:
    terminal.type(CTRL_Z)


def stop_from_outside(terminal: Terminal) -> None:
    os.kill(pid_of(terminal), signal.SIGTSTP)


def stop_without_asking(terminal: Terminal) -> None:
    os.kill(pid_of(terminal), signal.SIGSTOP)


@needs_bash
@pytest.mark.parametrize("columns", [80, 100])
@pytest.mark.parametrize("stop", [stop_from_keyboard, stop_from_outside, stop_without_asking])
def test_after_a_stop_the_whole_screen_is_there_and_what_is_on_it_is_graded(
    start: Start, demo: Path, stop: Callable[[Terminal], None], columns: int
) -> None:
    terminal = desk(start, demo, then="echo IN THE SHELL; read; fg >/dev/null")
    shown = terminal.text
    stop(terminal)
    terminal.wait_for("IN THE SHELL")
    if stop is not stop_without_asking:
        assert terminal.modes().isdisjoint(SET)
        assert terminal.is_as_before()
    if columns != 80:
        terminal.resize(columns, 24)
    terminal.type("\n3")  # a grade before anything of a document can have been seen
    if columns == 80:
        terminal.wait_for(lambda: without_status(terminal.text) == without_status(shown))
    else:
        terminal.wait_for("hypersonic flow")
        terminal.wait_for("Highly relevant")
        terminal.wait_for("? Help")
        terminal.wait_for(lambda: widest(terminal.text) > 80)
    assert terminal.modes() >= SET
    assert CURSOR not in terminal.modes()
    assert said(demo) == []
    press(terminal, "1", then="saved 1 Marginal")
    if stop is stop_without_asking:  # this shell takes the modes it found then for its own
        terminal.type(CTRL_Q)
        assert terminal.exit_code() == 0
    else:
        leave(terminal)
    assert [one.grade for one in said(demo)] == [1]


@needs_bash
def test_to_go_on_without_having_stopped_leaves_one_reader_of_the_keys(
    start: Start, demo: Path
) -> None:
    terminal = desk(start, demo, then="true")
    shown = terminal.text
    for _ in range(3):
        os.kill(pid_of(terminal), signal.SIGCONT)
        terminal.rest(0.5)
    assert terminal.text == shown
    for number, key in enumerate("2120", start=1):
        press(terminal, key, then=f"saved {key}")
        terminal.wait_for(f"{793 + number} of 867 judged")
    leave(terminal)
    assert [one.grade for one in said(demo)] == [2, 1, 2, 0]


@needs_bash
def test_in_the_background_it_sleeps_on_and_leaves_the_terminal_alone(
    start: Start, demo: Path
) -> None:
    terminal = desk(start, demo, then="bg; sleep 1; echo SHELL AGAIN; read; fg >/dev/null")
    terminal.type(CTRL_Z)
    terminal.wait_for("SHELL AGAIN")
    assert terminal.modes().isdisjoint(SET)
    terminal.type("\n")
    terminal.wait_for("793 of 867 judged")
    press(terminal, "1", then="saved 1 Marginal")
    leave(terminal)


def test_a_key_draws_anew_what_another_program_has_wiped_out(start: Start, demo: Path) -> None:
    terminal = start("-p", demo, "grade", "--assessor", "ana")
    terminal.wait_for("793 of 867 judged")
    terminal.wait_for("Help")
    shown = terminal.text
    terminal.written_over(b"\x1b[2J\x1b[H\x1b[?1000;1003;2004l\x1b[?25hmail for you")
    assert "mail for you" in terminal.text
    terminal.type(CTRL_L)
    terminal.wait_for(lambda: terminal.text == shown)
    assert terminal.modes() >= SET
    assert CURSOR not in terminal.modes()
    leave(terminal)


def widest(text: str) -> int:
    """Cells of the longest line."""
    return max(len(line.rstrip()) for line in text.splitlines())


def without_status(text: str) -> list[str]:
    """The lines of the desk, but for the one that tells of a key that was ignored."""
    return [line for line in text.splitlines() if "key ignored" not in line and line.strip()]
