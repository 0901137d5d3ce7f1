"""Two systems' rankings of the same queries."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from rubric.arrays import BoolArray, IntArray
from rubric.rankings import EMPTY, JudgedRankings


@dataclass(frozen=True, eq=False)
class Pair:
    """Two systems' rankings of the same N queries.

    ``place_in_second`` has the shape of the first's grades, or stops where the measure does: at
    which rank (from 0) the second holds the same document, -1 where it does not, or not before the
    measure stops. ``judged`` and ``unjudged`` of both are the queries'.
    """

    first: JudgedRankings
    second: JudgedRankings
    place_in_second: IntArray

    def only(self, rows: BoolArray) -> Pair:
        """Some of the queries."""
        return Pair(self.first.only(rows), self.second.only(rows), self.place_in_second[rows])

    def same_documents(self) -> BoolArray:
        """For which queries both systems returned the same documents: shape (N,)."""
        first, second = self.first.grades != EMPTY, self.second.grades != EMPTY
        shared = first[:, : self.place_in_second.shape[1]] & (self.place_in_second >= 0)
        counts = [held.sum(axis=1) for held in (first, second, shared)]
        return np.asarray((counts[0] == counts[2]) & (counts[1] == counts[2]))


def same_places(
    first: npt.NDArray[np.integer[Any]], second: npt.NDArray[np.integer[Any]]
) -> IntArray:
    """At which rank of ``second`` each document of ``first`` stands, -1 where it does not.

    Both are document numbers of shape (N, depth); 0 marks an empty rank, and no document comes
    twice in a row.
    """
    order = np.argsort(second, axis=1, kind="stable")
    ordered = np.take_along_axis(second, order, axis=1)
    span = int(max(first.max(initial=0), second.max(initial=0))) + 1
    rows = np.arange(len(first))[:, None] * np.int64(span)
    keys, wanted = (ordered + rows).ravel(), (first + rows).ravel()
    if not keys.size:
        return np.full(first.shape, -1, dtype=np.int64)
    at = np.minimum(np.searchsorted(keys, wanted), keys.size - 1)
    found = (keys[at] == wanted) & (first.ravel() > 0)
    return np.where(found, order.ravel()[at], -1).reshape(first.shape).astype(np.int64)
