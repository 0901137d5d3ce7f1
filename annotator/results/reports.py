"""All that a report shows, as plain values: the results that single commands print."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from annotator.results.agreement import AgreementTable
from annotator.results.ceilings import CeilingTable
from annotator.results.companions import CompanionTable
from annotator.results.comparisons import NEARLY_LEVEL, Compared, ComparisonTable
from annotator.results.coverage import Coverage
from annotator.results.disagreement import Disagreement
from annotator.results.json_form import Detail, Result
from annotator.results.model_audits import ModelAuditTable
from annotator.results.moves import MoveTable
from annotator.results.pool_bias import PoolBias
from annotator.results.scores import ScoreTable
from rubric import Rubric


class LabelsOfDay(NamedTuple):
    """How many grades somebody gave on a day (UTC); ``kind`` is human, imported or model."""

    day: str
    assessor: str
    kind: str
    labels: int


@dataclass(frozen=True, eq=False)
class Judging(Result):
    """What a project knows of its labels; files know nothing of it.

    ``agreement`` is None where no two assessors graded one pair, as is ``disagreement``, which is
    None also where it was not looked at, as ``pool_bias``; ``models`` is None where no person
    graded what a model did. ``heads`` are those of the log, ``last`` is the time of its latest
    entry.
    """

    coverage: Coverage
    days: tuple[LabelsOfDay, ...]
    heads: tuple[str, ...]
    last: str
    agreement: AgreementTable | None = None
    disagreement: Disagreement | None = None
    pool_bias: PoolBias | None = None
    models: ModelAuditTable | None = None

    def keys(self, detail: Detail) -> dict[str, Any]:
        """Its fields."""
        return {
            "coverage": self.coverage,
            "labels_by_day": [one._asdict() for one in self.days],
            "log_heads": self.heads,
            "last_entry": self.last,
            "agreement": self.agreement and self.agreement.to_dict(),
            "disagreement": self.disagreement,
            "pool_bias": self.pool_bias,
            "models": self.models,
        }


@dataclass(frozen=True, eq=False)
class Report(Result):
    """A report on systems, by the first measure of ``scores``.

    Parameters
    ----------
    subject
        The project's or the qrels file's name.
    comparisons
        Every two systems on that measure; None where there is only one.
    chosen
        The pairs that are shown query by query.
    moves
        For queries on which such a pair differs most: the two rankings.
    """

    subject: str
    scores: ScoreTable
    comparisons: ComparisonTable | None
    chosen: tuple[Compared, ...]
    moves: tuple[MoveTable, ...]
    ceilings: CeilingTable | None
    companions: CompanionTable
    rubric: Rubric | None = None
    judging: Judging | None = None

    @property
    def measure(self) -> str:
        """The measure that the report is by."""
        return self.scores.systems[0].measures[0].measure

    def keys(self, detail: Detail) -> dict[str, Any]:
        """Everything that the page shows; of pairs that are not chosen only the verdict."""
        return {
            "subject": self.subject,
            "measure": self.measure,
            "scores": self.scores.to_dict(per_query=True),
            "comparisons": self.comparisons,
            "chosen": [one.to_dict(per_query=True) for one in self.chosen],
            "moves": self.moves,
            "ceilings": self.ceilings,
            "companions": self.companions,
            "judging": self.judging,
            "rubric": self.rubric and self.rubric.to_dict(),
        }


@dataclass(frozen=True)
class Choice:
    """What a report is on: systems, of which the first is compared with each of the others.

    Without ``names`` it is on all systems, and the two best are compared query by query. Systems
    closer than the ``margin`` are called level; ``candidates`` are those that could be reranked;
    rankings are shown down to ``depth``, for ``most_moves`` wins and as many losses of a pair.
    """

    names: tuple[str, ...] = ()
    margin: float = NEARLY_LEVEL
    candidates: int = 100
    depth: int = 10
    most_moves: int = 2

    def chosen(self, table: ComparisonTable | None) -> tuple[Compared, ...]:
        """The pairs that are shown query by query, out of all, the systems in their order.

        Each is as if it were compared alone: its p value is not adjusted for the others.
        """
        if table is None:
            return ()
        first = self.names[0] if self.names else table.pairs[0].first
        found = [one for one in table.pairs if one.first == first]
        return tuple(replace(one, p_holm=None) for one in (found if self.names else found[:1]))

    def differing(self, one: Compared) -> list[str]:
        """The queries on which a pair differs most: losses of the first, then wins."""
        found: Sequence[str] = [
            query.query
            for wins in (False, True)
            for query in one.largest(wins=wins)[: self.most_moves]
        ]
        return list(found)
