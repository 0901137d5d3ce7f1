"""The choices that define a score; all of them travel with the numbers."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from rubric import Gain, Measure, Rubric, Rules

DEFAULT_MEASURES = (Measure("nDCG", 3), Measure("nDCG", 10))


class Ties(StrEnum):
    """The order in which a ranking is scored."""

    DISPLAYED = "displayed"
    TREC = "trec"


class EmptyIdeal(StrEnum):
    """What becomes of a query without a relevant judged document."""

    EXCLUDE = "exclude"
    ZERO = "zero"


class MissingQueries(StrEnum):
    """What becomes of a query for which a system returned nothing."""

    ZERO = "zero"
    EXCLUDE = "exclude"


@dataclass(frozen=True)
class ScoreOptions:
    """How to score; ``gain`` and ``threshold`` None stand for the rubric's."""

    measures: tuple[Measure, ...] = DEFAULT_MEASURES
    gain: Gain | None = None
    threshold: int | None = None
    ties: Ties = Ties.DISPLAYED
    empty_ideal: EmptyIdeal = EmptyIdeal.EXCLUDE
    missing_queries: MissingQueries = MissingQueries.ZERO
    systems: tuple[str, ...] | None = None
    assessors: tuple[str, ...] | None = None

    def rules(self, rubric: Rubric) -> Rules:
        """What a measure takes from rubric and options unless its spelling says otherwise."""
        return Rules(
            gain=self.gain or rubric.gain,
            threshold=self.threshold or rubric.threshold,
            empty_ideal_zero=self.empty_ideal is EmptyIdeal.ZERO,
        )
