"""A damaged file, in short; ``benchmarks/torture.py rot`` is the long form."""

from __future__ import annotations

from tests.torture.damages import DAMAGES
from tests.torture.rot import rot


def test_a_damaged_file_ends_with_a_sentence_and_is_never_scored_in_silence() -> None:
    facts = rot(2 * len(DAMAGES), seed=1)
    assert facts.violations == []
    assert facts.counts["damaged files"] == 2 * len(DAMAGES)
