"""Measures made for incomplete judgments: bpref and infAP; their bounds here are not exact."""

from __future__ import annotations

import numpy as np

from rubric.arrays import FloatArray, IntArray, ratio
from rubric.families import Setting, loose_bounds
from rubric.rankings import UNJUDGED, JudgedRankings

EPSILON = 0.00001
"""The smoothing of trec_eval's infAP."""


def _bpref(rankings: JudgedRankings, setting: Setting) -> FloatArray:
    """Buckley and Voorhees 2004, in trec_eval's form; only judged documents count.

    Mean over the R relevant judged documents of 1 - (non-relevant above, at most R) / min(R, N),
    and 1 for those with no non-relevant document above.
    """
    grades = rankings.grades
    known = rankings.known(setting.threshold)
    nonrelevant = rankings.judged.sum(axis=1) - known
    above = np.cumsum((grades >= 0) & (grades < setting.threshold), axis=1)
    least = np.maximum(np.minimum(known, nonrelevant), 1)[:, None]
    each = np.where(above == 0, 1.0, 1.0 - np.minimum(above, known[:, None]) / least)
    return ratio(np.where(grades >= setting.threshold, each, 0.0).sum(axis=1), known)


def _inf_ap(rankings: JudgedRankings, setting: Setting) -> FloatArray:
    """Yilmaz and Aslam 2006, in trec_eval's form: the pool is a sample, part of it judged.

    At a relevant document of rank r, with j = r - 1 documents above it, the expected precision is
    1/r + (j/r) * (pooled above / j) * (relevant above + e) / (judged above + 2e).
    """
    grades = rankings.grades
    found = grades >= setting.threshold
    relevant_above: IntArray = np.cumsum(found, axis=1) - found
    judged_above: IntArray = np.cumsum(grades >= 0, axis=1) - (grades >= 0)
    pooled_above = judged_above + np.cumsum(grades == UNJUDGED, axis=1)
    ranks = np.arange(1, grades.shape[1] + 1)
    share = (relevant_above + EPSILON) / (judged_above + 2 * EPSILON)
    each = 1.0 / ranks + np.where(ranks > 1, pooled_above / ranks * share, 0.0)
    known = rankings.known(setting.threshold)
    return ratio(np.where(found, each, 0.0).sum(axis=1), known)


BPREF = loose_bounds(_bpref)
INF_AP = loose_bounds(_inf_ap)
