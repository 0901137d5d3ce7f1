"""Expected reciprocal rank of where a reader is satisfied (Chapelle et al. 2009).

It is linear in the chance that one document satisfies the reader, so a difference is greatest
where every unjudged document has the highest grade or grade 0. One that only the first system holds
has the highest, one that only the second holds has 0; those that both hold are searched.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from rubric.arrays import FloatArray, GradeArray, IntArray
from rubric.bounds.difference import searched
from rubric.bounds.monotone import monotone
from rubric.bounds.tops import Tops
from rubric.kind import GAIN, Kind, in_first_ranks
from rubric.rankings import JudgedRankings, gains_at
from rubric.setting import Setting, Terms

_EQUAL = 1e-13
_SHORT = 40
"""Ranks up to which a ranking is searched with all nodes."""


def _err(rankings: JudgedRankings, how: Setting) -> FloatArray:
    """A reader is satisfied by a document with chance gain / (highest gain + 1), and stops there.

    That is (2^g - 1) / 2^G for the exponential gain.
    """
    return _err_of_stops(_stops(rankings.grades[:, : how.k], how))


def _stops(grades: GradeArray, how: Setting) -> FloatArray:
    """The chance that each document satisfies a reader who looks at it, 0 for an unjudged one."""
    return gains_at(grades, how.gains / (how.gains.max() + 1))


def _err_of_stops(stop: FloatArray, offset: int = 0) -> FloatArray:
    """ERR of chances to stop, (N, w), at the ranks behind the first ``offset``: shape (N,)."""
    reach = np.cumprod(np.hstack([np.ones((len(stop), 1)), 1 - stop]), axis=1)[:, :-1]
    return (reach * stop) @ (1.0 / np.arange(offset + 1, offset + stop.shape[1] + 1))


def _terms(grades: GradeArray, _: JudgedRankings, how: Setting) -> Terms:
    stop = _stops(grades, how)
    reach = np.cumprod(np.concatenate([[1.0], 1 - stop]))[: len(stop)]
    return stop, reach / np.arange(1, len(stop) + 1), 1.0


@dataclass(frozen=True, eq=False)
class Readers:
    """One query: the chances that a reader of the first and of the second stops at each rank.

    ``first`` and ``second``, shapes (v,) and (w,), hold them as if the documents at ``here`` in the
    first and ``there`` in the second, shapes (u,), had grade 0. With the highest grade, one stops
    there with chance ``top``. What both hold at the same ranks from the first on is cut off:
    ``offset`` ranks, after which a reader is still there with a chance of ``least`` to ``most``.
    """

    first: FloatArray
    second: FloatArray
    here: IntArray
    there: IntArray
    top: float
    offset: int
    least: float
    most: float

    def difference(self, mine: FloatArray, theirs: FloatArray) -> FloatArray:
        """First minus second, for chances of the searched documents in each: (n, u) each."""
        return self._err(self.first, self.here, mine) - self._err(self.second, self.there, theirs)

    def _err(self, base: FloatArray, ranks: IntArray, chances: FloatArray) -> FloatArray:
        every = np.tile(base, (len(chances), 1))
        every[:, ranks] = chances
        return _err_of_stops(every, self.offset)


def _readers(tops: Tops, how: Setting) -> Iterator[Readers]:
    """First minus second, query by query."""
    (open_, _), top = tops.open_, float(how.gains.max() / (how.gains.max() + 1))
    first = np.where(open_ & (tops.in_second < 0), top, _stops(tops.first, how))
    second = _stops(tops.second, how)
    both = open_ & (tops.in_second >= 0)
    prefix = np.cumprod(tops.same_place, axis=1).sum(axis=1)
    for row in range(len(first)):
        start = int(prefix[row])
        here = np.flatnonzero(both[row, start:]) + start
        judged = np.prod(1 - first[row, :start])
        yield Readers(
            first=first[row, start:],
            second=second[row, start:],
            here=here - start,
            there=tops.in_second[row, here] - start,
            top=top,
            offset=start,
            least=float(judged * (1 - top) ** np.count_nonzero(both[row, :start])),
            most=float(judged),
        )


def _greatest(query: Readers, nodes: int) -> tuple[float, bool]:
    """The greatest difference, and whether it is exact: else no grading gives more.

    Documents are decided from the first rank down. A partial grading is given up where the best
    that it can still become is no better than what was found.
    """
    tail, exact = _greatest_tail(query, nodes)
    return max(tail * query.least, tail * query.most), exact


def _greatest_tail(query: Readers, nodes: int) -> tuple[float, bool]:
    order = np.argsort(np.minimum(query.here, query.there), kind="stable")
    size, best = len(order), -np.inf
    nodes = nodes * _SHORT // max(_SHORT, len(query.first), len(query.second))
    chances = np.zeros((1, size))
    for depth in range(size + 1):
        left = order[depth:]
        high, low = chances.copy(), chances
        high[:, left] = query.top
        bounds = query.difference(high, low)
        earlier = chances.copy()
        earlier[:, left] = np.where(query.here < query.there, query.top, 0.0)[left]
        for whole in (low, high, earlier):
            best = max(best, float(query.difference(whole, whole).max()))
        keep = bounds > best + _EQUAL
        if not keep.any():
            return best, True
        if 2 * np.count_nonzero(keep) > nodes:
            return float(bounds.max()), False
        chances = np.repeat(chances[keep], 2, axis=0)
        chances[1::2, order[depth]] = query.top
    return best, True


ERR = Kind(
    name="ERR",
    says="expected reciprocal rank of where a reader is satisfied",
    formula="sum of 1/rank * stop * product of (1 - stop) above; stop = gain / (top gain + 1)",
    source="Chapelle et al. 2009",
    parameters=GAIN,
    also=("expected_reciprocal_rank",),
    score=_err,
    bounds=monotone(_err),
    terms=_terms,
    difference=searched(_readers, _greatest),
    foreseen=in_first_ranks,
)
