"""One query's scores rank by rank, as plain values, with the ideal ranking beside."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from annotator.results.json_form import Detail, Result
from annotator.results.method import Method, stamped


@dataclass(frozen=True)
class Place:
    """One rank: the document there, what it adds, and what would be there in the ideal ranking.

    Parameters
    ----------
    document, title, grade
        What the system has there; None where its ranking has ended, no grade where unjudged.
    gain, weight, contribution
        What the document is worth, how much its rank lets through, and their product.
    share
        What that adds to the score.
    could_change
        For an unjudged document: how much its grade alone could change the score, at the least and
        at the most.
    ideal, ideal_grade, ideal_rank
        What the ideal ranking has there, if that adds anything, and where this system has it, if
        anywhere.
    lost
        What the ideal ranking adds there, less what this one does.
    """

    rank: int
    document: str | None
    title: str
    grade: int | None
    gain: float
    weight: float
    contribution: float
    share: float
    could_change: tuple[float, float] | None
    ideal: str | None
    ideal_grade: int | None
    ideal_rank: int | None
    lost: float


@dataclass(frozen=True)
class Explained(Result):
    """One system on one measure for the query.

    Parameters
    ----------
    value, lower, upper
        The score as on a scoreboard.
    zero_filled
        The score that the places add up to, unjudged documents counted as grade 0.
    norm
        What the contributions are divided by.
    best
        The score of the ideal ranking; None where the measure is undefined, as are all of these.
    left_out, left_out_unjudged
        Documents further down that add nothing and that nothing ideal stands beside.
    """

    system: str
    measure: str
    value: float | None
    lower: float | None
    upper: float | None
    zero_filled: float | None
    norm: float
    best: float | None
    places: tuple[Place, ...]
    left_out: int
    left_out_unjudged: int

    @property
    def lost(self) -> float | None:
        """How much of the best score is missing."""
        if self.best is None or self.zero_filled is None:
            return None
        return self.best - self.zero_filled

    def keys(self, detail: Detail) -> dict[str, Any]:
        """Its fields, and what is lost."""
        return super().keys(detail) | {"lost": self.lost}


@dataclass(frozen=True)
class ExplanationTable(Result):
    """One query explained for each system and measure."""

    renamed: ClassVar[Mapping[str, str]] = {"explained": "explanations"}

    method: Method
    query: str
    text: str
    explained: tuple[Explained, ...]

    def line(self) -> str:
        """The method in one line."""
        return f"unjudged counted as grade 0 · {self.method.line()}"

    def made(self) -> dict[str, Any]:
        """The JSON form of the method."""
        return stamped(self.method.to_dict() | {"unjudged": "zero-filled"})

    def keys(self, detail: Detail) -> dict[str, Any]:
        """Its fields."""
        return super().keys(detail) | {"method": self.made()}
