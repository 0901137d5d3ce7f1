"""Bounds of the difference of two systems, query by query, as one quantity.

A document that both systems returned moves both scores. How that is bounded, each measure says:
see :mod:`rubric.bounds.difference`. What is not exact is marked so.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from rubric.arrays import BoolArray
from rubric.bounds.difference import DifferenceBounds
from rubric.bounds.pair import Pair
from rubric.evaluation.measure import Measure
from rubric.evaluation.scores import Rules, Scores, setting
from rubric.rankings import JudgedRankings, own_documents_only

_EQUAL = 1e-12


def difference_bounds(
    measure: Measure, pair: Pair, rules: Rules, first: Scores, second: Scores
) -> DifferenceBounds:
    """Bound (first - second) over all gradings of the unjudged documents.

    Parameters
    ----------
    first, second
        The two systems' own scores on this measure.
    """
    lower, upper = first.lower - second.upper, first.upper - second.lower
    each = DifferenceBounds(lower, upper, np.isnan(upper) | (upper - lower <= _EQUAL))
    how, joint = setting(measure, rules, pair.first.top), np.ones(len(lower), dtype=np.bool_)
    if rules.own_ideal and measure.kind.over_relevant:
        # Two ideals are one where both systems returned the same documents.
        joint = pair.same_documents()
        pair = replace(
            pair, first=own_documents_only(pair.first), second=own_documents_only(pair.second)
        )
    joint &= ~each.exact
    if not joint.any():
        return each
    found = measure.kind.difference.bounds(pair.only(joint), how)
    if rules.empty_ideal_zero:
        undefined = np.isnan(measure.kind.score(_untied(pair.first), how)[joint])
        found = _with_zeros(found, undefined)
    # Where the search was given up, what each score alone could be may say more.
    bounds = DifferenceBounds(lower.copy(), upper.copy(), each.exact.copy())
    bounds.lower[joint] = np.fmax(found.lower, lower[joint])
    bounds.upper[joint] = np.fmin(found.upper, upper[joint])
    bounds.exact[joint] = found.exact
    return bounds


def _with_zeros(found: DifferenceBounds, undefined: BoolArray) -> DifferenceBounds:
    """Undefined is 0 for both systems, and so is their difference then."""
    return DifferenceBounds(
        np.nan_to_num(np.where(undefined, np.fmin(found.lower, 0.0), found.lower)),
        np.nan_to_num(np.where(undefined, np.fmax(found.upper, 0.0), found.upper)),
        found.exact,
    )


def _untied(rankings: JudgedRankings) -> JudgedRankings:
    """Whether a measure is defined does not hang on ties."""
    return replace(rankings, tied=None)
