"""When to stop judging: what the grade model lets one say of two systems, and how far off that is.

The rule was tried on four collections, in several orders of judging, on hundreds of tasks of two
systems, looking again about 50 times in each: docs/effort.md tells how often it was wrong.
"""

from __future__ import annotations

import math
from enum import StrEnum
from typing import NamedTuple

import numpy as np

from rubric.arrays import BoolArray, FloatArray, IntArray
from rubric.model.expectation import NORMAL_95, SPREAD, Estimate

SURE = 0.975
"""The chance from which on a claim is made: the 95% interval of what is expected then leaves out
what is ruled out. Who looks again after every few labels would meet 95% by luck too often."""
LEAST_LABELS, LEAST_QUERIES, LEAST_LOWER = 30, 15, 10
"""Fewer labels than this, of fewer queries, or of fewer documents that no system ranks first (of
all, where there are no more), and nothing is claimed but what is proved. A few queries say little
of how rich the others are, and first ranks of how the systems fare below."""
CLUSTERED_LABELS, CLUSTERED_QUERIES = 80, 20
"""So many labels and more must be of more queries: many of few queries resemble one another."""
MARGIN = 0.02
"""Two systems closer than this are told to be no further apart."""

_EQUAL = 1e-12
_LESSONS, _FIRST_LESSONS = 3, 30
"""So many labels, for each that there is and to begin with, halve the doubt about the rest."""
_OFF_BY = 2
"""Half of the campaigns take up to so many times more or fewer labels than foreseen."""


class Verdict(StrEnum):
    """What the labels say about two systems on these queries."""

    PROVED = "proved"
    EQUAL = "equal"
    CREDIBLE = "credible"
    WITHIN = f"within {MARGIN:g}"
    OPEN = "open"

    @property
    def settled(self) -> bool:
        """Whether no missing label can change it."""
        return self in (Verdict.PROVED, Verdict.EQUAL)


class Support(NamedTuple):
    """What a claim rests on: labels of the documents in question that were not picked by eye.

    ``queries`` are those that have any such label, of ``every_query``; ``lower`` are the labels of
    documents that no system in question ranks first, of ``every_lower`` such documents.
    """

    labels: int
    queries: int
    every_query: int
    lower: int
    every_lower: int

    @classmethod
    def of(cls, judged: BoolArray, query: IntArray, first: BoolArray) -> Support:
        """The support by n documents in question: whether judged, their query, if ranked first."""
        return cls(
            labels=int(judged.sum()),
            queries=len(np.unique(query[judged])),
            every_query=len(np.unique(query)),
            lower=int(np.sum(judged & ~first)),
            every_lower=int(np.sum(~first)),
        )

    @property
    def few_queries(self) -> bool:
        """Whether a claim on many labels would need labels of more queries."""
        return self.queries < min(CLUSTERED_QUERIES, self.every_query)

    @property
    def few_lower(self) -> bool:
        """Whether a claim needs more labels of documents that no system ranks first."""
        return self.lower < min(LEAST_LOWER, self.every_lower)

    @property
    def missing(self) -> int:
        """How many labels are missing, at the least, until anything may be claimed."""
        clustered = min(self.labels / CLUSTERED_LABELS, 1) * CLUSTERED_QUERIES
        least = max(LEAST_QUERIES, math.ceil(clustered))
        queries = min(least, self.every_query) - self.queries
        lower = min(LEAST_LOWER, self.every_lower) - self.lower
        return max(LEAST_LABELS - self.labels, queries, lower, 0)


def is_clear(difference: Estimate) -> bool:
    """Whether one system is better with the chance that is asked for, whatever that rests on."""
    above = difference.above()
    return max(above, 1 - above) >= SURE


def is_credible(difference: Estimate, support: Support) -> bool:
    """Whether one system is better with the chance that is asked for, on enough labels."""
    return not support.missing and is_clear(difference)


def bears_out(without: Estimate | None, claim: Verdict, difference: Estimate) -> bool:
    """Whether a model without models' labels says the same, at least half as surely.

    That is half as many standard deviations from what the claim rules out as the claim asks for.
    None, as no labels of models had a part in it, bears out everything.
    """
    if without is None:
        return True
    half = NORMAL_95 * SPREAD * without.sd / 2
    if claim is Verdict.WITHIN:
        return abs(without.mean) + half <= MARGIN
    return without.mean * difference.mean > 0 and abs(without.mean) >= half


