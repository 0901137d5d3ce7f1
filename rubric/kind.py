"""What a measure is: all that the rest of the package asks of one, in one value."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from rubric.arrays import FloatArray, GradeArray
from rubric.bounds.difference import LOOSE, Difference
from rubric.bounds.weighted_sum import WeightedSum
from rubric.rankings import JudgedRankings
from rubric.setting import Score, ScoreBounds, Setting, Terms

FORESEEN_TO = 10
"""Ranks that the grade model foresees well."""

GAIN = {"gain": "the rubric's"}
REL = {"rel": "the rubric's threshold"}


class Cutoff(StrEnum):
    """Whether a measure is written with ``@k``."""

    REQUIRED = "required"
    OPTIONAL = "optional"
    NONE = "none"


@dataclass(frozen=True)
class Equal:
    """What another tool has that gives the same numbers.

    Parameters
    ----------
    forms
        How it may be cut: ``""`` without a cutoff, ``"@k"`` with one.
    lacks
        Parameters that the tool's measure does not have.
    orders
        Forms for which the tool puts tied scores in another order than it does elsewhere.
    note
        In which case its numbers differ all the same.
    """

    forms: tuple[str, ...] = ("", "@k")
    lacks: tuple[str, ...] = ()
    orders: Mapping[str, str] = field(default_factory=dict)
    note: str = ""


def never(k: int | None, p: float | None) -> bool:
    """Not foreseen: every relevant document counts, and the model spreads them too evenly."""
    return False


def in_first_ranks(k: int | None, p: float | None) -> bool:
    """Foreseen if nothing behind the first ten ranks counts."""
    return k is not None and k <= FORESEEN_TO


def always(k: int | None, p: float | None) -> bool:
    """Foreseen at any depth, since later ranks hardly count."""
    return True


@dataclass(frozen=True, eq=False)
class Kind:
    """One kind of measure, in full.

    Parameters
    ----------
    name, says, formula, source
        What it is called, in one line what it is, how it is computed, and where it comes from.
    parameters
        Their names, with the defaults as a person reads them.
    score, bounds
        The score of rankings without averaged ties, and its exact bounds.
    terms
        What each rank of one ranking adds, from the grades of its top k, shape (n,), the ranking
        and the setting; ``weight`` is what the weights there are called.
    also
        What other tools call it; case, hyphens and underscores do not matter.
    weighted
        The measure as a sum of gain times weight, where it is one: then tied scores can be
        averaged, and drawn grades need no ranking to be filled.
    first
        For a measure of the rank of the first relevant document: what it is worth at ranks 1..k,
        from k.
    difference
        How the difference of two systems is bounded.
    over_relevant
        Whether it is divided by what all relevant documents of the query make up.
    by_grade
        Whether grades of unjudged documents can change it, these labels being what they are.
    full_ideal
        Whether the ideal ranking scores 1 at every cutoff, so that what lacks to 1 can be split.
    foreseen
        Whether the grade model's intervals hold for a cutoff and a p: see
        :func:`rubric.model.expectation.is_foreseen`.
    residual
        From the grades of the top k: how much it could gain beyond the ranking's end, too.
    equals
        Which other tools have it, by the name of the tool.
    """

    name: str
    says: str
    formula: str
    source: str
    parameters: Mapping[str, str]
    score: Score
    bounds: ScoreBounds
    terms: Callable[[GradeArray, JudgedRankings, Setting], Terms]
    weight: str = "weight"
    cutoff: Cutoff = Cutoff.OPTIONAL
    also: tuple[str, ...] = ()
    weighted: WeightedSum | None = None
    first: Callable[[int], FloatArray] | None = None
    difference: Difference = LOOSE
    over_relevant: bool = False
    by_grade: bool = True
    full_ideal: bool = False
    foreseen: Callable[[int | None, float | None], bool] = never
    residual: Callable[[GradeArray, Setting], FloatArray] | None = None
    equals: Mapping[str, Equal] = field(default_factory=dict)
