"""From arrays of scores to the numbers of a scoreboard."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from annotator.domain import FloatArray
from annotator.results.scores import MeasureScore, QueryScore
from rubric import Measure, Scores, summarise
from rubric.model.expectation import intervals


def measured(
    measure: Measure,
    qids: Sequence[str],
    scores: Scores,
    missing: int,
    *,
    draws: FloatArray | None = None,
    weights: FloatArray | None = None,
    seed: int = 0,
) -> MeasureScore:
    """One measure of one system over the queries that count; ``missing`` had no results."""
    return MeasureScore(
        measure=str(measure),
        summary=summarise(scores, draws=draws, weights=weights, seed=seed),
        missing=missing,
        per_query=tuple(_query_scores(qids, scores, draws)),
    )


def _query_scores(
    qids: Sequence[str], scores: Scores, draws: FloatArray | None
) -> list[QueryScore]:
    low, high = scores.value, scores.value
    if draws is not None:
        ends = intervals(draws, scores.lower, scores.upper)
        low, high = (np.where(np.isnan(scores.value), end, scores.value) for end in ends)
    expected = scores.value if scores.expected is None else scores.point
    columns = [
        scores.value, scores.lower, scores.upper, expected, scores.condensed, scores.zero_filled,
        low, high,
    ]  # fmt: skip
    numbers = [[None if x != x else x for x in column.tolist()] for column in columns]
    unjudged = (scores.places - scores.judged).tolist()
    doubtful = scores.doubtful.tolist()
    return [
        QueryScore(
            query=qid,
            value=value,
            lower=lower,
            upper=upper,
            expected=expected,
            condensed=condensed,
            zero_filled=zero_filled,
            unjudged=holes,
            defined="maybe" if maybe else "no" if upper is None else "yes",
            expected95=None if low is None or high is None else (low, high),
        )
        for qid, value, lower, upper, expected, condensed, zero_filled, low, high, holes, maybe in (
            zip(qids, *numbers, unjudged, doubtful, strict=True)
        )
    ]
