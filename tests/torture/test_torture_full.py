"""Disks that refuse, in short; ``benchmarks/torture.py full`` is the long form."""

from __future__ import annotations

import os

import pytest

from tests.torture import shim
from tests.torture.full import SHORT, full

WHY_NOT = shim.missing() or ("" if os.path.exists("/dev/ptmx") else "no pseudo-terminals here")


@pytest.mark.skipif(bool(WHY_NOT), reason=WHY_NOT)
def test_what_cannot_be_stored_is_said_and_works_when_all_is_right_again() -> None:
    assert full(1, seed=3, most=2, ordeals=SHORT).violations == []
