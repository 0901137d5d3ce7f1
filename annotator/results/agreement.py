"""How far assessors agree, as plain values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from annotator.results.json_form import Detail, Result
from annotator.results.method import stamped
from rubric.agreement import RESAMPLES, Agreement, Estimate, PairAgreement

STATISTICS = ("same", "within_one", "binary_kappa", "weighted_kappa", "alpha", "mean_difference")


@dataclass(frozen=True, eq=False)
class AgreementTable(Result):
    """How far assessors agree.

    ``labels`` has how many labels each of ``assessors`` gave, ``qids`` the queries in the order of
    ``found.by_query``.
    """

    assessors: tuple[str, ...]
    labels: tuple[int, ...]
    qids: tuple[str, ...]
    top: int
    threshold: int
    seed: int
    tool: str
    found: Agreement

    def names(self, pair: PairAgreement) -> tuple[str, str]:
        """The two assessors of a pair."""
        return self.assessors[pair.first], self.assessors[pair.second]

    def hardest(self) -> list[tuple[str, float]]:
        """Queries and their alpha, the least first; those without one are left out."""
        known = [
            (qid, float(alpha))
            for qid, alpha in zip(self.qids, self.found.by_query, strict=True)
            if not np.isnan(alpha)
        ]
        return sorted(known, key=lambda one: one[1])

    def line(self) -> str:
        """The method in one line."""
        return (
            f"grades 0 to {self.top} · relevant from grade {self.threshold} · alpha: "
            "Krippendorff's for ordinal grades · weighted kappa: Cohen's with quadratic weights · "
            f"95% intervals over queries (Bayesian bootstrap, {RESAMPLES:,} resamples, seed "
            f"{self.seed}) · {self.tool}"
        )

    def made(self) -> dict[str, Any]:
        """The JSON form of the method."""
        return stamped(
            {
                "top": self.top,
                "threshold": self.threshold,
                "alpha": "Krippendorff, ordinal",
                "weighted_kappa": "Cohen, quadratic weights",
                "intervals": "95%, Bayesian bootstrap over queries",
                "resamples": RESAMPLES,
                "seed": self.seed,
                "tool": self.tool,
            }
        )

    def keys(self, detail: Detail) -> dict[str, Any]:
        """The method, the assessors, and the statistics."""
        return {
            "method": self.made(),
            "assessors": [
                {"assessor": name, "labels": count}
                for name, count in zip(self.assessors, self.labels, strict=True)
            ],
            "all": _shared(self.found) | _statistics(self.found),
            "pairs": [self._pair(one) for one in self.found.each],
            "queries": [{"query": qid, "alpha": alpha} for qid, alpha in self.hardest()],
        }

    def _pair(self, one: PairAgreement) -> dict[str, Any]:
        first, second = self.names(one)
        named = {"first": first, "second": second}
        return named | _shared(one) | _statistics(one) | {"confusion": one.confusion.tolist()}


def _shared(one: Agreement | PairAgreement) -> dict[str, Any]:
    return {"shared_pairs": one.pairs, "shared_queries": one.queries}


def _statistics(one: Agreement | PairAgreement) -> dict[str, Any]:
    found = {name: getattr(one, name, None) for name in STATISTICS}
    return {name: value._asdict() for name, value in found.items() if isinstance(value, Estimate)}
