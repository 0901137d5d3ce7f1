"""What retrieval and what ranking lost, system by system, as plain values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from annotator.results.json_form import Detail, Result
from annotator.results.method import Method, stamped
from annotator.text.plural import counted


@dataclass(frozen=True)
class CeilingScore(Result):
    """Means over the queries for which nDCG is defined; None where there is none.

    Parameters
    ----------
    score
        nDCG as ranked.
    ceiling
        The best nDCG that reordering the first n candidates could reach.
    never_found
        1 - ceiling: lost since retrieval did not bring it.
    ranked_low
        ceiling - score: lost since the ranking put it low.
    unjudged, candidates
        How many of the first n of all queries that count are unjudged, of how many.
    open
        Whether an unjudged document, a candidate or another, could change the numbers.
    scored, undefined
        Queries in the means, and queries left out.
    """

    measure: str
    score: float | None
    ceiling: float | None
    never_found: float | None
    ranked_low: float | None
    unjudged: int
    candidates: int
    open: bool
    scored: int
    undefined: int

    def keys(self, detail: Detail) -> dict[str, Any]:
        """Its fields, and the flags."""
        return super().keys(detail) | {"flags": self.flags()}

    def flags(self) -> list[str]:
        """What a reader must know before believing the numbers."""
        said = [f"{self.unjudged:,} unjudged"] if self.unjudged else []
        said += ["ideal open"] if self.open and not self.unjudged else []
        return said + ([f"{self.undefined:,} undefined"] if self.undefined else [])


@dataclass(frozen=True)
class SystemCeiling(Result):
    """One system's split on each measure."""

    system: str
    measures: tuple[CeilingScore, ...]

    @property
    def gap(self) -> float | None:
        """The last measure's score minus the first's, if there are two and both are known."""
        first, last = self.measures[0].score, self.measures[-1].score
        if len(self.measures) < 2 or first is None or last is None:
            return None
        return last - first

    def keys(self, detail: Detail) -> dict[str, Any]:
        """Its fields, and the gap."""
        return super().keys(detail) | {"gap": self.gap}


@dataclass(frozen=True)
class CeilingTable(Result):
    """Every system's split, and how it was made.

    ``deepest`` is how many of the ``n`` candidates asked for the longest ranking has.
    """

    method: Method
    n: int
    deepest: int
    systems: tuple[SystemCeiling, ...]

    def line(self) -> str:
        """The method in one line."""
        first = f"first {counted(self.n, 'candidate')}"
        return f"unjudged counted as grade 0 · {first} · {self.method.line()}"

    @property
    def gap_of(self) -> str:
        """What the gap is the difference of; empty where there is one measure."""
        names = [one.measure for one in self.systems[0].measures] if self.systems else []
        return f"{names[-1]} - {names[0]}" if len(names) > 1 else ""

    def made(self) -> dict[str, Any]:
        """The JSON form of the method."""
        own = {
            "unjudged": "zero-filled",
            "candidates": self.n,
            "deepest": self.deepest,
            "gap": self.gap_of or None,
        }
        return stamped(self.method.to_dict() | own)

    def keys(self, detail: Detail) -> dict[str, Any]:
        """The method, and every system."""
        return {"method": self.made(), "systems": self.systems}
