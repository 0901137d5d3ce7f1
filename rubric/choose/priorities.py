"""Rules of choosing: what the label of each pooled document is worth to a question.

A rule gives the priorities of the documents of a few queries under the labels of the moment, the
largest to be judged next.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

import numpy as np

from rubric.arrays import FloatArray, GradeArray, IntArray
from rubric.choose.label_value import lesson, sensitivity
from rubric.choose.proof_gain import expected_rise
from rubric.choose.responses import expected_variance, responses
from rubric.choose.survey import Survey, free_pairs
from rubric.model.stopping import Support

Rule: TypeAlias = Callable[[GradeArray, IntArray], FloatArray]
"""From grades (Q, P) and the rows of R queries to priorities (R, P); only unjudged ones count."""

_TIE_BREAK = 1e-9


def towards_credibility(survey: Survey, lead: FloatArray) -> Rule:
    """By the expected square of what a label moves the sum of expected differences.

    ``lead`` is each document's weight in the first system less that in the second, (Q, P).
    """
    every, features = np.arange(len(lead)), survey.pooled.features
    slope = sensitivity(
        survey.outlook(lead[None], survey.grades, every),
        features,
        survey.chances,
        free_pairs(survey.pooled, survey.grades),
    )
    taught = lesson(survey.precision.covariance_times(slope), features, survey.chances)

    def priorities(grades: GradeArray, rows: IntArray) -> FloatArray:
        outlook = survey.outlook(lead[None], grades, rows)
        moved = responses(outlook)[0] + taught[rows]
        return np.asarray((moved**2 * outlook.probabilities).sum(axis=-1))

    return priorities


def towards_proof(survey: Survey, lead: FloatArray) -> Rule:
    """By the expected rise of the least that the leader can be ahead by.

    ``lead`` is each document's weight in the leader less that in the other, (Q, P).
    """

    def priorities(grades: GradeArray, rows: IntArray) -> FloatArray:
        rise = expected_rise(
            lead[rows],
            free_pairs(survey.pooled, grades)[rows],
            grades[rows],
            survey.probabilities[rows],
            survey.target,
        )
        return np.asarray(rise + _TIE_BREAK * np.abs(lead[rows]))

    return priorities


def between_systems(survey: Survey, weights: FloatArray) -> Rule:
    """By the variance of the pairwise differences' responses, weighted by pair, (S, S)."""

    def priorities(grades: GradeArray, rows: IntArray) -> FloatArray:
        outlook = survey.outlook(survey.weights, grades, rows)
        return expected_variance(responses(outlook), outlook.probabilities, weights)

    return priorities


def first_what_supports(
    rule: Rule, survey: Survey, systems: Sequence[int], lacking: Support | None
) -> Rule:
    """By a rule, but documents that count for none of the systems come last.

    With ``lacking``, the support that a claim on them has so far, those come first that it has too
    few of: of queries without a label, and of those that none of the systems ranks first.
    """
    pooled = survey.pooled
    own = pooled.known & survey.counts_for(*systems)
    lower = own & ~(pooled.ranks[list(systems)] == 1).any(axis=0)
    queries = lacking is not None and lacking.few_queries
    below_first = lacking is not None and lacking.few_lower

    def priorities(grades: GradeArray, rows: IntArray) -> FloatArray:
        worth = rule(grades, rows)
        worth = np.where(own[rows], worth, _TIE_BREAK * worth)
        if not queries and not below_first:
            return worth
        untouched = own[rows] & ~np.any(own[rows] & (grades[rows] >= 0), axis=1, keepdims=True)
        wanted = 1.0 * (queries * untouched) + below_first * lower[rows]
        return np.asarray(wanted + worth / (1 + worth))  # below 1, in the same order

    return priorities
