"""How far the judging of a project is, as plain values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from annotator.domain import QueryProgress
from annotator.results.comparisons import Compared
from annotator.results.method import Basis
from annotator.results.scores import Neighbours


@dataclass(frozen=True)
class Covered:
    """How many places of the top k hold a judged document, of how many."""

    k: int
    judged: int
    places: int

    @property
    def share(self) -> float | None:
        """Judged@k, None where there are no places."""
        return self.judged / self.places if self.places else None

    def to_dict(self) -> dict[str, Any]:
        """The JSON form."""
        return {"k": self.k, "judged": self.judged, "places": self.places, "share": self.share}


@dataclass(frozen=True)
class SystemCoverage:
    """One system's coverage at each cutoff, over all queries."""

    system: str
    at: tuple[Covered, ...]


@dataclass(frozen=True)
class QueryCoverage:
    """One query's progress, and its coverage at each cutoff over all systems together."""

    progress: QueryProgress
    at: tuple[Covered, ...]


@dataclass(frozen=True)
class Coverage:
    """What is judged and what is missing.

    ``total`` sums the pool over its queries. ``outside`` counts judged pairs that are not pooled;
    ``disputed``, ``outdated`` and ``earlier_text`` (their document has another text now) are those
    of the labels. ``pace`` is the median seconds of the
    ``timed`` latest judgments of any person, None where there are fewer than five. ``leader`` is
    the verdict on the two best systems, None where that was not looked at, or is not known; what
    is expected rests on ``basis``. ``first_two`` are these two with all that is known of them.
    """

    total: QueryProgress
    depth: int | None
    rubric: str
    assessors: tuple[str, ...]
    systems: tuple[SystemCoverage, ...]
    queries: tuple[QueryCoverage, ...]
    outside: int
    disputed: int
    outdated: int
    without_text: int
    pace: float | None
    timed: int
    earlier_text: int = 0
    leader: Neighbours | None = None
    basis: Basis | None = None
    first_two: Compared | None = None

    @property
    def leader_unknown(self) -> str:
        """Why the leader is not known, where it was looked for."""
        return self.basis.why if self.basis and not self.leader else ""

    @property
    def seconds_left(self) -> float | None:
        """What judging the rest of the pool takes at this pace."""
        return None if self.pace is None else self.pace * (self.total.open + self.total.later)

    def to_dict(self, *, per_query: bool = False) -> dict[str, Any]:
        """The JSON form; keys may be added, none is renamed."""
        data: dict[str, Any] = {
            "pool": {"depth": self.depth, "queries": len(self.queries), **_counts(self.total)},
            "rubric": self.rubric,
            "assessors": list(self.assessors),
            "systems": [
                {"system": one.system, "judged": [at.to_dict() for at in one.at]}
                for one in self.systems
            ],
            "judged_outside_pool": self.outside,
            "disputed": self.disputed,
            "outdated": self.outdated,
            "earlier_text": self.earlier_text,
            "pooled_documents_without_text": self.without_text,
            "seconds_per_judgment": self.pace,
            "seconds_left": self.seconds_left,
            "leader": self.leader and self.leader.to_dict(),
            "leader_unknown": self.leader_unknown,
        }
        if per_query:
            data["queries"] = [
                {
                    "query": one.progress.qid,
                    **_counts(one.progress),
                    "judged_at": [at.to_dict() for at in one.at],
                }
                for one in self.queries
            ]
        return data


def _counts(progress: QueryProgress) -> dict[str, int]:
    return {
        "pooled": progress.pooled,
        "judged": progress.judged,
        "later": progress.later,
        "cannot_judge": progress.cannot,
        "left": progress.open,
    }
