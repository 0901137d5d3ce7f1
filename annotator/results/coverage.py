"""How far the judging of a project is, as plain values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from annotator.domain import QueryProgress
from annotator.results.comparisons import Compared
from annotator.results.json_form import Detail, Result
from annotator.results.method import Basis
from annotator.results.scores import Neighbours
from annotator.results.weighting import Weighting


@dataclass(frozen=True)
class Covered(Result):
    """How many places of the top k hold a judged document, of how many."""

    k: int
    judged: int
    places: int

    @property
    def share(self) -> float | None:
        """Judged@k, None where there are no places."""
        return self.judged / self.places if self.places else None

    def keys(self, detail: Detail) -> dict[str, Any]:
        """Its fields, and the share."""
        return super().keys(detail) | {"share": self.share}


@dataclass(frozen=True)
class SystemCoverage(Result):
    """One system's coverage at each cutoff, over all queries."""

    renamed: ClassVar[Mapping[str, str]] = {"at": "judged"}

    system: str
    at: tuple[Covered, ...]


@dataclass(frozen=True)
class QueryCoverage(Result):
    """One query's progress, and its coverage at each cutoff over all systems together."""

    progress: QueryProgress
    at: tuple[Covered, ...]

    def keys(self, detail: Detail) -> dict[str, Any]:
        """The query, its counts, and its coverage."""
        return {"query": self.progress.qid, **_counts(self.progress), "judged_at": self.at}


@dataclass(frozen=True)
class AssessorProgress(Result):
    """How far one person is with the whole pool, and how fast (None before five judgments).

    ``judged`` are the pairs that they gave a grade themselves; ``progress`` counts those of files
    with them.
    """

    hidden = ("progress",)

    assessor: str
    judged: int
    progress: QueryProgress
    seconds_per_judgment: float | None

    @property
    def seconds_left(self) -> float | None:
        """What their rest of the pool takes at this pace."""
        left = self.progress.open + self.progress.later
        return None if self.seconds_per_judgment is None else self.seconds_per_judgment * left

    def keys(self, detail: Detail) -> dict[str, Any]:
        """The name, counts, pace and time left."""
        counts = _counts(self.progress) | super().keys(detail)
        del counts["pooled"]
        return counts | {"seconds_left": self.seconds_left}


@dataclass(frozen=True)
class Coverage(Result):
    """What is judged and what is missing.

    ``total`` sums the pool over its queries. ``outside`` counts judged pairs that are not pooled;
    ``disputed``, ``outdated`` and ``earlier_text`` (their document has another text now) are those
    of the labels. ``pace`` is the median seconds of the
    ``timed`` latest judgments of any person, None where there are fewer than five. ``leader`` is
    the verdict on the two best systems, None where that was not looked at, or is not known; what
    is expected rests on ``basis``. ``first_two`` are these two with all that is known of them.
    ``weights`` are those of the queries, None where all count alike. ``people`` are those who
    grade here, each with what they have judged themselves.
    """

    hidden = ("total", "depth", "queries", "timed", "basis", "first_two")
    renamed: ClassVar[Mapping[str, str]] = {
        "outside": "judged_outside_pool",
        "people": "by_assessor",
        "without_text": "pooled_documents_without_text",
        "pace": "seconds_per_judgment",
    }

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
    weights: Weighting | None = None
    people: tuple[AssessorProgress, ...] = ()

    @property
    def leader_unknown(self) -> str:
        """Why the leader is not known, where it was looked for."""
        return self.basis.why if self.basis and not self.leader else ""

    @property
    def seconds_left(self) -> float | None:
        """What judging the rest of the pool takes at this pace."""
        return None if self.pace is None else self.pace * (self.total.open + self.total.later)

    def keys(self, detail: Detail) -> dict[str, Any]:
        """The pool, then what is known of labels, systems and time; queries where asked for."""
        pool = {"depth": self.depth, "queries": len(self.queries), **_counts(self.total)}
        also = {"seconds_left": self.seconds_left, "leader_unknown": self.leader_unknown}
        queries = {"queries": self.queries} if detail.per_query else {}
        return {"pool": pool} | super().keys(detail) | also | queries


def _counts(progress: QueryProgress) -> dict[str, int]:
    return {
        "pooled": progress.pooled,
        "judged": progress.judged,
        "later": progress.later,
        "cannot_judge": progress.cannot,
        "left": progress.open,
    }