def verdict(
    lower: float | None,
    upper: float | None,
    difference: Estimate | None,
    support: Support | None,
    without: Estimate | None = None,
    *,
    misled: bool = False,
) -> Verdict:
    """What may be said of two systems: the one answer that comparisons, orders and plans go by.

    Parameters
    ----------
    lower, upper
        Exact bounds of the difference, or of a positive multiple of it; None where it is undefined.
    difference
        What it is expected to be; None where nothing is expected.
    support
        The labels that a claim may rest on; a proof needs none.
    without
        Where labels of language models had a part in the difference, what it is expected to be
        without them.
    misled
        Whether people's grades show that these labels mislead: then nothing is claimed.
    """
    if lower is None or upper is None:
        return Verdict.OPEN
    if lower > _EQUAL or upper < -_EQUAL:
        return Verdict.PROVED
    if lower >= -_EQUAL and upper <= _EQUAL:
        return Verdict.EQUAL
    if difference is None or support is None or math.isnan(difference.mean):
        return Verdict.OPEN
    claim = _claimed(difference, support)
    return claim if bears_out(without, claim, difference) and not misled else Verdict.OPEN


def _claimed(difference: Estimate, support: Support) -> Verdict:
    if is_credible(difference, support):
        return Verdict.CREDIBLE
    beyond = 1 - difference.above(-MARGIN), difference.above(MARGIN)
    near = not support.missing and max(beyond) <= 1 - SURE
    return Verdict.WITHIN if near else Verdict.OPEN


def labels_to_verdict(differences: FloatArray, shares: FloatArray, support: Support) -> int:
    """About how many more labels a credible verdict, or one within the margin, will take.

    Every draw is a world with a true difference in it, and asks for a doubt small enough to tell
    that difference from 0 (or to tell that it is below the margin). The doubt left after m labels
    is what the documents not judged by then add to it, those that add most being judged first, and
    less than that by what m labels teach of the others, as seen in campaigns of which the end is
    known. The median over the worlds is given: half of them take longer.

    Parameters
    ----------
    differences
        float64, shape (D,): the difference under each draw; NaN is left out.
    shares
        float64, shape (u,): what each unjudged document adds to the variance, in any unit.
    support
        What a claim could rest on so far.

    Returns
    -------
    From 1, as what is open takes a label at least, to u; 0 where no document is left, or no world
    defines the difference.
    """
    worlds = differences[~np.isnan(differences)]
    if not len(worlds) or not len(shares):
        return 0
    apart = np.abs(worlds)
    tolerable = np.maximum(apart, MARGIN - apart) / NORMAL_95
    judged = np.concatenate([[0.0], np.cumsum(-np.sort(-shares))])
    left = np.clip(1 - judged / judged[-1], 0, 1) if judged[-1] > 0 else np.zeros(1)
    known = _LESSONS * support.labels + _FIRST_LESSONS
    left = left * known / (known + np.arange(len(left)))
    doubt = SPREAD * float(worlds.std()) * np.sqrt(left)
    needed: IntArray = np.searchsorted(-doubt, -tolerable)
    least = min(max(support.missing, 1), len(shares))
    return max(int(np.median(np.minimum(needed, len(shares)))), least)


def likely_range(more: int, support: Support, unjudged: int) -> tuple[int, int]:
    """Between how many more labels about half of all campaigns end, if ``more`` are foreseen."""
    least = max(1, math.ceil(more / _OFF_BY), support.missing)
    return min(least, unjudged), min(math.floor(more * _OFF_BY), unjudged)


def too_many_by_eye(by_eye: int, labels: int) -> bool:
    """Whether so many labels are of documents picked by eye that the model may not be used.

    It learns from none of these, but it does not know why the others were passed over either: with
    more than a tenth of the labels (or of the 30 that a claim needs) picked, only bounds hold.
    """
    return by_eye > 0.1 * max(labels, LEAST_LABELS)
