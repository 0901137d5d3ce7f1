"""What the pool would have made of a system that took no part in it, as plain values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from annotator.results.json_form import Detail, Result
from annotator.results.method import Method

ESTIMATES = ("zero_filled", "condensed", "expected")


@dataclass(frozen=True)
class Missed:
    """One way of scoring a system whose own documents were not judged.

    ``error`` is its mean score minus the reference, ``moved`` by how many places it then stands
    lower among all systems than by the reference; None where there is no score.
    """

    error: float | None
    moved: int | None


@dataclass(frozen=True)
class LeftOut:
    """One system, scored without the labels of documents that its group alone brought.

    ``labels`` counts these; ``reference`` is its score with them.
    """

    group: str
    system: str
    labels: int
    reference: float | None
    zero_filled: Missed
    condensed: Missed
    expected: Missed


@dataclass(frozen=True)
class PoolBias(Result):
    """Every system left out alone, then the named groups.

    ``unjudged`` counts documents in any top k that are not judged: with any, the reference is
    itself what is expected.
    """

    renamed: ClassVar[Mapping[str, str]] = {"rows": "left_out"}

    method: Method
    measure: str
    depth: int
    unjudged: int
    rows: tuple[LeftOut, ...]

    def mean_error(self, estimate: str) -> float | None:
        """The mean size of the errors of one estimate."""
        errors = [getattr(row, estimate).error for row in self.rows]
        found = [abs(error) for error in errors if error is not None]
        return float(np.mean(found)) if found else None

    def mean_moved(self, estimate: str) -> float | None:
        """The mean number of places by which one estimate moves the system left out."""
        moves = [getattr(row, estimate).moved for row in self.rows]
        found = [abs(moved) for moved in moves if moved is not None]
        return float(np.mean(found)) if found else None

    def keys(self, detail: Detail) -> dict[str, Any]:
        """Its fields, and the means."""
        means = {
            name: {"error": self.mean_error(name), "moved": self.mean_moved(name)}
            for name in ESTIMATES
        }
        return super().keys(detail) | {"mean": means}
