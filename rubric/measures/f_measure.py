"""The weighted harmonic mean of precision and recall (van Rijsbergen 1979; trec_eval set_F)."""

from __future__ import annotations

import numpy as np

from rubric.arrays import FloatArray, GradeArray, IntArray, ratio
from rubric.bounds.difference import counted
from rubric.bounds.tops import Tops
from rubric.counts import found_at, hits, known_of, possible, retrieved
from rubric.kind import REL, Equal, Kind
from rubric.rankings import EMPTY, JudgedRankings
from rubric.setting import Bounds, Setting, Terms


def _f(rankings: JudgedRankings, how: Setting) -> FloatArray:
    """With b = beta squared: (1 + b) hits / (b relevant + retrieved)."""
    return _f_of(rankings, how, hits(rankings, how), rankings.known(how.threshold))


def _bounds(rankings: JudgedRankings, how: Setting) -> Bounds:
    """Like recall: least with the documents outside relevant, greatest with those inside."""
    found, known = hits(rankings, how), rankings.known(how.threshold)
    inside, outside = possible(rankings, how), rankings.beside(how.k)
    lower = _f_of(rankings, how, found, known + outside)
    # With nothing relevant known or outside, F is defined as soon as one document inside counts.
    one = _f_of(rankings, how, np.ones_like(found), np.ones_like(known))
    lower = np.where(np.isnan(lower) & (inside > 0), one, lower)
    upper = _f_of(rankings, how, found + inside, known + inside)
    return lower, np.where(np.isnan(upper) & (outside > 0), 0.0, upper)


def _f_of(rankings: JudgedRankings, how: Setting, found: IntArray, known: IntArray) -> FloatArray:
    weight = how.beta**2
    size = how.k if how.k is not None else retrieved(rankings, how)
    part: FloatArray = (1 + weight) * found.astype(np.float64)
    whole: FloatArray = weight * known.astype(np.float64) + size
    score = ratio(part, whole, undefined=0.0)
    return np.where(known > 0, score, np.nan)


def _terms(grades: GradeArray, ranking: JudgedRankings, how: Setting) -> Terms:
    known, weight = known_of(ranking, how), how.beta**2
    size = how.k if how.k is not None else len(grades)
    norm = (weight * known + size) / (1 + weight) if known else 0.0
    return found_at(grades, how), np.ones(len(grades)), norm


def _greatest(tops: Tops, how: Setting) -> FloatArray:
    """The greatest difference.

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


F = Kind(
    name="F",
    says="weighted harmonic mean of precision and recall",
    formula="(1 + beta^2) P R / (beta^2 P + R)",
    source="van Rijsbergen 1979; trec_eval set_F",
    parameters={"beta": "1", **REL},
    also=("f1", "f1_score", "set_F"),
    score=_f,
    bounds=_bounds,
    terms=_terms,
    difference=counted(_greatest),
    over_relevant=True,
    equals={
        "trec_eval": Equal(("",), lacks=("beta",)),
        "ir_measures": Equal(("",), lacks=("beta",)),
        "ranx": Equal(lacks=("beta",)),
    },
)
