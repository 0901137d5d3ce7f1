"""Measures over relevant or not: P, R, Hit and RR, each with exact bounds.

A document is relevant if its grade reaches the threshold. An unjudged document may turn out
either way, independently of the others, so each bound is reached by one plain choice.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from rubric.arrays import BoolArray, FloatArray, IntArray, ratio


@dataclass(frozen=True, eq=False)
class Case:
    """N rankings cut at k.

    Parameters
    ----------
    relevant, unjudged
        bool, shape (N, k): what is known of the document at each rank.
    known
        int64, shape (N,): relevant judged documents of the query, retrieved or not.
    open_documents
        int64, shape (N,): unjudged documents of the query, those in the top k among them.
    """

    relevant: BoolArray
    unjudged: BoolArray
    known: IntArray
    open_documents: IntArray

    @property
    def hits(self) -> IntArray:
        """Relevant documents in the top k."""
        count: IntArray = self.relevant.sum(axis=1)
        return count

    @property
    def possible(self) -> IntArray:
        """Unjudged documents in the top k."""
        count: IntArray = self.unjudged.sum(axis=1)
        return count

    @property
    def hopeful(self) -> Case:
        """The same rankings with every unjudged document of the top k relevant."""
        none = np.zeros_like(self.unjudged)
        return Case(
            self.relevant | self.unjudged, none, self.known + self.possible, self.open_documents
        )


@dataclass(frozen=True)
class Family:
    """How a measure scores what is known, and its exact least and greatest value."""

    score: Callable[[Case], FloatArray]
    bounds: Callable[[Case], tuple[FloatArray, FloatArray]]


def precision(case: Case) -> FloatArray:
    """Relevant documents in the top k over k, also where fewer were retrieved (trec_eval P)."""
    return case.hits / np.float64(case.relevant.shape[1])


def hit(case: Case) -> FloatArray:
    """1 where the top k holds a relevant document, else 0 (trec_eval success)."""
    return (case.hits > 0).astype(np.float64)


def reciprocal_rank(case: Case) -> FloatArray:
    """1 / rank of the first relevant document, 0 if there is none (trec_eval recip_rank)."""
    first = np.argmax(case.relevant, axis=1)
    return np.where(case.hits > 0, 1.0 / (first + 1), 0.0)


def recall(case: Case) -> FloatArray:
    """Relevant documents in the top k over all relevant judged ones; NaN if there are none."""
    return ratio(case.hits, case.known)


def _monotone(score: Callable[[Case], FloatArray]) -> Family:
    """Bounds of a measure that only rises as unjudged documents turn out relevant."""
    return Family(score, lambda case: (score(case), score(case.hopeful)))


def _recall_bounds(case: Case) -> tuple[FloatArray, FloatArray]:
    """Least: only the documents outside the top k turn out relevant. Greatest: only those inside.

    Where nothing relevant is known and nothing unjudged lies outside, recall is 1 as soon as it
    is defined; where nothing lies inside, it is 0.
    """
    outside = case.open_documents - case.possible
    upper = ratio(case.hits + case.possible, case.known + case.possible)
    lower = ratio(case.hits, case.known + outside)
    lower = np.where(np.isnan(lower) & (case.possible > 0), 1.0, lower)
    return lower, np.where(np.isnan(upper) & (outside > 0), 0.0, upper)


FAMILIES = {
    "P": _monotone(precision),
    "R": Family(recall, _recall_bounds),
    "Hit": _monotone(hit),
    "RR": _monotone(reciprocal_rank),
}
