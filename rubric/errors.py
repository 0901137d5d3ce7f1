"""What this package refuses, with every reason at once."""

from __future__ import annotations

from collections.abc import Sequence


class RubricError(ValueError):
    """A rubric, gain or measure that is not valid; ``faults`` lists all that is wrong with it."""

    def __init__(self, what: str, faults: Sequence[str]) -> None:
        super().__init__(f"{what}: " + "; ".join(faults))
        self.what = what
        self.faults = tuple(faults)


_LONGEST = 40


def short(text: str) -> str:
    """A text that is no longer than a message can bear."""
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
