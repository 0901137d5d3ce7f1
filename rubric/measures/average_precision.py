"""Average precision (Buckley and Voorhees 2000; trec_eval map)."""

from __future__ import annotations

import numpy as np

from rubric.arrays import BoolArray, FloatArray, GradeArray, ratio
from rubric.bounds.precision_sum import RankWorth, mean_bounds, mean_difference
from rubric.counts import found_at, known_of, ranks, relevant
from rubric.kind import REL, Equal, Kind
from rubric.rankings import JudgedRankings, place_in_row
from rubric.setting import Setting, Terms


def _average_precision(rankings: JudgedRankings, how: Setting) -> FloatArray:
    """Mean over the relevant judged documents of precision at their rank.

    A relevant document that was not retrieved (in the top k) counts 0.
    """
    return ratio(_total(relevant(rankings, how)), rankings.known(how.threshold))


def _total(found: BoolArray) -> FloatArray:
    """The sum of precision at each relevant rank."""
    rows, ranks = np.nonzero(found)
    precision = ratio(place_in_row(rows, len(found)) + 1, ranks + 1)
    return np.bincount(rows, weights=precision, minlength=len(found)).astype(np.float64)


def _worth(depth: int) -> RankWorth:
    """(1 + above) / rank."""
    inverse = 1.0 / np.arange(1, depth + 1, dtype=np.float64)
    return RankWorth(inverse, inverse)


def _terms(grades: GradeArray, ranking: JudgedRankings, how: Setting) -> Terms:
    found = found_at(grades, how)
    return found, np.cumsum(found) / ranks(grades), float(known_of(ranking, how))


AP = Kind(
    name="AP",
    says="average precision over the relevant documents",
    formula="sum of precision at each relevant rank / relevant judged",
    source="Buckley and Voorhees 2000; trec_eval map",
    parameters=REL,
    also=("map", "map_cut", "average_precision"),
    score=_average_precision,
    bounds=mean_bounds(_worth),
    terms=_terms,
    difference=mean_difference(_worth),
    over_relevant=True,
    equals={"trec_eval": Equal(), "ir_measures": Equal(), "ranx": Equal()},
)
