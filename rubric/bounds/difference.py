"""Ways to bound the difference of two systems on one measure, query by query."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeAlias, TypeVar

import numpy as np

from rubric.arrays import BoolArray, FloatArray
from rubric.bounds.pair import Pair
from rubric.bounds.tops import Tops
from rubric.rankings import EMPTY
from rubric.setting import Setting

NODES = 4096
"""Partial gradings of one query looked at side by side; what needs more is bounded, not solved."""
SEARCHED = 1000
"""Queries that are searched at most; if more are open each has the bound that is found first."""

Solved: TypeAlias = tuple[FloatArray, BoolArray]
"""The greatest first minus second of N queries, -inf where it is never defined; where exact."""
Query = TypeVar("Query")


@dataclass(frozen=True, eq=False)
class DifferenceBounds:
    """The least and greatest first minus second, and whether these are reached: shape (N,) each.

    NaN where the measure is never defined. Bounds that are not ``exact`` hold too, but no grading
    may reach them.
    """

    lower: FloatArray
    upper: FloatArray
    exact: BoolArray


@dataclass(frozen=True, eq=False)
class Difference:
    """How a difference is bounded, and in words how good these bounds are.

    ``bounds`` takes both scores over one number of relevant documents, or one ideal, or over
    nothing.
    """

    says: str
    bounds: Callable[[Pair, Setting], DifferenceBounds]


def counted(greatest: Callable[[Tops, Setting], FloatArray]) -> Difference:
    """Exact, from what gives the greatest first minus second, (N,), -inf where it is undefined."""

    def solved(tops: Tops, how: Setting) -> Solved:
        best = greatest(tops, how)
        return best, np.ones(len(best), dtype=np.bool_)

    return both_ways("exact", solved)


def searched(
    queries: Callable[[Tops, Setting], Iterable[Query]],
    greatest: Callable[[Query, int], tuple[float, bool]],
) -> Difference:
    """Query by query, ``greatest`` says with so many nodes the most and whether that is exact."""

    def solved(tops: Tops, how: Setting) -> Solved:
        nodes = NODES if len(tops.first) <= SEARCHED else 1
        found = [greatest(query, nodes) for query in queries(tops, how)]
        return np.array([best for best, _ in found]), np.array([exact for _, exact in found])

    return both_ways("exact, or marked loose where too much is unjudged", solved)


def both_ways(says: str, greatest: Callable[[Tops, Setting], Solved]) -> Difference:
    """The least is minus the greatest of the second minus the first."""

    def bounds(pair: Pair, how: Setting) -> DifferenceBounds:
        tops = Tops.of(pair.first, pair.second, pair.place_in_second, how)
        most, most_exact = greatest(tops, how)
        least, least_exact = greatest(tops.swapped(), how)
        never = np.isneginf(most)
        return DifferenceBounds(
            np.where(never, np.nan, 0.0 - least),
            np.where(never, np.nan, most),
            never | (most_exact & least_exact),
        )

    return Difference(says, bounds)


def _unless_alike(tops: Tops, _: Setting) -> Solved:
    held = [(grades != EMPTY).sum(axis=1) for grades in (tops.first, tops.second)]
    alike = (tops.same_place & (tops.first != EMPTY)).sum(axis=1)
    same = np.asarray((held[0] == alike) & (held[1] == alike))
    return np.where(same, 0.0, np.inf), same


LOOSE = both_ways("loose, and so marked, unless both rank alike", _unless_alike)
"""For any measure: the bounds of the two scores apart, and 0 where both systems rank alike."""
SETTLED = Difference("exact", LOOSE.bounds)
"""For a measure that no grade can change: each score is its own bounds."""
