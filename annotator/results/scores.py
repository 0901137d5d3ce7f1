"""A scoreboard as plain values: frozen, ready to be shown or written; None is "undefined"."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from annotator.results.json_form import WORST, Detail, Result, json_form
from annotator.results.method import Method, in_all_orders
from annotator.results.more_labels import MoreLabels
from annotator.text.numbers import decimal
from rubric import Summary, Verdict


@dataclass(frozen=True)
class QueryScore(Result):
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

    def keys(self, detail: Detail) -> dict[str, Any]:
        """Its fields, and the text of the query."""
        return super().keys(detail) | {"text": detail.texts.get(self.query)}

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
class MeasureScore(Result):
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

    def keys(self, detail: Detail) -> dict[str, Any]:
        """Every number, the flags, and the worst queries; every query where asked for."""
        counts = {"scored": self.summary.scored, "undefined": self.summary.undefined,
                  "missing": self.missing}  # fmt: skip
        numbers = {key: one for key, one in vars(self.summary).items() if key not in counts}
        return {
            "measure": self.measure,
            **numbers,
            "queries": counts,
            "flags": self.flags(),
            "worst": self.worst(detail.worst),
            **({"per_query": self.per_query} if detail.per_query else {}),
        }


@dataclass(frozen=True)
class SystemScore(Result):
    """All measures of one system."""

    system: str
    measures: tuple[MeasureScore, ...]


@dataclass(frozen=True)
class Neighbours(Result):
    """Two systems on one measure, the one that is expected to be better first.

    ``settled`` says that nothing unjudged could change the difference. ``more`` is
    what an open verdict still takes, None where that is not known.
    """

    measure: str
    first: str
    second: str
    verdict: Verdict
    settled: bool
    more: MoreLabels | None = None

    hidden = ("more",)

    def keys(self, detail: Detail) -> dict[str, Any]:
        """Its fields, and how many more labels."""
        more = self.more
        more_range = None if more is None else (more.fewest, more.most)
        return super().keys(detail) | {
            "more_labels": more and more.labels,
            "more_range": more_range,
        }


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
class ScoreTable(Result):
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

    def keys(self, detail: Detail) -> dict[str, Any]:
        """The method, every system, and the verdicts; queries have their texts."""
        told = replace(detail, texts=self.texts)
        return {
            "method": self.made(),
            "systems": json_form(self.systems, told),
            "neighbours": self.neighbours,
        }


def unplaced(method: Method, systems: Sequence[SystemScore], at: int) -> list[tuple[str, int]]:
    """Systems that took no part in the pool, and how many documents hold a measure's value open."""
    pooled = method.pool["systems"]
    found = [(one.system, one.measures[at].summary.unjudged) for one in systems]
    return [(name, count) for name, count in found if pooled and count and name not in pooled]
