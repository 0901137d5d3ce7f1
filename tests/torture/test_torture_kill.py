"""The app killed while one grades, in short; ``benchmarks/torture.py kill`` is the long form."""

from __future__ import annotations

import os

import pytest

from tests.torture.facts import Facts
from tests.torture.kill import kill
from tests.torture.killed import killed


@pytest.mark.skipif(not os.path.exists("/dev/ptmx"), reason="no pseudo-terminals here")
def test_every_grade_that_was_shown_as_saved_outlives_a_kill_and_grading_goes_on_there() -> None:
    facts = kill(3, seed=2)
    assert facts.violations == []
    assert facts.counts["kills"] == 3


def test_a_command_that_is_killed_is_done_or_not_and_can_be_run_again() -> None:
    facts = Facts("killed")
    killed(1, 3, facts, ["restore"])
    assert facts.violations == []
    assert facts.counts["commands killed"] == 1
