"""The choices that define a score; all of them travel with the numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import Any

from annotator.domain import FloatArray
from annotator.errors import UsageError
from annotator.results.weighting import Weighting
from annotator.scoring.query_weights import QueryWeights
from rubric import Gain, Measure, Rubric, Rules
from rubric.model.pooled_ranks import DEEPEST
from rubric.tools import TOOLS, Tool

EVERY_JUDGED = "every judged document"
DEFAULT_MEASURES = (Measure("nDCG", 3), Measure("nDCG", 10))


class Ties(StrEnum):
    """The order in which a ranking is scored.

    ``displayed`` is the rank column or file order, ``score`` descending score with file order where
    scores are equal, ``trec`` descending score (in single precision) with descending document id,
    ``id`` descending score with ascending document id, as MS MARCO's script does, ``average`` the
    mean over all orders that equal scores allow.
    """

    DISPLAYED = "displayed"
    SCORE = "score"
    TREC = "trec"
    ID = "id"
    AVERAGE = "average"


class EmptyIdeal(StrEnum):
    """What becomes of a query without a relevant judged document."""

    EXCLUDE = "exclude"
    ZERO = "zero"


class Unlisted(StrEnum):
    """What a document without a label is: not judged, or known to be of grade 0.

    ``zero`` is for collections that are judged completely, whose files list what is relevant. It
    holds of queries that have any label.
    """

    UNJUDGED = "unjudged"
    ZERO = "zero"


class MissingQueries(StrEnum):
    """What becomes of a query for which a system returned nothing."""

    ZERO = "zero"
    EXCLUDE = "exclude"


class Like(StrEnum):
    """A tool whose rules are to be followed in all."""

    TREC_EVAL = "trec_eval"
    IR_MEASURES = "ir_measures"
    RANX = "ranx"
    SKLEARN = "sklearn"


@dataclass(frozen=True)
class ScoreOptions:
    """How to score; ``gain`` and ``threshold`` None stand for the rubric's.

    ``own_ideal`` takes the ideal from what each system returned, which flatters. ``order_of``
    names measures, by their form such as ``RR@k``, that are scored in another order than the rest.
    ``models`` lets labels of language models have a part in what is expected.
    ``like`` is the tool whose rules these are, if any. ``weights`` None stands for those that the
    project keeps. ``first`` is how many places of each ranking count at all, None: all.
    """

    measures: tuple[Measure, ...] = DEFAULT_MEASURES
    gain: Gain | None = None
    threshold: int | None = None
    ties: Ties = Ties.DISPLAYED
    empty_ideal: EmptyIdeal = EmptyIdeal.EXCLUDE
    missing_queries: MissingQueries = MissingQueries.ZERO
    unlisted: Unlisted = Unlisted.UNJUDGED
    own_ideal: bool = False
    order_of: tuple[tuple[str, Ties], ...] = ()
    like: Like | None = None
    systems: tuple[str, ...] | None = None
    assessors: tuple[str, ...] | None = None
    weights: QueryWeights | None = None
    as_of: datetime | None = None
    models: bool = False
    first: int | None = None

    def __post_init__(self) -> None:
        if self.first is not None and Ties.AVERAGE in self.orders:
            raise UsageError("--first cuts rankings, and --ties average has no order to cut in")

    def weights_of(self, qids: Sequence[str]) -> FloatArray | None:
        """How much each of these queries counts; None: all alike."""
        return self.weights.of(qids) if self.weights and self.weights.by_query else None

    def weighting_of(self, qids: Sequence[str]) -> Weighting | None:
        """How results name that; None: all alike."""
        return self.weights.weighting(qids) if self.weights and self.weights.by_query else None

    @property
    def ideal(self) -> str:
        """What the ideal ranking is made of."""
        return "each system's own documents (flatters)" if self.own_ideal else EVERY_JUDGED

    @property
    def deepest(self) -> int | None:
        """The last rank that any measure looks at; None: one looks at all."""
        cutoffs = [measure.k for measure in self.measures]
        return None if None in cutoffs else max(k for k in cutoffs if k is not None)

    @property
    def places(self) -> int | None:
        """How many places tell, beside the scores, what is expected and proved; None: all."""
        whole = self.own_ideal or Ties.AVERAGE in self.orders or self.deepest is None
        return None if whole else max(self.deepest or 0, DEEPEST)

    @property
    def orders(self) -> set[Ties]:
        """The orders that rankings are scored in."""
        return {self.ties, *dict(self.order_of).values()}

    @property
    def read(self) -> int | None:
        """How many places of a run have to be read; None: all, which another order needs."""
        return self.first if self.orders == {Ties.DISPLAYED} else None

    @property
    def foresees(self) -> bool:
        """Whether more is wanted than a tool's own numbers: expected ones, and what they prove."""
        return self.like is None

    def check_grades(self, top: int, whose: str, advice: str = "") -> None:
        """Let no threshold be above the highest grade of a scale.

        Raises
        ------
        UsageError
            If one is.
        """
        asked = [("--threshold", self.threshold)]
        asked += [(str(measure), measure.rel) for measure in self.measures]
        for what, grade in asked:
            if grade is not None and grade > top:
                raise UsageError(f"{what}: {whose} has no grade {grade}, only 0 to {top}{advice}")

    def by_order(self) -> list[ScoreOptions]:
        """These options once for each order that a measure is to be scored in."""
        order_of = dict(self.order_of)
        groups: dict[Ties, list[Measure]] = {}
        for measure in self.measures:
            groups.setdefault(order_of.get(measure.form, self.ties), []).append(measure)
        return [
            replace(self, ties=ties, measures=tuple(measures), order_of=())
            for ties, measures in groups.items()
        ]

    def rules(self, rubric: Rubric | None) -> Rules:
        """What a measure takes from rubric and options unless its spelling says otherwise.

        Without a rubric gain is exponential, and grade 1 is relevant.
        """
        return Rules(
            gain=self.gain or (rubric.gain if rubric else Gain()),
            threshold=self.threshold or (rubric.threshold if rubric else 1),
            empty_ideal_zero=self.empty_ideal is EmptyIdeal.ZERO,
            own_ideal=self.own_ideal,
        )


def _rules_of(tool: Tool) -> dict[str, Any]:
    return {
        "gain": tool.rules.gain,
        "threshold": tool.rules.threshold,
        "ties": Ties(tool.ties),
        "order_of": tuple((form, Ties(ties)) for form, ties in tool.order_of.items()),
        "empty_ideal": EmptyIdeal.ZERO if tool.rules.empty_ideal_zero else EmptyIdeal.EXCLUDE,
        "missing_queries": MissingQueries.ZERO,
        "own_ideal": tool.rules.own_ideal,
    }


RULES: dict[Like, dict[str, Any]] = {tool: _rules_of(TOOLS[tool]) for tool in Like}
"""Every rule of each tool, by option; what they do beside these stands in docs/peers.md."""
