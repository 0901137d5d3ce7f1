"""Where each system ranked the pooled documents, and what of that a grade is predicted from."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from rubric.arrays import BoolArray, FloatArray, IntArray
from rubric.model.model_labels import ModelLabels

Ranks: TypeAlias = IntArray | npt.NDArray[np.int32]

DEEPEST = 100
"""Ranks after this one count as not retrieved."""

_LOG_DEEPEST = np.log(DEEPEST + 1)

SHARED_FEATURES = 5
"""Features that are not one system's own; they stand first."""


@dataclass(frozen=True, eq=False)
class PooledRanks:
    """S systems' ranks of the documents of Q queries, up to P of each.

    Parameters
    ----------
    ranks
        int, shape (S, Q, P): the rank from 1 of each document in each system, 0 where the system
        did not return it.
    known
        bool, shape (Q, P): False where a query has fewer documents.
    k
        The depth down to which a document can be one system's alone.
    models
        What labels of language models add to the features; None: nothing.
    """

    ranks: Ranks
    known: BoolArray
    k: int
    models: ModelLabels | None = None

    def with_models(self, models: ModelLabels | None) -> PooledRanks:
        """The same, with what labels of models add."""
        return replace(self, models=models)

    @property
    def systems(self) -> int:
        """How many systems there are, S."""
        return int(self.ranks.shape[0])

    @cached_property
    def discounts(self) -> FloatArray:
        """What a unit of gain adds to each system's DCG@k: shape (S, Q, P)."""
        return discount_at(self.ranks, self.k)

    @cached_property
    def in_top(self) -> BoolArray:
        """Whether each document is in each system's top k: shape (S, Q, P)."""
        return np.asarray((self.ranks > 0) & (self.ranks <= self.k))

    @cached_property
    def features(self) -> FloatArray:
        """What the grade of each document is predicted from: shape (Q, P, 5 + 2 S + C)."""
        row, column = (each.ravel() for each in np.indices(self.known.shape))
        return self.features_of(row, column).reshape(*self.known.shape, -1)

    def features_of(self, row: IntArray, column: IntArray) -> FloatArray:
        """The features of n documents alone, by query and place: shape (n, 5 + 2 S + C).

        With nearness h, 1 / log2(rank + 1) down to rank 100 and else 0: its mean over systems, its
        maximum, the share of systems that returned the document, whether it is in the top k of one
        system alone, and the mean of 1 - log(rank) / log(101), which tells deep ranks apart that h
        takes for alike; then for each system its h minus the mean, and whether the document is its
        alone; then what the labels of models add.
        """
        ranks = self.ranks[:, row, column]
        near = discount_at(ranks, DEEPEST)
        mean, top = near.mean(axis=0), (ranks > 0) & (ranks <= self.k)
        alone = top & (top.sum(axis=0) == 1)
        depth = np.log(np.maximum(ranks, 1).astype(np.float64)) / _LOG_DEEPEST
        own = SHARED_FEATURES + 2 * self.systems
        further = 0 if self.models is None else self.models.columns.shape[2]
        found = np.empty((len(row), own + further))
        found[:, 0], found[:, 1], found[:, 2] = mean, near.max(axis=0), (near > 0).mean(axis=0)
        found[:, 3], found[:, 4] = (
            alone.any(axis=0),
            np.where(near > 0, 1 - depth, 0.0).mean(axis=0),
        )
        found[:, SHARED_FEATURES : SHARED_FEATURES + self.systems] = (near - mean).T
        found[:, SHARED_FEATURES + self.systems : own] = alone.T
        if self.models is not None:
            found[:, own:] = self.models.columns[row, column]
        return found

    def in_top_of(self, *systems: int) -> BoolArray:
        """Which documents are in the top k of any of these systems: shape (Q, P)."""
        return np.asarray(self.in_top[list(systems)].any(axis=0))


def discount_at(ranks: Ranks, k: int) -> FloatArray:
    """1 / log2(rank + 1) at ranks 1..k and 0 elsewhere, whatever the shape."""
    by_rank = np.zeros(k + 2)
    by_rank[1:-1] = 1.0 / np.log2(np.arange(1, k + 1) + 1.0)
    found: FloatArray = by_rank[np.clip(ranks, 0, k + 1)]
    return found
