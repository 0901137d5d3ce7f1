"""What a build asks of scores, and how it came out, as plain values."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from annotator.results.json_form import Result
from annotator.results.more_labels import MoreLabels


class Outcome(StrEnum):
    """Whether a rule holds; ``unknown`` says that there are not enough labels to tell."""

    PASSED = "passed"
    FAILED = "failed"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class Ruling(Result):
    """One rule and its outcome.

    Parameters
    ----------
    subject
        The system, or the two, that it is about.
    rule
        What is asked for, as a sentence without its end.
    known
        Between what the number lies as far as is known; None where it is undefined.
    more
        How many more labels would tell, where the outcome is unknown.
    """

    subject: str
    rule: str
    outcome: Outcome
    known: tuple[float, float] | None
    more: MoreLabels | None = None
