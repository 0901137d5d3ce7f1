"""Bounds of the difference of two systems, query by query.

A document that both systems returned moves both scores, so the difference is bounded as one
quantity: exactly for measures that are a weighted sum of gains, or such a sum over an ideal (DCG,
nDCG, P, R, RBP); for the others soundly, by what each score alone could be.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rubric.arrays import FloatArray, IntArray
from rubric.evaluate import Rules, Scores, setting
from rubric.families import Bounds, Setting
from rubric.measures import Measure
from rubric.ndcg import discount_sums, discounts, ideal_cutoff
from rubric.rankings import JudgedRankings, gains_at, is_unjudged
from rubric.ratio_bounds import RatioProblem, ratio_bounds
from rubric.user_models import patience


@dataclass(frozen=True, eq=False)
class Pair:
    """Two systems' rankings of the same N queries.

    ``place_in_second`` has the shape of the first's grades: at which rank (from 0) the second holds
    the same document, -1 where it does not. ``judged`` and ``unjudged`` of both are the queries'.
    """

    first: JudgedRankings
    second: JudgedRankings
    place_in_second: IntArray


def same_places(first: IntArray, second: IntArray) -> IntArray:
    """At which rank of ``second`` each document of ``first`` stands, -1 where it does not.

    Both are document numbers of shape (N, depth); 0 marks an empty rank, and no document comes
    twice in a row.
    """
    order = np.argsort(second, axis=1, kind="stable")
    ordered = np.take_along_axis(second, order, axis=1)
    span = int(max(first.max(initial=0), second.max(initial=0))) + 1
    rows = np.arange(len(first))[:, None] * np.int64(span)
    keys, wanted = (ordered + rows).ravel(), (first + rows).ravel()
    at = np.minimum(np.searchsorted(keys, wanted), max(keys.size - 1, 0))
    if not keys.size:
        return np.full(first.shape, -1, dtype=np.int64)
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
    Two arrays (N,), NaN where the measure is never defined. Exact for DCG, nDCG, P, R and RBP,
    sound for the others.
    """
    how = setting(measure, rules, pair.first.top)
    depth = max(pair.first.grades.shape[1], pair.second.grades.shape[1])
    weights = _weights(measure, how, depth)
    if weights is None or (rules.empty_ideal_zero and measure.name in ("nDCG", "R")):
        return first.lower - second.upper, first.upper - second.lower
    coefficients, base = _combined(pair, how, weights)
    if measure.name == "nDCG":
        ideal_sums = discount_sums(ideal_cutoff(pair.first, how))
    elif measure.name == "R":
        open_ = pair.first.judged.sum(axis=1) + pair.first.unjudged
        ideal_sums = np.arange(int(open_.max(initial=0)) + 1, dtype=np.float64)
    else:
        spare = np.where(np.isneginf(coefficients), 0.0, coefficients) * how.gains.max()
        return base + np.minimum(spare, 0).sum(axis=1), base + np.maximum(spare, 0).sum(axis=1)
    return _ratio_bounds(pair, how, coefficients, base, ideal_sums)


def _weights(measure: Measure, how: Setting, depth: int) -> FloatArray | None:
    """What a unit of gain at each rank adds to the score, where it is such a sum."""
    size = depth if how.k is None else min(how.k, depth)
    match measure.name:
        case "nDCG" | "DCG":
            weights = discounts(size)
        case "P":
            weights = np.full(size, 1.0 / (how.k or 1))
        case "R":
            weights = np.ones(size)
        case "RBP":
            weights = patience(size, how.p) / how.gains.max()
        case _:
            return None
    return np.concatenate([weights, np.zeros(depth - size)])


def _combined(pair: Pair, how: Setting, weights: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Each unjudged document's weight in the first minus in the second, and the judged sum."""
    first, second = pair.first.grades, pair.second.grades
    here, there = weights[: first.shape[1]], weights[: second.shape[1]]
    place = pair.place_in_second
    shared = np.where(place >= 0, there[np.maximum(place, 0)] if there.size else 0.0, 0.0)
    base = gains_at(first, how.gains) @ here - gains_at(second, how.gains) @ there
    in_first = np.zeros(second.shape, dtype=np.bool_)
    rows, ranks = np.nonzero(place >= 0)
    in_first[rows, place[rows, ranks]] = True
    own = np.where(is_unjudged(first), here - shared, -np.inf)
    others = np.where(is_unjudged(second) & ~in_first, -there, -np.inf)
    return np.hstack([own, others]), base


def _ratio_bounds(
    pair: Pair, how: Setting, coefficients: FloatArray, base: FloatArray, ideal_sums: FloatArray
) -> Bounds:
    cap = len(ideal_sums) - 1
    beside = np.clip(pair.first.unjudged - (~np.isneginf(coefficients)).sum(axis=1), 0, cap)
    fillers = np.where(np.arange(beside.max(initial=0)) < beside[:, None], 0.0, -np.inf)
    return ratio_bounds(
        RatioProblem(
            coefficients=_narrow(np.hstack([coefficients, fillers])),
            base=base,
            judged_at_least=pair.first.judged_at_least(),
            gains=how.gains,
            ideal_sums=ideal_sums,
        )
    )


def _narrow(coefficients: FloatArray) -> FloatArray:
    """Drop the columns that no query uses."""
    used = int((~np.isneginf(coefficients)).sum(axis=1).max(initial=0))
    return -np.sort(-coefficients, axis=1)[:, :used]
