"""What is left to do for each thing one may want to know, as plain values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from annotator.results.json_form import Detail, Result
from annotator.results.more_labels import MoreLabels


@dataclass(frozen=True)
class Goal:
    """Something to be known, the order of judging for it, and how many more labels it takes.

    ``more`` is None where that is not known.
    """

    name: str
    order: str
    more: MoreLabels | None

    @property
    def labels(self) -> int | None:
        """The one number of labels, if it is known."""
        return None if self.more is None else self.more.labels

    @property
    def reached(self) -> bool:
        """Whether it is known already."""
        return self.labels == 0


@dataclass(frozen=True)
class Plan(Result):
    """Goals, the measure that verdicts are on, and the time that a judgment takes.

    ``pace`` is the median seconds of ``timed`` latest judgments, or an assumption where that is 0.
    ``left`` counts pooled pairs, ``unpooled`` documents in a system's first ten that are neither
    pooled nor judged.
    """

    goals: tuple[Goal, ...]
    measure: str
    pace: float
    timed: int
    left: int
    judged: int
    unpooled: int = 0

    def seconds(self, labels: int | None) -> float | None:
        """How long so many judgments take."""
        return None if labels is None else labels * self.pace

    def keys(self, detail: Detail) -> dict[str, Any]:
        """Its fields; each goal with the time that it takes."""
        return super().keys(detail) | {"goals": [self._goal(one) for one in self.goals]}

    def _goal(self, one: Goal) -> dict[str, Any]:
        more = one.more
        return {
            "goal": one.name,
            "order": one.order,
            "labels": one.labels,
            "fewest": more and more.fewest,
            "most": more and more.most,
            "unfinished_worlds": 0 if more is None else more.unfinished,
            "seconds": self.seconds(one.labels),
            "reached": one.reached,
        }
