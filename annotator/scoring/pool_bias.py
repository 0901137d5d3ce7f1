"""What the pool would have made of a system that took no part in it, as plain values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from annotator.domain import BoolArray
from annotator.scoring.method import Method
from annotator.scoring.pairs import BoardData
from rubric import Summary

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
class PoolBias:
    """Every system left out alone, then the named groups.

    ``unjudged`` counts documents in any top k that are not judged: with any, the reference is
    itself what is expected.
    """

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

    def to_dict(self) -> dict[str, Any]:
        """The JSON form; keys may be added, none is renamed."""
        return {
            "method": self.method.to_dict(),
            "measure": self.measure,
            "depth": self.depth,
            "unjudged": self.unjudged,
            "left_out": [asdict(row) for row in self.rows],
            "mean": {
                name: {"error": self.mean_error(name), "moved": self.mean_moved(name)}
                for name in ESTIMATES
            },
        }


def alone(data: BoardData, systems: Sequence[int], depth: int) -> BoolArray:
    """Which labels are of documents that only these systems have in their first ``depth``."""
    inside = np.isin(np.arange(len(data.systems)), systems)
    return _held(data, inside, depth) & ~_held(data, ~inside, depth)


def _held(data: BoardData, systems: BoolArray, depth: int) -> BoolArray:
    """Which labels are of documents that any of these systems has in its first ``depth``."""
    top = data.documents[systems, :, :depth].astype(np.int64)
    span = np.int64(2**31)
    held = np.unique((data.queries[:, None] * span + top)[top > 0])
    return np.isin(data.label_query.astype(np.int64) * span + data.label_document, held)


def left_out(
    group: str,
    system: int,
    labels: int,
    whole: Sequence[tuple[str, Summary]],
    without: Sequence[tuple[str, Summary]],
) -> LeftOut:
    """Compare a system's scores without some labels with those that it has with all of them."""
    reference = [summary.point for _, summary in whole]

    def missed(estimate: str) -> Missed:
        scores = [getattr(summary, estimate) for _, summary in without]
        one, true = scores[system], reference[system]
        if one is None or true is None:
            return Missed(None, None)
        return Missed(one - true, _place(scores, system) - _place(reference, system))

    return LeftOut(
        group=group,
        system=whole[system][0],
        labels=labels,
        reference=reference[system],
        zero_filled=missed("zero_filled"),
        condensed=missed("condensed"),
        expected=missed("expected"),
    )


def _place(scores: Sequence[float | None], system: int) -> int:
    """How many systems have a higher score."""
    mine = scores[system]
    return sum(score is not None and mine is not None and score > mine + 1e-12 for score in scores)
