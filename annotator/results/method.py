"""How the numbers of a scoreboard were made: everything that defines them, as plain values."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any

from annotator.results.benchmark import Benchmark
from annotator.results.json_form import Detail, Result, json_form
from annotator.results.weighting import Weighting
from annotator.text.numbers import percent, plain
from annotator.text.plural import counted
from rubric.model.evidence import Withheld

WEIGHTED = (
    "weighted: means, their bounds and intervals, percentiles (each query in the middle of its "
    "weight, interpolated between), tests; counts and what is judged are not"
)
RUBRIC_KEYS = ("name", "version", "fingerprint")


def stamped(method: dict[str, Any]) -> dict[str, Any]:
    """The JSON form of a method with its fingerprint, by which rows elsewhere refer to it."""
    whole = json.dumps(method, sort_keys=True, default=str)
    return method | {"fingerprint": sha256(whole.encode()).hexdigest()[:12]}


@dataclass(frozen=True)
class Basis:
    """What expected values rest on: draws from the grade model, given so many labels.

    The model knows the ranks of ``systems`` systems, and learns from ``labels`` labels. ``by_eye``
    labels are of documents that were picked for what they are: it does not learn from them. Of
    ``foreign`` labels, ``foreign_zeros`` of them 0, it is not known how their documents were
    chosen. Where nothing may be expected, ``withheld`` says why, and there are no ``draws``; on
    the measures ``without`` nothing is in any case.
    Intervals and claims take the draws' standard deviation times ``spread``. What is drawn are the
    unjudged documents of the pool and of every top k; whatever lies outside both counts as grade 0,
    here as in the bounds. ``assumed`` says what is not known of the labels. ``models`` are the
    language models whose labels the model knows beside the ranks. ``missing`` labels more it takes,
    at the least, until a claim on one system may rest on them.
    """

    draws: int
    spread: float
    seed: int
    systems: int
    labels: int
    by_eye: int
    foreign: int = 0
    foreign_zeros: int = 0
    withheld: Withheld | None = None
    without: tuple[str, ...] = ()
    assumed: str = ""
    models: tuple[str, ...] = ()
    missing: int = 0

    @property
    def own_error(self) -> float:
        """How far the mean of the draws is off by chance (95%), as a share of the interval's half.

        That half is ``spread`` x 1.96 standard deviations, and the mean of D draws is off by 1.96
        standard deviations over the root of D.
        """
        return 1 / (self.spread * math.sqrt(self.draws))

    @property
    def why(self) -> str:
        """Why nothing is expected, as a sentence without its end; empty where something is."""
        if self.withheld is Withheld.NO_LABELS:
            return "nothing that a system returned is judged yet"
        if self.withheld is Withheld.BY_EYE:
            return f"{self._picked} are too many"
        if self.withheld is Withheld.BY_GRADE:
            return (
                f"the {counted(self.foreign, 'label')} ({self.foreign_zeros:,} of grade 0) look "
                "chosen by what the documents are"
            )
        return ""

    @property
    def _picked(self) -> str:
        labels = counted(self.by_eye, "label of a document", "labels of documents")
        return f"{labels} picked by eye"

    def line(self) -> str:
        """The same in a few words."""
        if self.withheld:
            return f"no expected values: {self.why}"
        also = f", labels of {counted(len(self.models), 'language model')}" if self.models else ""
        said = f"expected: grade model on ranks{also} and {counted(self.labels, 'label')}"
        said += f" ({self.assumed})" if self.assumed else ""
        said += (
            f", {counted(self.draws, 'draw')} of what is unjudged in the pool and in each top k, "
        )
        said += (
            f"whose own error is {percent(self.own_error)} of the ±, spread x {plain(self.spread)}"
        )
        said += f", seed {self.seed}, ranks of {counted(self.systems, 'system')}"
        said += f", none for {', '.join(self.without)}" if self.without else ""
        return f"{said}, without {self._picked}" if self.by_eye else said


@dataclass(frozen=True)
class Method(Result):
    """Everything that defines the numbers of a scoreboard."""

    k: tuple[int, ...]
    gain: str
    threshold: int
    ties: str
    empty_ideal: str
    missing_queries: str
    rubric: dict[str, Any]
    pool: dict[str, Any]
    assessors: tuple[str, ...]
    disagreements: str
    disputed: int
    outdated: int
    judged_pairs: int
    pooled_pairs: int
    pooled_judged: int
    tool: str
    unlisted: str = "unjudged"
    ideal: str = "every judged document"
    earlier_text: int = 0
    unjudged: str = "flagged; bounds over every grading of the pool and of each top k"
    as_of: str | None = None
    weights: Weighting | None = None
    expected: Basis | None = None
    like: str | None = None
    benchmark: Benchmark | None = None
    first: int | None = None

    def keys(self, detail: Detail) -> dict[str, Any]:
        """Its fields, and the fingerprint of them all."""
        return stamped(json_form(super().keys(detail), detail))

    @property
    def zero_filled(self) -> str:
        """What scores with unjudged documents as grade 0 are called: by the tool they are of."""
        return f"zero-filled ({self.like})" if self.like else "zero-filled"

    def line(self) -> str:
        """The method in one line, to stand below a table."""
        depth = self.pool["depth"]
        parts = [
            *([f"labels as of {self.as_of}"] if self.as_of else []),
            *([self.benchmark.line()] if self.benchmark else []),
            *([f"by the rules of {self.like}"] if self.like else []),
            f"gain {self.gain}",
            f"relevant from grade {self.threshold}",
            f"ideal from {self.ideal}",
            f"order {self.ties}",
            *([f"only the first {self.first:,} of each ranking"] if self.first else []),
            f"no relevant document: {self.empty_ideal}",
            f"no results: {self.missing_queries}",
            *(["without a label: grade 0"] if self.unlisted == "zero" else []),
            *([self.weights.line(), WEIGHTED] if self.weights else []),
            self._rubric(),
            f"labels of {', '.join(self.assessors)}" if self.assessors else "no labels yet",
            *([f"{self.disputed} disputed, {self.disagreements}"] if self.disputed else []),
            *self._set_apart(),
            *([f"pool depth {depth}"] if depth else []),
            f"{self.pooled_judged:,} of {counted(self.pooled_pairs, 'pooled pair')} judged",
            *([self.expected.line()] if self.expected else []),
            self.tool,
        ]
        return " · ".join(parts)

    def _set_apart(self) -> Iterator[str]:
        if self.outdated:
            yield f"{counted(self.outdated, 'label')} of another rubric not counted"
        if self.earlier_text:
            yield f"{counted(self.earlier_text, 'label')} of an earlier text"

    def _rubric(self) -> str:
        name, version, fingerprint = (self.rubric[key] for key in RUBRIC_KEYS)
        return f"rubric {name}" + (f" v{version} ({fingerprint[:14]})" if fingerprint else "")


def in_all_orders(made: Sequence[tuple[Method, Sequence[str]]]) -> Method:
    """The method of measures that were scored in several orders, each with its measures."""
    first, _ = made[0]
    if len(made) == 1:
        return first
    ties = "; ".join(f"{one.ties} for {', '.join(measures)}" for one, measures in made)
    return replace(first, ties=ties, k=tuple(dict.fromkeys(k for one, _ in made for k in one.k)))
