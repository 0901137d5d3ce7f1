"""A crash of the machine, in short; ``benchmarks/torture.py cut`` is the long form."""

from __future__ import annotations

import pytest

from tests.torture import shim
from tests.torture.cut import cut

pytestmark = pytest.mark.skipif(bool(shim.missing()), reason=shim.missing())


def test_what_was_acknowledged_outlives_a_crash_at_any_step_on_the_disk() -> None:
    facts = cut(4, seed=1, torn=1)
    assert facts.violations == []
    assert facts.counts["entries acknowledged"] == 4


def test_this_ordeal_would_notice_that_too_little_is_synced() -> None:
    facts = cut(2, seed=1, torn=0, setting="synchronous = NORMAL")
    assert any("lost: " in one for one in facts.violations)
