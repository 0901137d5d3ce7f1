"""The greatest difference of two systems on measures over relevant or not, exactly.

Each function gives the greatest first minus second over all gradings of what is unjudged, shape
(N,), -inf where no grading defines the measure. The least is minus the greatest of the second minus
the first.
"""

from __future__ import annotations

import numpy as np

from rubric.arrays import BoolArray, FloatArray, IntArray, ratio
from rubric.differences.tops import Tops
from rubric.measures.binary import reach
from rubric.measures.family import Setting
from rubric.rankings import EMPTY


def first_relevant(tops: Tops, worth: FloatArray) -> FloatArray:
    """Of what the rank of the first relevant document is worth, falling rank by rank.

    If the first's is at a rank, all that is unjudged elsewhere is best not relevant: the second's
    then stands at its first known one, or where it holds this same document. ``worth`` has shape
    (w + 1,) and ends in 0, which no relevant document is worth.
    """
    found, other = tops.relevant
    none, size = len(worth) - 1, found.shape[1]
    theirs = np.where(other.any(axis=1), np.argmax(other, axis=1), none) if other.size else none
    theirs = np.broadcast_to(theirs, len(found))[:, None]
    before: IntArray = np.cumsum(found, axis=1) - found
    may = (before == 0) & (found | tops.open_[0])
    there = np.where(tops.in_second >= 0, tops.in_second, none)
    each = np.where(may, worth[:size] - worth[np.minimum(there, theirs)], -np.inf)
    nothing = np.where(found.any(axis=1), -np.inf, -worth[theirs[:, 0]])
    return np.asarray(np.maximum(each.max(axis=1, initial=-np.inf), nothing))


def f_measure(tops: Tops, how: Setting) -> FloatArray:
    """Of F, (1 + b) hits / (b relevant + retrieved) with b = beta squared.

    A document that only the first holds is best relevant, one that only the second holds is best
    not. What remains are two numbers: how many of those that both hold are relevant, and how many
    beside; for given hits the difference has one turning point in the latter.
    """
    b = how.beta**2
    (found, other), (open_, theirs) = tops.relevant, tops.open_
    sizes = [
        np.full(len(one), how.k) if how.k is not None else (one != EMPTY).sum(axis=1)
        for one in (tops.first, tops.second)
    ]
    mine = (open_ & (tops.in_second < 0)).sum(axis=1)
    both = (open_ & (tops.in_second >= 0)).sum(axis=1)
    one, two = (size.astype(np.float64) for size in sizes)

    def value(hits: IntArray, others: IntArray, relevant: IntArray | FloatArray) -> FloatArray:
        each = ratio(hits, b * relevant + one, 0.0) - ratio(others, b * relevant + two, 0.0)
        return np.where(relevant > 0, (1 + b) * each, -np.inf)

    # Where nothing else can be relevant, one document of the second's has to be.
    forced = (theirs & (tops.in_first < 0)).any(axis=1)
    best = value(found.sum(axis=1), other.sum(axis=1) + 1, tops.known + 1)
    best = np.where(forced, best, -np.inf)
    for shared in range(int(both.max(initial=0)) + 1):
        hits, others = found.sum(axis=1) + mine + shared, other.sum(axis=1) + shared
        least = tops.known + mine + shared
        root = np.sqrt(ratio(others, hits, undefined=0.0))
        turn = ratio(root * one - two, 1.0 - root, undefined=0.0)
        turn = np.where(root > 1, ratio(two - root * one, root - 1.0, undefined=0.0), turn) / b
        for relevant in (least, least + tops.beside, np.floor(turn), np.ceil(turn)):
            count = np.clip(relevant, least, least + tops.beside)
            each = np.where(shared <= both, value(hits, others, count), -np.inf)
            best = np.maximum(best, each)
    return best


def r_precision(tops: Tops) -> FloatArray:
    """Of R-precision: for each number of relevant documents the best choice is plain.

    First those that only the first's top R holds are relevant, then those of both or neither, and
    those of the second's alone at the last.
    """
    (found, other), (open_, theirs) = tops.relevant, tops.open_
    width = max(found.shape[1], other.shape[1])
    found, other, open_, theirs = (_widened(one, width) for one in (found, other, open_, theirs))
    lead = reach(found) - reach(other)
    both = _reach_of_both(tops, width)
    mine, others = reach(open_) - both, reach(theirs) - both
    every = tops.beside + open_.sum(axis=1) + theirs.sum(axis=1) - both[:, -1]
    more = np.arange(int(every.max(initial=0)) + 1)
    relevant = tops.known[:, None] + more
    at = np.minimum(relevant, width)
    lead, mine, others = (np.take_along_axis(one, at, axis=1) for one in (lead, mine, others))
    forced = np.maximum(more - (every[:, None] - others), 0)
    values = ratio(lead + np.minimum(more, mine) - forced, relevant, undefined=-np.inf)
    return np.asarray(np.where(more <= every[:, None], values, -np.inf).max(axis=1))


def _widened(held: BoolArray, width: int) -> BoolArray:
    return np.pad(held, ((0, 0), (0, width - held.shape[1])))


def _reach_of_both(tops: Tops, width: int) -> IntArray:
    """How many unjudged documents both top R hold, R = 0..width: shape (N, width + 1)."""
    rows, ranks = np.nonzero(tops.open_[0] & (tops.in_second >= 0))
    lower = np.maximum(ranks, tops.in_second[rows, ranks])
    counts = np.zeros((len(tops.first), width + 1), dtype=np.int64)
    np.add.at(counts, (rows, lower + 1), 1)
    return np.cumsum(counts, axis=1)
