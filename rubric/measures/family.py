"""What a family of measures is: how it scores what is known, and what could become of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from rubric.arrays import FloatArray
from rubric.rankings import JudgedRankings

Bounds: TypeAlias = tuple[FloatArray, FloatArray]


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


@dataclass(frozen=True)
class Family:
    """A score, NaN where it is undefined, and its least and greatest value, each of shape (N,)."""

    score: Callable[[JudgedRankings, Setting], FloatArray]
    bounds: Callable[[JudgedRankings, Setting], Bounds]
