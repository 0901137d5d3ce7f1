"""A crash of the machine, in short; ``benchmarks/torture.py cut`` is the long form."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.torture import shim
from tests.torture.cut import cut_grading
from tests.torture.cut_commands import PROJECT, SCENES, cut_commands, wrong
from tests.torture.facts import Facts

pytestmark = pytest.mark.skipif(bool(shim.missing()), reason=shim.missing())


def test_what_was_acknowledged_outlives_a_crash_at_any_step_on_the_disk() -> None:
    facts = cut_grading(4, seed=1, torn=0)
    assert facts.violations == []
    assert facts.counts["entries and commands acknowledged"] == 4


def test_this_ordeal_would_notice_that_too_little_is_synced() -> None:
    facts = cut_grading(2, seed=1, torn=0, setting="synchronous = NORMAL")
    assert any("lost: " in one for one in facts.violations)


@pytest.mark.parametrize("name", ["create", "import qrels", "migrate", "backup", "rescue"])
def test_a_command_is_done_or_not_whenever_the_machine_goes_down(name: str) -> None:
    facts = Facts("cut")
    cut_commands(name, 1, facts, torn=0, share=0.1)
    assert facts.violations == []


def test_a_restore_is_done_or_not_in_place_of_a_half_written_project_too() -> None:
    facts = Facts("cut")
    cut_commands("restore in place of a half", 1, facts, torn=1, share=0.1)
    assert facts.violations == []


def test_this_ordeal_would_notice_a_file_in_part_and_one_that_is_lost(tmp_path: Path) -> None:
    before, done = {PROJECT: "old"}, {PROJECT: "new", "aside.db": "old"}
    (tmp_path / "aside.db").touch()
    found = wrong(tmp_path, SCENES["restore"], before, done, acknowledged=True)
    assert [one.split()[0] for one in found][:3] == ["aside.db", PROJECT, "what"]
