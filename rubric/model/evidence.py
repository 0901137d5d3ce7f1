"""Which labels the grade model may learn from, and whether anything may be claimed from them.

The model takes the documents without a label to be like those with one at the same ranks. That
holds of labels given in an order that knows ranks, queries and earlier labels, and nothing of the
documents. It fails where documents were labelled because of what they are: where a file lists
relevant documents only, say, or those that a language model liked.

Of labels whose origin is not known two things tell: hardly any is 0; or the queries whose labels
are good are those that have more labels than the ranks of their documents explain.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from rubric.arrays import BoolArray, FloatArray, GradeArray, IntArray
from rubric.model.grade_model import GradeModel
from rubric.model.pooled_ranks import PooledRanks
from rubric.model.stopping import LEAST_LABELS, too_many_by_eye

NO_ZEROS, FEW_ZEROS = 0.03, 0.10
"""Shares of grade 0 among labels of first ranks: below the first nothing is believed, below the
second less. Pools of eight collections had 0.21 to 0.90, of a single rich system from 0.04 on."""
DOUBT, LESS_DOUBT = 2.33, 1.0
"""From how many standard deviations on rich queries have more labels than chance gives (1 in 100);
the lower limit holds where few labels are 0."""
FEWEST = 5
"""Fewer labels than this tell nothing of how they were chosen."""
_OPEN = 0.1
"""With fewer unjudged documents than this, coverage has nothing to tell."""
_FEWEST_QUERIES = 4
_MOST, _SYSTEMS = 50_000, 40
"""Documents that are looked at, at most, and systems that their ranks are taken of."""


class Withheld(StrEnum):
    """Why nothing is expected or claimed."""

    NO_LABELS = "no labels"
    BY_EYE = "too many labels of documents picked by eye"
    BY_GRADE = "labels chosen by what the documents are"


@dataclass(frozen=True, eq=False)
class Evidence:
    """What may be learned from the labels of Q queries, up to P documents each.

    Parameters
    ----------
    learned
        bool, shape (Q, P): the labels that the model learns from.
    withheld
        Why nothing may be claimed from them; None where claims may be made.
    zeros, foreign
        How many of the labels of unknown origin are 0, and how many there are.
    """

    learned: BoolArray
    withheld: Withheld | None
    zeros: int
    foreign: int


def evidence(
    pooled: PooledRanks,
    grades: GradeArray,
    by_eye: BoolArray | None = None,
    foreign: BoolArray | None = None,
) -> Evidence:
    """Weigh the labels there are.

    Parameters
    ----------
    grades
        int8, shape (Q, P): below 0 where nobody has judged.
    by_eye
        bool, shape (Q, P): documents that were picked for judging by what they are.
    foreign
        bool, shape (Q, P): labels of which it is not known how their documents were chosen. None,
        as for ``by_eye``: none of them.
    """
    judged = pooled.known & (grades >= 0)
    nothing = np.zeros(judged.shape, dtype=np.bool_)
    picked = judged & (nothing if by_eye is None else by_eye)
    strange = judged & ~picked & (nothing if foreign is None else foreign)
    zeros, count = int(np.sum(strange & (grades == 0))), int(strange.sum())
    learned, withheld = judged & ~picked, None
    if not judged.any():
        withheld = Withheld.NO_LABELS
    elif too_many_by_eye(int(picked.sum()), int(judged.sum())):
        withheld = Withheld.BY_EYE
    elif count and chosen_by_grade(pooled, np.where(strange, grades, -1).astype(np.int8)):
        learned &= ~strange
        withheld = Withheld.BY_GRADE if int(learned.sum()) < LEAST_LABELS else None
    return Evidence(learned, withheld, zeros, count)


def chosen_by_grade(pooled: PooledRanks, grades: GradeArray) -> bool:
    """Whether labels look as if documents had been chosen for them by what they are.

    ``grades`` (Q, P) are below 0 where there is no label; of a few labels the answer is no.
    """
    judged = pooled.known & (grades >= 0)
    labels, documents = int(judged.sum()), int(pooled.known.sum())
    if labels < FEWEST or labels == documents:
        return False
    zeros = float(np.mean(grades[judged] == 0))
    if zeros < NO_ZEROS:
        return True
    if documents - labels < _OPEN * documents:
        return False
    return richness_of_coverage(pooled, grades) > (DOUBT if zeros >= FEW_ZEROS else LESS_DOUBT)


def richness_of_coverage(pooled: PooledRanks, grades: GradeArray) -> float:
    """How far rich queries have more labels than ranks explain, in standard deviations.

    Two models learn from the ranks: one which documents have a label, one which labels are above
    0. What each of them takes a query itself to add must have nothing to do with the other's if
    documents were chosen for judging by their ranks. Given is their correlation over the queries
    that have labels, times the root of the number of these: about standard normal then. Of many
    systems 40 are looked at, evenly spread: more explain coverage no better, and take far longer.
    """
    rows = _first(pooled)
    some = np.unique(np.linspace(0, pooled.systems - 1, _SYSTEMS).astype(np.int64))
    part = PooledRanks(pooled.ranks[some][:, rows], pooled.known[rows], pooled.k)
    judged = part.known & (grades[rows] >= 0)
    covered, rich = GradeModel(part, 1), GradeModel(part, 1)
    covered.fit(np.where(part.known, judged, -1).astype(np.int8))
    rich.fit(np.where(judged, grades[rows] > 0, -1).astype(np.int8))
    seen = judged.any(axis=1)
    if int(seen.sum()) < _FEWEST_QUERIES:
        return 0.0
    together = _correlation(covered.query_effects[seen], rich.query_effects[seen])
    return together * math.sqrt(int(seen.sum()))


def _first(pooled: PooledRanks) -> IntArray:
    """The first queries that hold no more documents than are looked at; all, as a rule."""
    held = np.cumsum(pooled.known.sum(axis=1))
    return np.arange(max(1, int(np.searchsorted(held, _MOST, side="right"))))[: len(held)]


def _correlation(one: FloatArray, other: FloatArray) -> float:
    one, other = one - one.mean(), other - other.mean()
    size = math.sqrt(float((one**2).sum() * (other**2).sum()))
    return float((one * other).sum()) / size if size > 0 else 0.0
