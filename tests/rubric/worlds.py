"""Small pools with hidden grades, for everything that chooses what to judge."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rubric.arrays import FloatArray, GradeArray
from rubric.choose.target import Target
from rubric.gains import Gain
from rubric.model.grade_model import GradeModel
from rubric.model.pooled_ranks import PooledRanks

TOP = 3
GAINS: FloatArray = Gain().values(TOP)


@dataclass(frozen=True, eq=False)
class World:
    """What may be seen of a pool, and the grade of each document."""

    pooled: PooledRanks
    truth: GradeArray

    @property
    def target(self) -> Target:
        """NDCG at the cutoff of this world."""
        return Target.ndcg(GAINS, self.pooled.k)

    def model(self) -> GradeModel:
        """A grade model that knows nothing yet."""
        return GradeModel(self.pooled, TOP)

    def some_labels(self, share: float, seed: int = 1) -> GradeArray:
        """The grades of a random share of the pool, -1 elsewhere."""
        drawn = np.random.default_rng(seed).random(self.truth.shape) < share
        return np.where(drawn & self.pooled.known, self.truth, -1).astype(np.int8)

    @property
    def nothing(self) -> GradeArray:
        """No label."""
        return np.full(self.truth.shape, -1, dtype=np.int8)


def world(
    systems: int = 2, queries: int = 4, documents: int = 7, k: int = 3, seed: int = 0
) -> World:
    """Systems that rank the better documents higher, with noise; pools of unequal size."""
    rng = np.random.default_rng(seed)
    truth = rng.choice(TOP + 1, p=[0.5, 0.2, 0.2, 0.1], size=(queries, documents)).astype(np.int8)
    sizes = rng.integers(max(1, documents - 2), documents + 1, size=queries)
    known = np.arange(documents) < sizes[:, None]
    scores = truth + rng.normal(0, 1.5, size=(systems, queries, documents))
    ranks = (-np.where(known, scores, -np.inf)).argsort(axis=2).argsort(axis=2) + 1
    found = known & (rng.random(ranks.shape) < 0.9)
    return World(PooledRanks(np.where(found, ranks, 0), known, k), truth)
