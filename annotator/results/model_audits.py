"""How far models agree with the people who graded, as plain values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from annotator.results.agreement import AgreementTable
from annotator.results.json_form import Detail, Result


class Missed(NamedTuple):
    """Of ``relevant`` documents by people's grades how many a model calls not relevant.

    ``among`` says which documents these are, ``of`` what kind of part that is: ``grade``,
    ``length`` or ``system``. ``higher`` is how much higher its grades are on all of this part.
    """

    of: str
    among: str
    relevant: int
    missed: int
    labels: int
    higher: float


class Slope(NamedTuple):
    """What a grade of a model adds to the logit of the grade model, with its 95% interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, eq=False)
class ModelAudit(Result):
    """One model, or the mean of several, beside the labels of people that hold.

    Parameters
    ----------
    model
        Its assessor's name, or how many the mean is of.
    labels, failed
        How many grades it gave, and how many answers were none.
    cost
        What a label cost in the mean, None where that is not known.
    agreement
        Of people (first) and the model, on the pairs that both graded.
    slope
        None where no pooled pair has both.
    leniency
        By query, how much higher its grades are than people's in the mean, the highest first.
    leniency_sd
        How much that differs between queries; None of fewer than two.
    missed
        What it misses, by grade, length and system.
    """

    model: str
    labels: int
    failed: int
    cost: float | None
    agreement: AgreementTable
    slope: Slope | None
    leniency: tuple[tuple[str, float], ...]
    leniency_sd: float | None
    missed: tuple[Missed, ...]

    def keys(self, detail: Detail) -> dict[str, Any]:
        """Its numbers; agreement as that of two assessors."""
        (pair,) = self.agreement.to_dict()["pairs"]
        return {
            "model": self.model,
            "labels": self.labels,
            "failed": self.failed,
            "cost_per_label": self.cost,
            "agreement": {key: pair[key] for key in pair if key not in ("first", "second")},
            "slope": self.slope and self.slope._asdict(),
            "leniency": [{"query": query, "higher": off} for query, off in self.leniency],
            "leniency_sd": self.leniency_sd,
            "missed": [one._asdict() for one in self.missed],
        }


@dataclass(frozen=True, eq=False)
class ModelAuditTable(Result):
    """Several models side by side, and their mean where there are several."""

    audits: tuple[ModelAudit, ...]

    def line(self) -> str:
        """The method in one line."""
        return self.audits[0].agreement.line()

    def made(self) -> dict[str, Any]:
        """The JSON form of the method."""
        return self.audits[0].agreement.made()

    def keys(self, detail: Detail) -> dict[str, Any]:
        """The method, and every model."""
        return {"method": self.made(), "models": self.audits}
