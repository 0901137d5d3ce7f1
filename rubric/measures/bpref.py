"""Bpref, made for incomplete judgments: only judged documents count."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from rubric.arrays import BoolArray, FloatArray, GradeArray, IntArray, ratio
from rubric.counts import found_at, known_of
from rubric.kind import REL, Cutoff, Equal, Kind
from rubric.rankings import JudgedRankings, is_unjudged, place_in_row
from rubric.setting import Bounds, Setting, Terms


def _bpref(rankings: JudgedRankings, how: Setting) -> FloatArray:
    """Buckley and Voorhees 2004, in trec_eval's form.

    Mean over the R relevant judged documents of 1 - (non-relevant above, at most R) / min(R, N),
    and 1 for those with no non-relevant document above.
    """
    grades = rankings.grades
    known = rankings.known(how.threshold)
    nonrelevant = rankings.judged.sum(axis=1) - known
    above = np.cumsum((grades >= 0) & (grades < how.threshold), axis=1)
    least = np.maximum(np.minimum(known, nonrelevant), 1)[:, None]
    each = np.where(above == 0, 1.0, 1.0 - np.minimum(above, known[:, None]) / least)
    return ratio(np.where(grades >= how.threshold, each, 0.0).sum(axis=1), known)


def _bounds(rankings: JudgedRankings, how: Setting) -> Bounds:
    """Exact: for each number of relevant documents among the unjudged ones the extremes are plain.

    Greatest where the first of the ranking are relevant, and those outside it only when there are
    no others; least where those outside it are, and then the last of the ranking.
    """
    found, holes = rankings.grades >= how.threshold, is_unjudged(rankings.grades)
    every, inside = rankings.unjudged[:, None], holes.sum(axis=1)[:, None]
    more = np.arange(int(every.max(initial=0)) + 1)
    relevant = rankings.known(how.threshold)[:, None] + more
    rest = rankings.judged.sum(axis=1)[:, None] + every - relevant
    least = np.maximum(np.minimum(relevant, rest), 1)
    first, last = np.minimum(more, inside), np.clip(more - (every - inside), 0, inside)
    spare = inside - last
    wrong = _WrongAbove(found, holes, (rankings.grades >= 0) & ~found, relevant)
    retrieved = found.sum(axis=1)[:, None]
    above = wrong.of_known(lambda holes_above: np.maximum(holes_above - first, 0))
    above += wrong.of_holes(np.zeros_like(first), first, np.zeros_like(first))
    most = retrieved + first - above / least
    above = wrong.of_known(lambda holes_above: np.minimum(holes_above, spare))
    above += wrong.of_holes(spare, np.broadcast_to(inside, spare.shape), spare)
    fewest = retrieved + last - above / least
    may = more <= every
    lower, upper = (np.where(may, ratio(one, relevant), np.nan) for one in (fewest, most))
    return np.fmin.reduce(lower, axis=1), np.fmax.reduce(upper, axis=1)


class _WrongAbove:
    """Sums over relevant documents of the non-relevant ones above each, at most R: (N, u + 1).

    Parameters
    ----------
    found, holes, wrong
        Where the rankings hold relevant, unjudged and non-relevant documents: shape (N, depth).
    relevant
        R for each m = 0..u: shape (N, u + 1).
    """

    def __init__(
        self, found: BoolArray, holes: BoolArray, wrong: BoolArray, relevant: IntArray
    ) -> None:
        self._relevant, self._depth = relevant, found.shape[1]
        above: IntArray = np.cumsum(wrong, axis=1)
        holes_above: IntArray = np.cumsum(holes, axis=1) - holes
        self._known = _packed(found, above), _packed(found, holes_above)
        among = _packed(holes, above)
        self._sums = np.pad(np.cumsum(np.maximum(among, 0), axis=1), ((0, 0), (1, 0)))
        rows, places = np.nonzero(holes)
        counts = np.zeros((len(found), self._depth + 2), dtype=np.int64)
        np.add.at(counts, (rows, above[rows, places] + 1), 1)
        self._up_to = np.cumsum(counts, axis=1)

    def of_known(self, others: Callable[[IntArray], IntArray]) -> IntArray:
        """Over the known ones; ``others`` says how many of the unjudged above each are wrong."""
        total = np.zeros_like(self._relevant)
        for above, holes_above in zip(*(one.T[:, :, None] for one in self._known), strict=True):
            each = np.minimum(above + others(holes_above), self._relevant)
            total += np.where(above >= 0, each, 0)
        return total

    def of_holes(self, start: IntArray, end: IntArray, others: IntArray) -> IntArray:
        """Over the unjudged ones from a start to an end, ``others`` unjudged ones being wrong."""
        below = np.clip(self._relevant - others, -1, self._depth) + 1
        split = np.clip(np.take_along_axis(self._up_to, below, axis=1), start, end)
        until, before = (np.take_along_axis(self._sums, one, axis=1) for one in (split, start))
        total: IntArray = until - before + others * (split - start) + self._relevant * (end - split)
        return total


def _packed(held: BoolArray, values: IntArray) -> IntArray:
    """The values at some places, row by row, -1 where a row has fewer."""
    rows, ranks = np.nonzero(held)
    place = place_in_row(rows, len(held))
    packed = np.full((len(held), int(place.max(initial=-1)) + 1), -1, dtype=np.int64)
    packed[rows, place] = values[rows, ranks]
    return packed


def _terms(grades: GradeArray, ranking: JudgedRankings, how: Setting) -> Terms:
    known = known_of(ranking, how)
    others = int(ranking.judged.sum()) - known
    above = np.cumsum((grades >= 0) & (grades < how.threshold))
    weight = 1.0 - np.minimum(above, known) / max(min(known, others), 1)
    return found_at(grades, how), np.where(above == 0, 1.0, weight), float(known)


BPREF = Kind(
    name="bpref",
    says="how seldom judged non-relevant documents stand above relevant ones",
    formula="mean over relevant of 1 - min(non-relevant above, R) / min(R, N)",
    source="Buckley and Voorhees 2004; trec_eval bpref",
    parameters=REL,
    cutoff=Cutoff.NONE,
    score=_bpref,
    bounds=_bounds,
    terms=_terms,
    over_relevant=True,
    equals={
        "trec_eval": Equal(),
        "ir_measures": Equal(),
        "ranx": Equal(
            note="counts negative grades as not relevant, and gives no number where no judged "
            "document is not relevant"
        ),
    },
)
