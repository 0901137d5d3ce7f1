"""A scoreboard as plain values: frozen, ready to be shown or written; None is "undefined"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from annotator.scoring.method import Method
from rubric import Summary, Verdict

WORST = 20


@dataclass(frozen=True)
class QueryScore:
    """One measure of one system for one query.

    ``defined`` is "yes", "no", or "maybe" where that depends on documents not judged yet;
    ``expected95`` the 95% interval of what is expected, the value itself where there is one.
    """

    query: str
    value: float | None
    lower: float | None
    upper: float | None
    expected: float | None
    condensed: float | None
    zero_filled: float | None
    unjudged: int
    defined: str
    expected95: tuple[float, float] | None = None

    @property
    def point(self) -> float | None:
        """The one number to sort by: the value, else what is expected, else condensed."""
        guess = self.condensed if self.expected is None else self.expected
        return guess if self.value is None else self.value


@dataclass(frozen=True)
class MeasureScore:
    """One measure of one system over all queries."""

    measure: str
    summary: Summary
    missing: int
    worst: tuple[QueryScore, ...]
    per_query: tuple[QueryScore, ...]

    def flags(self) -> list[str]:
        """What a reader must know before believing the number."""
        said = []
        if self.summary.unjudged:
            said.append(f"{self.summary.unjudged} unjudged")
        if self.missing:
            said.append(f"{self.missing} without results")
        if self.summary.undefined:
            said.append(f"{self.summary.undefined} undefined")
        if self.summary.residual is not None:
            said.append(f"residual {self.summary.residual:z.4f}")
        if self.summary.value is None and not self.summary.unjudged and self.summary.scored:
            said.append("ideal open")
        return said

    def to_dict(self, *, per_query: bool = False) -> dict[str, Any]:
        """The JSON form."""
        summary = self.summary
        data: dict[str, Any] = {
            "measure": self.measure,
            "value": summary.value,
            "lower": summary.lower,
            "upper": summary.upper,
            "expected": summary.expected,
            "expected95": list(summary.expected95) if summary.expected95 else None,
            "condensed": summary.condensed,
            "zero_filled": summary.zero_filled,
            "judged": summary.judged,
            "unjudged": summary.unjudged,
            "queries": {
                "scored": summary.scored,
                "undefined": summary.undefined,
                "missing": self.missing,
            },
            "p10": summary.p10,
            "p25": summary.p25,
            "median": summary.median,
            "p75": summary.p75,
            "ci95": list(summary.ci95) if summary.ci95 else None,
            "residual": summary.residual,
            "flags": self.flags(),
            "worst": [asdict(score) for score in self.worst],
        }
        if per_query:
            data["per_query"] = [asdict(score) for score in self.per_query]
        return data


@dataclass(frozen=True)
class SystemScore:
    """All measures of one system."""

    system: str
    measures: tuple[MeasureScore, ...]

    def to_dict(self, *, per_query: bool = False) -> dict[str, Any]:
        """The JSON form."""
        measures = [measure.to_dict(per_query=per_query) for measure in self.measures]
        return {"system": self.system, "measures": measures}


@dataclass(frozen=True)
class Neighbours:
    """Two systems on one measure, the one that is expected to be better first.

    ``settled`` says that nothing unjudged could change the difference. ``more_labels`` is about how
    many an open verdict still takes, ``more_range`` between how many it does in half of all cases;
    None where that is not known.
    """

    measure: str
    first: str
    second: str
    verdict: Verdict
    settled: bool
    more_labels: int | None
    more_range: tuple[int, int] | None = None

    def to_dict(self) -> dict[str, Any]:
        """The JSON form."""
        return asdict(self)


def joined(tables: Sequence[ScoreTable], measures: Sequence[str]) -> ScoreTable:
    """Tables of the same systems on different measures as one, in the order of ``measures``."""
    if len(tables) == 1:
        return tables[0]
    systems = []
    for parts in zip(*(table.systems for table in tables), strict=True):
        scores = {one.measure: one for part in parts for one in part.measures}
        systems.append(SystemScore(parts[0].system, tuple(scores[name] for name in measures)))
    ties = "; ".join(
        f"{table.method.ties} for {', '.join(one.measure for one in table.systems[0].measures)}"
        for table in tables
    )
    cutoffs = dict.fromkeys(k for table in tables for k in table.method.k)
    made = replace(tables[0].method, ties=ties, k=tuple(cutoffs))
    return ScoreTable(made, tuple(systems), tuple(one for t in tables for one in t.neighbours))


@dataclass(frozen=True)
class ScoreTable:
    """A scoreboard: how it was made, every system's numbers, and verdicts on neighbours."""

    method: Method
    systems: tuple[SystemScore, ...]
    neighbours: tuple[Neighbours, ...] = ()

    def to_dict(self, *, per_query: bool = False) -> dict[str, Any]:
        """The JSON form, a contract: keys may be added, none is renamed."""
        return {
            "method": self.method.to_dict(),
            "systems": [system.to_dict(per_query=per_query) for system in self.systems],
            "neighbours": [one.to_dict() for one in self.neighbours],
        }


def unplaced(method: Method, systems: Sequence[SystemScore], at: int) -> list[tuple[str, int]]:
    """Systems that took no part in the pool, and how many documents hold a measure's value open."""
    pooled = method.pool["systems"]
    found = [(one.system, one.measures[at].summary.unjudged) for one in systems]
    return [(name, count) for name, count in found if pooled and count and name not in pooled]
