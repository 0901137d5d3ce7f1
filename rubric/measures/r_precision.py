"""Precision at R, the number of relevant judged documents (trec_eval Rprec)."""

from __future__ import annotations

import numpy as np

from rubric.arrays import BoolArray, FloatArray, GradeArray, IntArray, ratio
from rubric.bounds.difference import counted
from rubric.bounds.tops import Tops
from rubric.counts import found_at, known_of, ranks, reach, relevant
from rubric.kind import REL, Cutoff, Equal, Kind
from rubric.rankings import JudgedRankings, is_unjudged
from rubric.setting import Bounds, Setting, Terms


def _r_precision(rankings: JudgedRankings, how: Setting) -> FloatArray:
    known = rankings.known(how.threshold)
    early = np.arange(rankings.grades.shape[1]) < known[:, None]
    return ratio((early & (rankings.grades >= how.threshold)).sum(axis=1), known)


def _bounds(rankings: JudgedRankings, how: Setting) -> Bounds:
    """For each number of relevant documents, those outside the top R are so first, or last."""
    found, holes = relevant(rankings, how), is_unjudged(rankings.grades)
    more = np.arange(int(rankings.unjudged.max(initial=0)) + 1)
    known = rankings.known(how.threshold)[:, None] + more
    at = np.minimum(known, found.shape[1])
    hits, inside = (np.take_along_axis(reach(one), at, axis=1) for one in (found, holes))
    spare = rankings.unjudged[:, None] - inside
    may = more <= rankings.unjudged[:, None]
    least = np.where(may, ratio(hits + np.maximum(more - spare, 0), known), np.nan)
    most = np.where(may, ratio(hits + np.minimum(more, inside), known), np.nan)
    return np.fmin.reduce(least, axis=1), np.fmax.reduce(most, axis=1)


def _terms(grades: GradeArray, ranking: JudgedRankings, how: Setting) -> Terms:
    known = known_of(ranking, how)
    return found_at(grades, how), (ranks(grades) <= known).astype(np.float64), float(known)


def _greatest(tops: Tops, _: Setting) -> FloatArray:
    """The greatest difference: for each number of relevant documents the best choice is plain.

    First those that only the first's top R holds are relevant, then those of both or neither, and
    those of the second's alone at the last.
    """
    (found, other), (open_, theirs) = tops.relevant, tops.open_
    width = tops.depth
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
    rows, places = np.nonzero(tops.open_[0] & (tops.in_second >= 0))
    lower = np.maximum(places, tops.in_second[rows, places])
    counts = np.zeros((len(tops.first), width + 1), dtype=np.int64)
    np.add.at(counts, (rows, lower + 1), 1)
    return np.cumsum(counts, axis=1)


R_PRECISION = Kind(
    name="Rprec",
    says="precision at R, the number of relevant judged documents",
    formula="relevant in top R / R",
    source="trec_eval Rprec",
    parameters=REL,
    cutoff=Cutoff.NONE,
    also=("r_precision",),
    score=_r_precision,
    bounds=_bounds,
    terms=_terms,
    difference=counted(_greatest),
    over_relevant=True,
    equals={"trec_eval": Equal(), "ir_measures": Equal(), "ranx": Equal()},
)
