"""A scoreboard as plain values: frozen, ready to be shown or written; None is "undefined"."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from types import MappingProxyType
from typing import Any

from annotator.results.method import Method, in_all_orders
from annotator.text.numbers import decimal
from rubric import Summary, Verdict

WORST = 20
_NO_TEXTS: Mapping[str, str] = MappingProxyType({})


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
        """The one number to sort by: the value, else what is expected, else zero-filled."""
        guess = self.zero_filled if self.expected is None else self.expected
        return guess if self.value is None else self.value

    @property
    def flags(self) -> str:
        """What a reader must know before believing the number."""
        said = [f"{self.unjudged:,} unjudged"] if self.unjudged else []
        if self.defined != "yes":
            said.append("undefined" if self.defined == "no" else "undefined so far")
        elif self.value is None and not said:
            said.append("ideal open")
        return ", ".join(said)


@dataclass(frozen=True)
class MeasureScore:
    """One measure of one system over all queries."""

    measure: str
    summary: Summary
    missing: int
    per_query: tuple[QueryScore, ...]

    def worst(self, count: int = WORST) -> list[QueryScore]:
        """The queries with the lowest scores, lowest first; those without a score are left out."""
        scored = [one for one in self.per_query if one.point is not None]
        return sorted(scored, key=lambda one: one.point or 0.0)[:count]

    def flags(self) -> list[str]:
        """What a reader must know before believing the number."""
        said = []
        if self.summary.unjudged:
            said.append(f"{self.summary.unjudged:,} unjudged")
        if self.missing:
            said.append(f"{self.missing:,} without results")
        if self.summary.undefined:
            said.append(f"{self.summary.undefined:,} undefined")
        if self.summary.residual is not None:
            said.append(f"residual {decimal(self.summary.residual)}")
        if self.summary.value is None and not self.summary.unjudged and self.summary.scored:
            said.append("ideal open")
        return said

    def to_dict(
        self, *, per_query: bool = False, worst: int = WORST, texts: Mapping[str, str] = _NO_TEXTS
    ) -> dict[str, Any]:
        """The JSON form, with so many of the worst queries."""
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
            "worst": [_with_text(score, texts) for score in self.worst(worst)],
        }
        if per_query:
            data["per_query"] = [_with_text(score, texts) for score in self.per_query]
        return data


def _with_text(score: QueryScore, texts: Mapping[str, str]) -> dict[str, Any]:
    return {**vars(score), "text": texts.get(score.query)}


@dataclass(frozen=True)
class SystemScore:
    """All measures of one system."""

    system: str
    measures: tuple[MeasureScore, ...]

    def to_dict(self, **what: Any) -> dict[str, Any]:
        """The JSON form; ``what`` is for each measure."""
        return {"system": self.system, "measures": [one.to_dict(**what) for one in self.measures]}


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
    made = in_all_orders(
        [(one.method, [score.measure for score in one.systems[0].measures]) for one in tables]
    )
    pairs = tuple(one for table in tables for one in table.neighbours)
    return ScoreTable(made, tuple(systems), pairs, tables[0].texts)


@dataclass(frozen=True)
class ScoreTable:
    """A scoreboard: how it was made, every system's numbers, and verdicts on neighbours.

    ``texts`` are those of the queries by id, as far as there are any.
    """

    method: Method
    systems: tuple[SystemScore, ...]
    neighbours: tuple[Neighbours, ...] = ()
    texts: Mapping[str, str] = field(default_factory=dict)

    def line(self) -> str:
        """The method in one line."""
        return self.method.line()

    def made(self) -> dict[str, Any]:
        """The JSON form of the method."""
        return self.method.to_dict()

    def to_dict(self, *, per_query: bool = False, worst: int = WORST) -> dict[str, Any]:
        """The JSON form, a contract: keys may be added, none is renamed."""
        what = {"per_query": per_query, "worst": worst, "texts": self.texts}
        return {
            "method": self.made(),
            "systems": [system.to_dict(**what) for system in self.systems],
            "neighbours": [one.to_dict() for one in self.neighbours],
        }


def unplaced(method: Method, systems: Sequence[SystemScore], at: int) -> list[tuple[str, int]]:
    """Systems that took no part in the pool, and how many documents hold a measure's value open."""
    pooled = method.pool["systems"]
    found = [(one.system, one.measures[at].summary.unjudged) for one in systems]
    return [(name, count) for name, count in found if pooled and count and name not in pooled]
