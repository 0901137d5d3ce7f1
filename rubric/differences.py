"""Bounds of the difference of two systems, query by query.

A document that both systems returned moves both scores, so the difference is bounded as one
quantity: exactly for measures that are a weighted sum of gains, or such a sum over an ideal (DCG,
nDCG, P, R, RBP); for the others soundly, by what each score alone could be.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from rubric.arrays import FloatArray, IntArray
from rubric.evaluation import Rules, Scores, setting
from rubric.families import Bounds, Setting
from rubric.linear import LINEAR, document_weights, judged_sums, weighted_bounds
from rubric.measures import Measure
from rubric.rankings import JudgedRankings, is_unjudged


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


def difference_bounds(
    measure: Measure, pair: Pair, rules: Rules, first: Scores, second: Scores
) -> Bounds:
    """Least and greatest (first - second) over all gradings of the unjudged documents.

    Parameters
    ----------
    first, second
        The two systems' own scores on this measure.

    Returns
    -------
    Two arrays (N,), NaN where the measure is never defined. Exact for DCG, nDCG, P, R and RBP
    (unless an undefined query counts as 0), sound for the others.
    """
    divided = measure.name in ("nDCG", "R")
    if measure.name not in LINEAR or (divided and (rules.empty_ideal_zero or rules.own_ideal)):
        return first.lower - second.upper, first.upper - second.lower
    how = setting(measure, rules, pair.first.top)
    coefficients, base = _combined(measure.name, pair, how)
    return weighted_bounds(measure.name, pair.first, how, coefficients, base)


def _combined(name: str, pair: Pair, how: Setting) -> tuple[FloatArray, FloatArray]:
    """Each unjudged document's weight in the first minus in the second, and the judged sum."""
    here = document_weights(name, how, pair.first)
    there = document_weights(name, how, pair.second)
    first, second = pair.first.grades[:, : here.shape[1]], pair.second.grades[:, : there.shape[1]]
    place = pair.place_in_second[:, : here.shape[1]]
    found = (place >= 0) & (place < there.shape[1])
    shared = np.zeros(first.shape)
    rows, ranks = np.nonzero(found)
    shared[rows, ranks] = there[rows, place[rows, ranks]]
    in_first = np.zeros(second.shape, dtype=np.bool_)
    in_first[rows, place[rows, ranks]] = True
    base = judged_sums(here, pair.first, how.gains) - judged_sums(there, pair.second, how.gains)
    own = np.where(is_unjudged(first) & ((here != 0) | (shared != 0)), here - shared, -np.inf)
    others = np.where(is_unjudged(second) & ~in_first & (there != 0), -there, -np.inf)
    return np.hstack([own, others]), base
