"""The weights that a person gives to queries."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from annotator.domain import FloatArray
from annotator.errors import InputError
from annotator.results.weighting import Weighting
from annotator.text.plural import counted, some


@dataclass(frozen=True, eq=False)
class QueryWeights:
    """How much each query counts: a finite number of at least 0, not 0 for all.

    ``name`` is that of the file. Those that a project keeps hold ``since`` some time: of queries
    that came later there is none, and these are left out. Without any all queries count alike.
    """

    name: str
    by_query: Mapping[str, float]
    since: str | None = None

    def of(self, qids: Sequence[str]) -> FloatArray:
        """The weights of these queries: float64, shape (Q,).

        Raises
        ------
        InputError
            If a query has none and should have, or all of these have 0.
        """
        missing = [qid for qid in qids if qid not in self.by_query]
        if missing and self.since is None:
            has = "query has", "queries have"
            raise InputError(
                f"{self.name}: {counted(len(missing), *has)} no weight: {some(missing)}; "
                "give each one, 0 leaves a query out"
            )
        weights = np.array([self.by_query.get(qid, 0.0) for qid in qids], dtype=np.float64)
        if len(weights) and not weights.any():
            raise InputError(f"{self.name}: every query that is scored has the weight 0")
        return weights

    def weighting(self, qids: Sequence[str]) -> Weighting:
        """What a method says of them where these queries are scored.

        The digest is of the weights of these queries in their proportions.
        """
        weights = self.of(qids)
        shares = {qid: f"{x:.12g}" for qid, x in zip(qids, weights / weights.sum(), strict=True)}
        whole = json.dumps(shares, sort_keys=True)
        return Weighting(
            name=self.name,
            digest=hashlib.sha256(whole.encode()).hexdigest()[:12],
            left_out=tuple(qid for qid, weight in zip(qids, weights, strict=True) if not weight),
            without=tuple(qid for qid in qids if qid not in self.by_query),
            not_scored=tuple(sorted(set(self.by_query) - set(qids))),
            since=self.since,
        )


ALIKE = QueryWeights("none", {})
"""All queries count alike, whatever weights a project keeps."""
