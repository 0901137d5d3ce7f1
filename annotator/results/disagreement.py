"""What disagreement of assessors does to the scores, as plain values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from annotator.results.comparisons import NEARLY_LEVEL
from annotator.results.json_form import Detail, Result
from annotator.results.method import Method
from rubric import Verdict

HOLDING, STRICTEST, KINDEST = "the labels that hold", "the strictest", "the most generous"
"""Ways to label every pair that do not go by one assessor."""
_EQUAL = 1e-12


@dataclass(frozen=True)
class SystemByLabels(Result):
    """One system by one way to label: its value or what is expected, its bounds and its rank."""

    system: str
    point: float | None
    lower: float | None
    upper: float | None
    rank: int | None


@dataclass(frozen=True)
class Labelling(Result):
    """One way to label the pairs, and the systems by it.

    ``tau`` is Kendall's tau of the systems' order with that by the labels that hold; None where
    there are fewer than two systems with a number.
    """

    name: str
    assessor: str | None
    labels: int
    systems: tuple[SystemByLabels, ...]
    tau: float | None


@dataclass(frozen=True)
class PairByLabels(Result):
    """Two systems, the one that is ahead by the labels that hold first.

    Two systems closer than 0.01 are level.

    Parameters
    ----------
    differences, verdicts
        The difference of their means, and what may be said of it, by each way to label.
    lower, upper
        The least and the greatest difference over all choices among the grades that were given, and
        all grades of what nobody judged.
    bounds
        Whether some choice reaches these, or they may be wider than need be.
    ahead
        In how many of the drawn sets of labels, as a share, the first is ahead.
    """

    first: str
    second: str
    differences: Mapping[str, float | None]
    verdicts: Mapping[str, Verdict]
    lower: float | None
    upper: float | None
    bounds: str
    ahead: float | None

    hidden = ("differences", "verdicts")

    @property
    def holds(self) -> bool:
        """Whether the first is ahead whichever assessor is right about each pair."""
        return self.lower is not None and self.lower > _EQUAL

    @property
    def ahead_by(self) -> dict[str, float]:
        """The ways to label that have the first ahead by the margin or more, and by how much."""
        return {name: one for name, one in self._known.items() if one >= NEARLY_LEVEL}

    @property
    def behind_by(self) -> dict[str, float]:
        """The ways to label that have it behind."""
        return {name: one for name, one in self._known.items() if one <= -NEARLY_LEVEL}

    @property
    def level_by(self) -> list[str]:
        """The ways to label that have the two level, that is, closer than the margin."""
        return [name for name, one in self._known.items() if abs(one) < NEARLY_LEVEL]

    @property
    def _known(self) -> dict[str, float]:
        return {name: one for name, one in self.differences.items() if one is not None}

    @property
    def depends(self) -> bool:
        """Whether some labels have the first ahead, and others the second."""
        return bool(self.ahead_by and self.behind_by)

    def keys(self, detail: Detail) -> dict[str, Any]:
        """Its fields, the difference by each way to label, and what follows."""
        return super().keys(detail) | {
            "by_labels": [
                {"labels_of": name, "difference": one, "verdict": self.verdicts[name]}
                for name, one in self.differences.items()
            ],
            "holds_whoever_is_right": self.holds,
            "depends_on_whom_you_ask": self.depends,
        }


@dataclass(frozen=True)
class Drawn(Result):
    """Sets of labels drawn by taking, query by query, the grades of one of its assessors.

    ``tau`` is the mean of Kendall's tau with the order by the labels that hold, ``tau95`` its
    central 95%.
    """

    draws: int
    seed: int
    tau: float | None
    tau95: tuple[float, float] | None


@dataclass(frozen=True)
class Disagreement(Result):
    """What becomes of scores and verdicts by whose labels they are computed.

    ``judged_twice`` counts the pairs that several assessors graded, ``disputed`` those of them with
    different grades.
    """

    method: Method
    measure: str
    assessors: tuple[str, ...]
    judged_twice: int
    disputed: int
    labellings: tuple[Labelling, ...]
    pairs: tuple[PairByLabels, ...]
    drawn: Drawn

    def line(self) -> str:
        """The method in one line."""
        return self.method.line()

    def made(self) -> dict[str, Any]:
        """The JSON form of the method."""
        return self.method.to_dict()

    def keys(self, detail: Detail) -> dict[str, Any]:
        """Its fields."""
        return super().keys(detail) | {"method": self.made()}
