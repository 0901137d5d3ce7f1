"""How far assessors agree, as plain values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from annotator import __version__
from annotator.domain import IntArray
from annotator.errors import UsageError
from annotator.scoring.method import stamped
from rubric.agreement import RESAMPLES, Agreement, Estimate, PairAgreement, agreement

STATISTICS = ("same", "within_one", "binary_kappa", "weighted_kappa", "alpha", "mean_difference")


@dataclass(frozen=True, eq=False)
class Ratings:
    """The labels of one assessor: ``query`` and ``document`` are numbers that all have in common.

    Each array has one element a label; a pair is labelled once.
    """

    assessor: str
    query: IntArray
    document: IntArray
    grade: IntArray


@dataclass(frozen=True, eq=False)
class AgreementTable:
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

    def to_dict(self) -> dict[str, Any]:
        """The JSON form; keys may be added, none is renamed."""
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


def compare_assessors(
    ratings: Sequence[Ratings],
    qids: Sequence[str],
    *,
    top: int,
    threshold: int,
    seed: int = 0,
) -> AgreementTable:
    """Compare the labels of two or more assessors.

    Raises
    ------
    UsageError
        If there are fewer than two assessors, or no pair was graded by two of them.
    """
    if len(ratings) < 2:
        raise UsageError("agreement takes the labels of at least two assessors")
    keys = [one.query.astype(np.int64) << 32 | one.document for one in ratings]
    pairs = np.unique(np.concatenate(keys))
    grades = np.full((len(ratings), len(pairs)), -1, dtype=np.int64)
    for row, (one, key) in enumerate(zip(ratings, keys, strict=True)):
        grades[row, np.searchsorted(pairs, key)] = one.grade
    found = agreement(grades, pairs >> 32, highest=top, threshold=threshold, seed=seed)
    if not found.pairs:
        raise UsageError(
            "no pair of query and document has labels of two assessors: agreement takes pairs that "
            "more than one of them graded"
        )
    return AgreementTable(
        assessors=tuple(one.assessor for one in ratings),
        labels=tuple(len(one.grade) for one in ratings),
        qids=tuple(qids[: len(found.by_query)]),
        top=top,
        threshold=threshold,
        seed=seed,
        tool=f"annotator {__version__}",
        found=found,
    )
