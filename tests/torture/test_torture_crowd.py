"""Many programs on one project, in short; ``benchmarks/torture.py crowd`` is the long form."""

from __future__ import annotations

from tests.torture.crowd import crowd


def test_many_who_grade_and_import_at_once_lose_double_and_mix_up_nothing() -> None:
    facts = crowd(2, seed=1, graders=4, importers=1)
    assert facts.violations == []
