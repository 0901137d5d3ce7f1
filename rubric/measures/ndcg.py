"""Normalised discounted cumulative gain (Järvelin and Kekäläinen 2002)."""

from __future__ import annotations

import numpy as np

from rubric.arrays import FloatArray, GradeArray, IntArray
from rubric.bounds.weighted_sum import WeightedSum, ideal_of
from rubric.kind import GAIN, Equal, Kind, in_first_ranks
from rubric.rankings import gains_at


def discounts(k: int) -> FloatArray:
    """1 / log2(rank + 1) for ranks 1..k: shape (k,)."""
    return 1.0 / np.log2(np.arange(2, k + 2, dtype=np.float64))


def discount_sums(k: int) -> FloatArray:
    """The sum of the first n discounts, n = 0..k: shape (k + 1,)."""
    return np.concatenate([[0.0], np.cumsum(discounts(k))])


def dcg(grades: GradeArray, gains: FloatArray, k: int | None) -> FloatArray:
    """DCG at k of each ranking, unjudged documents gaining nothing.

    Parameters
    ----------
    grades
        int8, shape (N, depth).
    gains
        Gain of each grade 0..G, shape (G + 1,).
    k
        Cutoff; ranks after it are not looked at.

    Returns
    -------
    float64, shape (N,), from 0 up.

    >>> import numpy as np
    >>> dcg(np.array([[2, 0, 3, 1, 0]], dtype=np.int8), np.array([0.0, 1, 3, 7]), 5).round(3)
    array([6.931])
    """
    cut = grades[:, :k]
    return gains_at(cut, gains) @ discounts(cut.shape[1])


def ideal_dcg(judged_at_least: IntArray, gains: FloatArray, k: int) -> FloatArray:
    """DCG at k of the best ranking of the judged documents.

    Parameters
    ----------
    judged_at_least
        int64, shape (N, G): judged documents with grade t or more, t = 1..G.

    Returns
    -------
    float64, shape (N,); 0 where nothing judged has a gain.
    """
    return ideal_of(judged_at_least, gains, discount_sums(k))


_SUM = WeightedSum(
    lambda _, ranks: discounts(ranks),
    # Without a cutoff the ideal takes in every document of the query.
    lambda how, documents: discount_sums(documents if how.k is None else how.k),
)

NDCG = Kind(
    name="nDCG",
    says="discounted gain as a share of the best that the judged documents allow",
    formula="DCG / DCG of the ideal ranking of all judged documents",
    source="Järvelin and Kekäläinen 2002; exponential gain: Burges et al. 2005",
    parameters=GAIN,
    also=("ndcg_cut", "normalized_dcg"),
    score=_SUM.score,
    bounds=_SUM.bounds,
    terms=_SUM.terms,
    weight="discount",
    weighted=_SUM,
    difference=_SUM.difference,
    over_relevant=True,
    full_ideal=True,
    foreseen=in_first_ranks,
    equals={
        "trec_eval": Equal(),
        "ir_measures": Equal(),
        "ranx": Equal(),
        "sklearn": Equal(),
    },
)
