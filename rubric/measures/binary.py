"""Measures over relevant or not, each with exact bounds.

A document is relevant if its grade reaches the threshold. An unjudged document may turn out
either way, independently of the others, so each bound is reached by one plain choice.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from rubric.arrays import BoolArray, FloatArray, IntArray, ratio
from rubric.measures.family import Bounds, Family, Setting
from rubric.rankings import EMPTY, JudgedRankings, hopeful, is_unjudged

Score = Callable[[JudgedRankings, Setting], FloatArray]


def relevant(rankings: JudgedRankings, setting: Setting) -> BoolArray:
    """Where the top k holds a document known to be relevant: shape (N, k or depth)."""
    return np.asarray(rankings.grades[:, : setting.k] >= setting.threshold)


def hits(rankings: JudgedRankings, setting: Setting) -> IntArray:
    """How many documents of the top k are known to be relevant: shape (N,)."""
    count: IntArray = relevant(rankings, setting).sum(axis=1)
    return count


def _possible(rankings: JudgedRankings, setting: Setting) -> IntArray:
    """How many documents of the top k are unjudged."""
    count: IntArray = is_unjudged(rankings.grades[:, : setting.k]).sum(axis=1)
    return count


def _retrieved(rankings: JudgedRankings, setting: Setting) -> IntArray:
    """How many documents the top k holds."""
    count: IntArray = (rankings.grades[:, : setting.k] != EMPTY).sum(axis=1)
    return count


def _precision(rankings: JudgedRankings, setting: Setting) -> FloatArray:
    """Relevant documents in the top k over k, also where fewer were retrieved (trec_eval P)."""
    size = setting.k if setting.k is not None else _retrieved(rankings, setting)
    return hits(rankings, setting) / np.maximum(size, 1)


def _hit(rankings: JudgedRankings, setting: Setting) -> FloatArray:
    """1 where the top k holds a relevant document, else 0 (trec_eval success)."""
    return (hits(rankings, setting) > 0).astype(np.float64)


def _reciprocal_rank(rankings: JudgedRankings, setting: Setting) -> FloatArray:
    """1 / rank of the first relevant document, 0 if there is none (trec_eval recip_rank)."""
    found = relevant(rankings, setting)
    if not found.shape[1]:
        return np.zeros(len(found))
    return np.where(found.any(axis=1), 1.0 / (np.argmax(found, axis=1) + 1), 0.0)


def _recall(rankings: JudgedRankings, setting: Setting) -> FloatArray:
    """Relevant documents in the top k over all relevant judged ones; NaN if there are none."""
    return ratio(hits(rankings, setting), rankings.known(setting.threshold))


def _recall_bounds(rankings: JudgedRankings, setting: Setting) -> Bounds:
    """Least: only the documents outside the top k turn out relevant. Greatest: only those inside.

    Where nothing relevant is known and nothing unjudged lies outside, recall is 1 as soon as it
    is defined; where nothing lies inside, it is 0.
    """
    found, known = hits(rankings, setting), rankings.known(setting.threshold)
    inside, outside = _possible(rankings, setting), rankings.beside(setting.k)
    upper = ratio(found + inside, known + inside)
    lower = ratio(found, known + outside)
    lower = np.where(np.isnan(lower) & (inside > 0), 1.0, lower)
    return lower, np.where(np.isnan(upper) & (outside > 0), 0.0, upper)


def _f(rankings: JudgedRankings, setting: Setting) -> FloatArray:
    """Weighted harmonic mean of precision and recall (van Rijsbergen 1979; trec_eval set_F).

    With b = beta squared that is (1 + b) hits / (b relevant + retrieved).
    """
    known = rankings.known(setting.threshold)
    return _f_of(rankings, setting, hits(rankings, setting), known)


def _f_bounds(rankings: JudgedRankings, setting: Setting) -> Bounds:
    """Like recall: least with the documents outside relevant, greatest with those inside."""
    found, known = hits(rankings, setting), rankings.known(setting.threshold)
    inside, outside = _possible(rankings, setting), rankings.beside(setting.k)
    lower = _f_of(rankings, setting, found, known + outside)
    # With nothing relevant known or outside, F is defined as soon as one document inside counts.
    one = _f_of(rankings, setting, np.ones_like(found), np.ones_like(known))
    lower = np.where(np.isnan(lower) & (inside > 0), one, lower)
    upper = _f_of(rankings, setting, found + inside, known + inside)
    return lower, np.where(np.isnan(upper) & (outside > 0), 0.0, upper)


def _f_of(
    rankings: JudgedRankings, setting: Setting, found: IntArray, known: IntArray
) -> FloatArray:
    weight = setting.beta**2
    size = setting.k if setting.k is not None else _retrieved(rankings, setting)
    part: FloatArray = (1 + weight) * found.astype(np.float64)
    whole: FloatArray = weight * known.astype(np.float64) + size
    score = ratio(part, whole, undefined=0.0)
    return np.where(known > 0, score, np.nan)


def _r_precision(rankings: JudgedRankings, setting: Setting) -> FloatArray:
    """Precision at R, the number of relevant judged documents (trec_eval Rprec)."""
    known = rankings.known(setting.threshold)
    early = np.arange(rankings.grades.shape[1]) < known[:, None]
    return ratio((early & (rankings.grades >= setting.threshold)).sum(axis=1), known)


def _r_precision_bounds(rankings: JudgedRankings, setting: Setting) -> Bounds:
    """For each number of relevant documents, those outside the top R are so first, or last."""
    found, holes = relevant(rankings, setting), is_unjudged(rankings.grades)
    more = np.arange(int(rankings.unjudged.max(initial=0)) + 1)
    known = rankings.known(setting.threshold)[:, None] + more
    at = np.minimum(known, found.shape[1])
    hits, inside = (np.take_along_axis(reach(one), at, axis=1) for one in (found, holes))
    spare = rankings.unjudged[:, None] - inside
    may = more <= rankings.unjudged[:, None]
    least = np.where(may, ratio(hits + np.maximum(more - spare, 0), known), np.nan)
    most = np.where(may, ratio(hits + np.minimum(more, inside), known), np.nan)
    return np.fmin.reduce(least, axis=1), np.fmax.reduce(most, axis=1)


def reach(held: BoolArray) -> IntArray:
    """How many of these places the top R holds, R = 0..w: shape (N, w + 1)."""
    counts = np.zeros((len(held), held.shape[1] + 1), dtype=np.int64)
    np.cumsum(held, axis=1, out=counts[:, 1:])
    return counts


def _judged(rankings: JudgedRankings, setting: Setting) -> FloatArray:
    """Judged documents in the top k over the documents there (ir_measures Judged)."""
    judged = (rankings.grades[:, : setting.k] >= 0).sum(axis=1)
    return ratio(judged, _retrieved(rankings, setting), undefined=0.0)


def _rising(score: Score) -> Family:
    """A measure that only rises as unjudged documents turn out relevant: exact bounds."""

    def bounds(rankings: JudgedRankings, setting: Setting) -> Bounds:
        best = JudgedRankings(
            hopeful(rankings.grades, rankings.top), rankings.judged, rankings.unjudged
        )
        return score(rankings, setting), score(best, setting)

    return Family(score, bounds)


def _settled(score: Score) -> Family:
    """A measure that no grade of an unjudged document changes for this labelling."""
    return Family(score, lambda rankings, setting: (score(rankings, setting),) * 2)


P = _rising(_precision)
HIT = _rising(_hit)
RR = _rising(_reciprocal_rank)
R = Family(_recall, _recall_bounds)
F = Family(_f, _f_bounds)
R_PRECISION = Family(_r_precision, _r_precision_bounds)
JUDGED = _settled(_judged)
