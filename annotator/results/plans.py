"""What is left to do for each thing one may want to know, as plain values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Goal:
    """Something to be known, and how many more labels it is likely to take.

    ``labels`` is counted where ``fewest`` and ``most`` are None, else about what it takes by the
    grade model, and these the range; None where that is not known, or time was up before.
    ``reached`` says that nothing need be judged for it.
    """

    name: str
    order: str
    labels: int | None
    fewest: int | None = None
    most: int | None = None
    unfinished: int = 0

    @property
    def reached(self) -> bool:
        """Whether it is known already."""
        return self.labels == 0


@dataclass(frozen=True)
class Plan:
    """Goals, and the time that a judgment takes.

    ``pace`` is the median seconds of ``timed`` latest judgments, or an assumption where that is 0.
    ``left`` counts pooled pairs, ``unpooled`` documents in a system's first ten that are neither
    pooled nor judged.
    """

    goals: tuple[Goal, ...]
    pace: float
    timed: int
    left: int
    judged: int
    unpooled: int = 0

    def seconds(self, labels: int | None) -> float | None:
        """How long so many judgments take."""
        return None if labels is None else labels * self.pace

    def to_dict(self) -> dict[str, Any]:
        """The JSON form."""
        return {
            "pace": self.pace,
            "timed": self.timed,
            "judged": self.judged,
            "left": self.left,
            "unpooled": self.unpooled,
            "goals": [
                {
                    "goal": one.name,
                    "order": one.order,
                    "labels": one.labels,
                    "fewest": one.fewest,
                    "most": one.most,
                    "unfinished_worlds": one.unfinished,
                    "seconds": self.seconds(one.labels),
                    "reached": one.reached,
                }
                for one in self.goals
            ],
        }
