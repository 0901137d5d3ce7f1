"""However the program is ended, what was said is there and the terminal is as it was."""

from __future__ import annotations

import signal
import sys
from pathlib import Path

import pytest

from tests.e2e.journeys import Start, assert_as_before, leave, press, said
from tests.e2e.terminals import Terminal

FAULTY = """
import sys
from annotator.cli import main
from annotator.tui.screens.grade import GradeScreen

def action_later(self):
    text_of_a_document = "SECRET"
    raise KeyError(text_of_a_document)

GradeScreen.action_later = action_later
sys.exit(main(sys.argv[1:]))
"""


def words(demo: Path) -> list[str]:
    return ["-p", str(demo), "grade", "--assessor", "ana"]


def graded(start: Start, demo: Path) -> Terminal:
    """The program after one grade."""
    terminal = start(*words(demo))
    terminal.wait_for("793 of 867 judged")
    press(terminal, "2", then="saved 2 Relevant")
    return terminal


def test_a_request_to_end_is_followed_and_leaves_all_as_it_was(start: Start, demo: Path) -> None:
    terminal = graded(start, demo)
    terminal.program.send_signal(signal.SIGTERM)
    assert terminal.exit_code() == 128 + signal.SIGTERM
    assert_as_before(terminal)
    assert "Traceback" not in terminal.text
    assert [one.grade for one in said(demo)] == [2]


@pytest.mark.parametrize("with_signal", [True, False])
def test_a_closed_terminal_ends_the_program(start: Start, demo: Path, *, with_signal: bool) -> None:
    terminal = graded(start, demo)
    terminal.hang_up(with_signal=with_signal)
    assert terminal.program.wait(30) == 128 + signal.SIGHUP
    assert [one.grade for one in said(demo)] == [2]


def test_a_fault_of_the_program_is_one_line_and_spoils_nothing(start: Start, demo: Path) -> None:
    terminal = start(command=[sys.executable, "-c", FAULTY, *words(demo)])
    terminal.wait_for("793 of 867 judged")
    press(terminal, "2", then="saved 2 Relevant")
    terminal.rest(0.4)
    terminal.type("s")
    assert terminal.exit_code() == 70
    assert_as_before(terminal)
    assert "annotator: a fault of the program: KeyError at " in terminal.text
    assert b"SECRET" not in terminal.written
    assert b"Traceback" not in terminal.written
    assert [one.grade for one in said(demo)] == [2]


def test_a_terminal_that_is_too_small_says_so_and_recovers(start: Start, demo: Path) -> None:
    terminal = graded(start, demo)
    terminal.resize(30, 8)
    terminal.wait_for("40x12 needed, this is 30x8")
    terminal.type("3")
    terminal.rest(0.4)
    terminal.resize(80, 24)
    terminal.wait_for("794 of 867 judged")
    press(terminal, "1", then="saved 1 Marginal")
    leave(terminal)
    assert [one.grade for one in said(demo)] == [2, 1]
