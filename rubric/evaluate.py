"""One measure over many judged rankings: what is known, and what could still become of it."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from rubric import binary
from rubric.arrays import BoolArray, FloatArray, IntArray, ratio
from rubric.gains import Gain
from rubric.measures import Measure
from rubric.ndcg import dcg, discounts, ideal_dcg
from rubric.rankings import EMPTY, JudgedRankings, condense, gains_at, is_unjudged
from rubric.ratio_bounds import RatioProblem, ratio_bounds

_EQUAL = 1e-12


@dataclass(frozen=True)
class Rules:
    """What a measure takes from the rubric unless its own spelling says otherwise.

    ``empty_ideal_zero`` gives 0 to a query without a relevant judged document, as trec_eval does,
    where the default is to leave it undefined.
    """

    gain: Gain = Gain()
    threshold: int = 1
    empty_ideal_zero: bool = False


@dataclass(frozen=True, eq=False)
class Scores:
    """One measure of N rankings; every array has shape (N,). NaN stands for "undefined".

    Parameters
    ----------
    lower, upper
        The least and greatest value that any grading of the unjudged documents could give. NaN
        where the measure is undefined under every grading.
    zero_filled
        Unjudged documents counted as grade 0 (what trec_eval prints).
    condensed
        Unjudged documents removed from the ranking.
    doubtful
        Whether some gradings leave the measure undefined and others do not.
    judged, places
        How many documents of the top k are judged, and how many there are.
    """

    lower: FloatArray
    upper: FloatArray
    zero_filled: FloatArray
    condensed: FloatArray
    doubtful: BoolArray
    judged: IntArray
    places: IntArray

    @property
    def value(self) -> FloatArray:
        """The score where it is determined (no grading could change it), else NaN."""
        settled = ~self.doubtful & (self.upper - self.lower <= _EQUAL)
        return np.where(settled, self.zero_filled, np.nan)

    @property
    def point(self) -> FloatArray:
        """The one number to sort by: the value, else the condensed score."""
        value = self.value
        return np.where(np.isnan(value), self.condensed, value)


def evaluate(measure: Measure, rankings: JudgedRankings, rules: Rules | None = None) -> Scores:
    """Score N rankings on one measure, with exact bounds over the unjudged documents.

    Raises
    ------
    RubricError
        If the measure's gain table does not fit the grades.

    >>> import numpy as np
    >>> one = JudgedRankings(
    ...     grades=np.array([[1, -1]], dtype=np.int8),  # rank 2 is unjudged
    ...     judged=np.array([[0, 1, 0, 0]]),
    ...     unjudged=np.array([1]),
    ... )
    >>> scores = evaluate(Measure.parse("nDCG@2"), one)
    >>> scores.zero_filled.round(2), scores.lower.round(2), scores.upper.round(2)
    (array([1.]), array([0.71]), array([1.]))
    """
    rules = rules or Rules()
    scores = (
        _ndcg(measure, rankings, measure.gain or rules.gain)
        if measure.name == "nDCG"
        else _binary(measure, rankings, measure.rel or rules.threshold)
    )
    return _with_zeros(scores) if rules.empty_ideal_zero else scores


def _with_zeros(scores: Scores) -> Scores:
    """Undefined is 0: a doubtful query may then be worth 0 as well as what it may be worth."""
    lower = np.where(scores.doubtful, np.minimum(scores.lower, 0), scores.lower)
    upper = np.where(scores.doubtful, np.maximum(scores.upper, 0), scores.upper)
    return replace(
        scores,
        lower=np.nan_to_num(lower),
        upper=np.nan_to_num(upper),
        zero_filled=np.nan_to_num(scores.zero_filled),
        condensed=np.nan_to_num(scores.condensed),
        doubtful=np.zeros_like(scores.doubtful),
    )


def _ndcg(measure: Measure, rankings: JudgedRankings, gain: Gain) -> Scores:
    k, gains = measure.k, gain.values(rankings.top)
    cut = rankings.cut(k)
    judged_at_least = rankings.judged_at_least()
    ideal = ideal_dcg(judged_at_least, gains, k)
    lower, upper = _ndcg_bounds(rankings, gains, k)
    return Scores(
        lower=lower,
        upper=upper,
        zero_filled=ratio(dcg(cut, gains, k), ideal),
        condensed=ratio(dcg(condense(rankings.grades), gains, k), ideal),
        doubtful=(ideal == 0) & ~np.isnan(upper),
        judged=np.sum(cut >= 0, axis=1),
        places=np.sum(cut != EMPTY, axis=1),
    )


def _ndcg_bounds(
    rankings: JudgedRankings, gains: FloatArray, k: int
) -> tuple[FloatArray, FloatArray]:
    cut = rankings.cut(k)
    unjudged = is_unjudged(cut)
    # Beyond k documents outside the ranking the ideal is full: more of them change nothing.
    outside = np.clip(rankings.unjudged - unjudged.sum(axis=1), 0, k)
    problem = RatioProblem(
        coefficients=np.hstack(
            [
                np.where(unjudged, discounts(k), -np.inf),
                np.where(np.arange(outside.max(initial=0)) < outside[:, None], 0.0, -np.inf),
            ]
        ),
        base=gains_at(cut, gains) @ discounts(k),
        judged_at_least=rankings.judged_at_least(),
        gains=gains,
        k=k,
    )
    return ratio_bounds(problem)


def _binary(measure: Measure, rankings: JudgedRankings, threshold: int) -> Scores:
    cut = rankings.cut(measure.k)
    known = np.sum(rankings.judged[:, threshold:], axis=1)
    unjudged = np.maximum(rankings.unjudged, is_unjudged(cut).sum(axis=1))
    family = binary.FAMILIES[measure.name]
    case = binary.Case(cut >= threshold, is_unjudged(cut), known, unjudged)
    lower, upper = family.bounds(case)
    closed = replace(rankings, grades=condense(rankings.grades)).cut(measure.k)
    closed_case = replace(case, relevant=closed >= threshold)
    zero_filled = family.score(case)
    return Scores(
        lower=lower,
        upper=upper,
        zero_filled=zero_filled,
        condensed=family.score(closed_case),
        doubtful=np.isnan(zero_filled) & ~np.isnan(upper),
        judged=np.sum(cut >= 0, axis=1),
        places=np.sum(cut != EMPTY, axis=1),
    )
