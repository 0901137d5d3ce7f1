"""Two systems on one measure: the difference, what it could still become, and a verdict."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from rubric.arrays import BoolArray, FloatArray, IntArray
from rubric.bounds.pair import Pair
from rubric.evaluation.differences import difference_bounds
from rubric.evaluation.measure import Measure
from rubric.evaluation.scores import Rules, Scores, evaluate
from rubric.frames import frame
from rubric.html import table, within
from rubric.model.expectation import Estimate, expected, intervals, mean_over_queries, moments
from rubric.model.residuals import is_misled
from rubric.model.stopping import Support, Verdict, labels_to_verdict, likely_range, verdict
from rubric.results.significance import bootstrap_interval, effect_size, randomisation_test
from rubric.results.summary import believed, mean_bounds
from rubric.weights import mean, unequal

LEVEL = 0.05
WORLDS = 100
"""Drawn gradings that a test takes in, where there are any."""
_EQUAL = 1e-12


@dataclass(frozen=True, eq=False)
class Belief:
    """What the grade model adds to a comparison over N queries.

    Parameters
    ----------
    differences
        float64, shape (D, N): first minus second under each draw, NaN where it is undefined.
    shares
        float64, shape (u,): what each unjudged document adds to the variance, in any unit.
    support
        The labels of documents in either top k that a claim may rest on.
    without
        Where the grade model has learned from labels of language models, the differences as drawn
        from one that has not; None where it has not.
    residual_z
        There, how far grades came out above what was expected of them before: the sum, and the sum
        weighted by the first's discount less the second's (:mod:`rubric.model.residuals`).
    """

    differences: FloatArray
    shares: FloatArray
    support: Support
    without: FloatArray | None = None
    residual_z: tuple[float, float] | None = None


@dataclass(frozen=True, eq=False)
class Comparison:
    """First minus second on one measure; None stands for "undefined".

    Parameters
    ----------
    value
        The mean difference, if no grading of the unjudged documents could change it.
    lower, upper
        Its bounds over all gradings.
    exact
        Whether some grading reaches them; else they hold, but may be wider than need be.
    expected, expected95
        What it is expected to be once everything is judged, and the 95% interval of that; the
        value itself where there is one. None where no grades were drawn.
    estimate
        The number to show: the value, else what is expected, else zero-filled.
    zero_filled
        The mean difference with unjudged documents counted as grade 0.
    better
        P(first > second) on these queries, by the grade model; None where no grades were drawn.
    better_without
        The same without the labels of language models; None where they have no part in it.
    residual_z
        As of :class:`Belief`. Beyond 2.5 either way no claim is made on them.
    labels, missing
        Labels that a claim may rest on; how many more it takes at least until there is any.
    more_labels, more_range
        About how many more labels a verdict will take, and between how many it does in half of all
        cases; None where it is reached or not known.
    verdict
        Proved: the bounds exclude 0. Equal: they are 0. Credible: ``better`` is 0.975 or more one
        way or the other, on enough labels. Within 0.02: so is the chance of that. Else open.
    wins, losses, ties
        Queries by the sign of the point difference.
    p_value, ci95, effect
        Paired randomisation test, paired bootstrap interval and effect size of the point
        differences: about other queries than these. Where grades were drawn the first two take in
        the doubt about these; labels of language models have no part in them.
    unjudged
        Unjudged documents in either top k, each counted once.
    per_query, query_lower, query_upper, query_expected, query_zero_filled
        float64, shape (N,): point differences (as ``estimate``), bounds, expected and zero-filled
        differences, NaN where undefined.
    query_expected95
        The ends of the 95% interval of each expected difference, likewise.
    query_unjudged
        int64, shape (N,): ``unjudged`` of each query.
    query_exact
        bool, shape (N,): ``exact`` of each query.
    queries
        The queries' ids, where they are known.
    """

    measure: Measure
    value: float | None
    lower: float | None
    upper: float | None
    exact: bool
    expected: float | None
    expected95: tuple[float, float] | None
    estimate: float | None
    zero_filled: float | None
    better: float | None
    better_without: float | None
    residual_z: tuple[float, float] | None
    labels: int
    missing: int
    more_labels: int | None
    more_range: tuple[int, int] | None
    verdict: Verdict
    wins: int
    losses: int
    ties: int
    p_value: float | None
    ci95: tuple[float, float] | None
    effect: float | None
    unjudged: int
    per_query: FloatArray
    query_lower: FloatArray
    query_upper: FloatArray
    query_expected: FloatArray
    query_expected95: tuple[FloatArray, FloatArray]
    query_zero_filled: FloatArray
    query_unjudged: IntArray
    query_exact: BoolArray
    queries: npt.NDArray[np.object_] | None = None

    def columns(self) -> dict[str, Any]:
        """The ids where they are known, differences, and what is known of them, by name."""
        names = {} if self.queries is None else {"query": self.queries}
        low, high = self.query_expected95
        return names | {
            "difference": self.per_query,
            "lower": self.query_lower,
            "upper": self.query_upper,
            "expected": self.query_expected,
            "expected95_low": low,
            "expected95_high": high,
            "zero_filled": self.query_zero_filled,
            "unjudged": self.query_unjudged,
            "exact": self.query_exact,
        }

    def frame(self) -> Any:
        """:meth:`columns` as a frame of pandas or polars, a row a query."""
        return frame(self.columns())

    def _repr_html_(self) -> str:
        """What a notebook shows: the verdict and what it rests on."""
        rows = [
            ("verdict", self.verdict.value),
            ("value", self.value),
            ("[lower, upper]", within(self.lower, self.upper)),
            ("expected", self.expected),
            ("P(first better)", self.better),
            ("zero-filled", self.zero_filled),
            ("wins / losses / ties", f"{self.wins:,} / {self.losses:,} / {self.ties:,}"),
            ("p", self.p_value),
            ("unjudged documents", self.unjudged),
        ]
        return table([str(self.measure), "first minus second"], rows)


def compare(
    measure: Measure,
    pair: Pair,
    rules: Rules | None = None,
    *,
    scores: tuple[Scores, Scores] | None = None,
    belief: Belief | None = None,
    weights: FloatArray | None = None,
    seed: int = 0,
    tests: bool = True,
) -> Comparison:
    """Compare two systems on one measure over N queries; without ``tests`` on these alone.

    ``scores`` are those of the two rankings, if they are known already.

    ``weights`` (N,) say how much each query counts (:mod:`rubric.weights`): in means, bounds,
    chances, test and interval; wins and losses are counts of queries.

    A query counts if the measure is defined for it by the labels there are (both systems have the
    same judged documents, so it is defined for both or neither), or if most draws define it; the
    bounds take in the queries that may yet turn out to count.
    """
    rules, weights = rules or Rules(), unequal(weights)
    rankings = (pair.first, pair.second)
    first, second = scores or (evaluate(measure, one, rules) for one in rankings)
    bounds = difference_bounds(measure, pair, rules, first, second)
    lower, upper = bounds.lower, bounds.upper
    doubtful = first.doubtful | second.doubtful
    least, most = mean_bounds(lower, upper, doubtful & ~np.isnan(lower), weights)
    zero_filled = first.zero_filled - second.zero_filled
    settled = least is not None and most is not None and most - least <= _EQUAL
    value = _mean(zero_filled, weights) if settled and not doubtful.any() else None
    hoped = low95 = high95 = np.full(len(lower), np.nan)
    hoped_mean = None
    if belief is not None:
        hoped = expected(belief.differences, lower, upper)
        low95, high95 = intervals(belief.differences, lower, upper)
        hoped_mean = Estimate.over(mean_over_queries(belief.differences, weights))
    guess = zero_filled if belief is None else hoped
    certain = (upper - lower <= _EQUAL) & ~doubtful
    points = np.where(certain, zero_filled, guess)
    counts = ~np.isnan(points)
    counted, held = points[counts], None if weights is None else weights[counts]
    worlds = tested = counted
    if belief is not None and value is None:
        drawn = belief.differences
        if belief.without is not None:  # a test takes in what people say alone
            drawn = belief.without
            tested = np.where(certain, zero_filled, moments(drawn)[0])[counts]
        worlds = np.where(certain, zero_filled, drawn[:WORLDS])[:, counts]
    likely, likely95 = believed(value, least, most, hoped_mean)
    without = None
    if belief is not None and belief.without is not None:
        without = Estimate.over(mean_over_queries(belief.without, weights))
    support, off = (None, None) if belief is None else (belief.support, belief.residual_z)
    misled = is_misled(off)
    said = verdict(least, most, hoped_mean, support, without, misled=misled)
    ahead, ahead_range = _ahead(said, belief, weights) or (None, None)
    unjudged = _unjudged(pair, measure.k)
    return Comparison(
        measure=measure,
        value=value,
        lower=least,
        upper=most,
        exact=bool(bounds.exact.all()),
        expected=likely,
        expected95=likely95,
        estimate=_mean(points, weights) if likely is None else likely,
        zero_filled=_mean(zero_filled, weights),
        better=None if hoped_mean is None or likely is None else hoped_mean.above(),
        residual_z=off,
        better_without=None if without is None or likely is None else without.above(),
        labels=0 if belief is None else belief.support.labels,
        missing=0 if belief is None else belief.support.missing,
        more_labels=ahead,
        more_range=ahead_range,
        verdict=said,
        wins=int(np.sum(counted > _EQUAL)),
        losses=int(np.sum(counted < -_EQUAL)),
        ties=int(np.sum(np.abs(counted) <= _EQUAL)),
        p_value=randomisation_test(_weighted(worlds, held), seed=seed) if tests else None,
        ci95=bootstrap_interval(worlds, weights=held, seed=seed) if tests else None,
        effect=effect_size(tested, held),
        unjudged=int(unjudged.sum()),
        per_query=points,
        query_lower=lower,
        query_upper=upper,
        query_expected=np.where(certain, zero_filled, hoped),
        query_expected95=(
            np.where(certain, zero_filled, low95),
            np.where(certain, zero_filled, high95),
        ),
        query_zero_filled=zero_filled,
        query_unjudged=unjudged,
        query_exact=bounds.exact,
    )


def _ahead(
    verdict: Verdict, belief: Belief | None, weights: FloatArray | None
) -> tuple[int, tuple[int, int]] | None:
    """About how many more labels an open verdict will take, and between how many."""
    if verdict is not Verdict.OPEN or belief is None:
        return None
    worlds = mean_over_queries(belief.differences, weights)
    more = labels_to_verdict(worlds, belief.shares, belief.support)
    return (more, likely_range(more, belief.support, len(belief.shares))) if more else None


def _unjudged(pair: Pair, k: int | None) -> IntArray:
    """Unjudged documents of each query in either top k, those in both once."""
    first, second = pair.first.open_in_top(k), pair.second.open_in_top(k)
    place = pair.place_in_second[:, : first.shape[1]]
    rows, ranks = np.nonzero(first & (place >= 0) & (place < second.shape[1]))
    shared = np.bincount(rows, second[rows, place[rows, ranks]], minlength=len(first))
    count: IntArray = first.sum(axis=1) + second.sum(axis=1) - shared.astype(np.int64)
    return count


def _mean(points: FloatArray, weights: FloatArray | None) -> float | None:
    counts = ~np.isnan(points)
    return mean(points[counts], None if weights is None else weights[counts])


def _weighted(worlds: FloatArray, weights: FloatArray | None) -> FloatArray:
    """Differences whose plain sum is the weighted one, in about their own size."""
    return worlds if weights is None else worlds * (weights / weights.mean())
