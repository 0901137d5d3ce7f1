"""Bounds of the difference of two systems, query by query, as one quantity.

A document that both systems returned moves both scores. For a measure that is a weighted sum of
gains, or such a sum over an ideal (DCG, nDCG, P, R, RBP), the bounds are one ratio's. For Hit, RR,
F and Rprec they are found by counting; for AP, infAP and ERR by branch and bound, exactly unless
too much is unjudged. What is not exact says so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from rubric.arrays import BoolArray, FloatArray, IntArray
from rubric.differences import binary as binary_differences
from rubric.differences import err as err_differences
from rubric.differences import precision as precision_differences
from rubric.differences.tops import Tops
from rubric.measures.average_precision import rank_worth
from rubric.measures.evaluation import FAMILIES, Rules, Scores, setting
from rubric.measures.family import Setting
from rubric.measures.linear import LINEAR, document_weights, judged_sums, weighted_bounds
from rubric.measures.measure import Measure
from rubric.rankings import EMPTY, JudgedRankings, is_unjudged, own_documents_only

SEARCHED = 1000
"""Queries that are searched at most; if more are open each has the bound that is found first."""
_EQUAL = 1e-12
_OF_THE_QUERY = ("nDCG", "R", "AP", "F", "Rprec", "bpref", "infAP")
"""What is divided by something that all relevant documents of the query make up."""

Solved = tuple[FloatArray, BoolArray]
Query = TypeVar("Query")


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


@dataclass(frozen=True, eq=False)
class DifferenceBounds:
    """The least and greatest first minus second, and whether these are reached: shape (N,) each.

    NaN where the measure is never defined. Bounds that are not ``exact`` hold too, but no grading
    may reach them.
    """

    lower: FloatArray
    upper: FloatArray
    exact: BoolArray


def difference_bounds(
    measure: Measure, pair: Pair, rules: Rules, first: Scores, second: Scores
) -> DifferenceBounds:
    """Bound (first - second) over all gradings of the unjudged documents.

    Parameters
    ----------
    first, second
        The two systems' own scores on this measure.
    """
    lower, upper = first.lower - second.upper, first.upper - second.lower
    each = DifferenceBounds(lower, upper, np.isnan(upper) | (upper - lower <= _EQUAL))
    how, joint = setting(measure, rules, pair.first.top), np.ones(len(lower), dtype=np.bool_)
    if rules.own_ideal and measure.name in _OF_THE_QUERY:
        # Two ideals are one where both systems returned the same documents.
        joint = _same_documents(pair)
        pair = replace(
            pair, first=own_documents_only(pair.first), second=own_documents_only(pair.second)
        )
    joint &= ~each.exact
    if not joint.any():
        return each
    found = _joint(measure.name, _only(pair, joint), how)
    if rules.empty_ideal_zero:
        undefined = np.isnan(FAMILIES[measure.name].score(_untied(pair.first), how)[joint])
        found = _with_zeros(found, undefined)
    # Where the search was given up, what each score alone could be may say more.
    bounds = DifferenceBounds(lower.copy(), upper.copy(), each.exact.copy())
    bounds.lower[joint] = np.fmax(found.lower, lower[joint])
    bounds.upper[joint] = np.fmin(found.upper, upper[joint])
    bounds.exact[joint] = found.exact
    return bounds


def _joint(name: str, pair: Pair, how: Setting) -> DifferenceBounds:
    """Both scores over one number of relevant documents, or one ideal, or over nothing."""
    if name in LINEAR:
        coefficients, base = _combined(name, pair, how)
        lower, upper = weighted_bounds(name, pair.first, how, coefficients, base)
        return DifferenceBounds(lower, upper, np.ones(len(base), dtype=np.bool_))
    tops = Tops.of(pair.first, pair.second, pair.place_in_second, how)
    most, most_exact = _greatest(name, tops, how)
    least, least_exact = _greatest(name, tops.swapped(), how)
    never = np.isneginf(most)
    return DifferenceBounds(
        np.where(never, np.nan, 0.0 - least),
        np.where(never, np.nan, most),
        never | (most_exact & least_exact),
    )


def _greatest(name: str, tops: Tops, how: Setting) -> Solved:
    """The greatest first minus second, -inf where it is never defined; and where that is exact."""
    depth = max(tops.first.shape[1], tops.second.shape[1])
    if name in _BY_COUNTING:
        best = _BY_COUNTING[name](tops, how, depth)
        return best, np.ones(len(best), dtype=np.bool_)
    if name == "ERR":
        return _searched(err_differences.readers(tops, how), err_differences.greatest, tops)
    if name in ("AP", "infAP"):
        worth = rank_worth(name, depth)
        return _searched(
            precision_differences.forms(tops, worth), precision_differences.greatest, tops
        )
    held = [(grades != EMPTY).sum(axis=1) for grades in (tops.first, tops.second)]
    alike = (tops.same_place & (tops.first != EMPTY)).sum(axis=1)
    same = np.asarray((held[0] == alike) & (held[1] == alike))
    return np.where(same, 0.0, 1.0), same


_BY_COUNTING: dict[str, Callable[[Tops, Setting, int], FloatArray]] = {
    "Hit": lambda tops, _, depth: binary_differences.first_relevant(
        tops, np.append(np.ones(depth), 0.0)
    ),
    "RR": lambda tops, _, depth: binary_differences.first_relevant(
        tops, np.append(1.0 / np.arange(1, depth + 1), 0.0)
    ),
    "F": lambda tops, how, _: binary_differences.f_measure(tops, how),
    "Rprec": lambda tops, _, __: binary_differences.r_precision(tops),
}


def _searched(
    queries: Iterable[Query], greatest: Callable[[Query, int], tuple[float, bool]], tops: Tops
) -> Solved:
    nodes = precision_differences.NODES if len(tops.first) <= SEARCHED else 1
    found = [greatest(query, nodes) for query in queries]
    return np.array([best for best, _ in found]), np.array([exact for _, exact in found])


def _with_zeros(found: DifferenceBounds, undefined: BoolArray) -> DifferenceBounds:
    """Undefined is 0 for both systems, and so is their difference then."""
    return DifferenceBounds(
        np.nan_to_num(np.where(undefined, np.fmin(found.lower, 0.0), found.lower)),
        np.nan_to_num(np.where(undefined, np.fmax(found.upper, 0.0), found.upper)),
        found.exact,
    )


def _same_documents(pair: Pair) -> BoolArray:
    """For which queries both systems returned the same documents."""
    first, second = pair.first.grades != EMPTY, pair.second.grades != EMPTY
    shared = first[:, : pair.place_in_second.shape[1]] & (pair.place_in_second >= 0)
    counts = [held.sum(axis=1) for held in (first, second, shared)]
    return np.asarray((counts[0] == counts[2]) & (counts[1] == counts[2]))


def _only(pair: Pair, rows: BoolArray) -> Pair:
    return Pair(pair.first.only(rows), pair.second.only(rows), pair.place_in_second[rows])


def _untied(rankings: JudgedRankings) -> JudgedRankings:
    """Whether a measure is defined does not hang on ties."""
    return replace(rankings, tied=None)


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
