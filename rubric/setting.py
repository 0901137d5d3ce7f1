"""A measure's parameters, each resolved for the grades that there are."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from rubric.arrays import FloatArray
from rubric.rankings import JudgedRankings

DEFAULT_P = 0.8
"""The patience of RBP where none is given."""


@dataclass(frozen=True, eq=False)
class Setting:
    """A measure's parameters, each resolved.

    ``k`` None is the whole ranking. ``gains`` has shape (G + 1,). ``threshold`` is the least
    relevant grade. ``p`` is the patience of RBP, ``beta`` the weight of recall in F.
    """

    k: int | None
    gains: FloatArray
    threshold: int
    p: float
    beta: float


Score: TypeAlias = Callable[[JudgedRankings, Setting], FloatArray]
"""The score of each of N rankings, shape (N,): unjudged documents gain nothing; NaN: undefined."""
Bounds: TypeAlias = tuple[FloatArray, FloatArray]
"""The least and greatest score that any grading of the unjudged documents gives: (N,) each."""
ScoreBounds: TypeAlias = Callable[[JudgedRankings, Setting], Bounds]
Terms: TypeAlias = tuple[FloatArray, FloatArray, float]
"""Gain and weight at each rank, and what their products are divided by; 0: undefined."""
