"""The weights of queries: every import of them is kept, the latest holds."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime
from typing import NamedTuple

from annotator.store.sqlite.file import ProjectFile


class StoredWeights(NamedTuple):
    """The weight of each query by its id, the file that they came from, and since when they hold.

    Without any weight all queries count alike.
    """

    source: str
    weights: dict[str, float]
    since: str


class WeightTable:
    """Which weights have held since when."""

    def __init__(self, file: ProjectFile) -> None:
        self._file = file

    def in_force(self, as_of: datetime | None = None) -> StoredWeights | None:
        """The weights that hold, or held then; None where all queries count alike."""
        self._file.check("query_weights")
        rows = self._file.tuples(
            "SELECT source, weights, since FROM query_weights ORDER BY id DESC"
        )
        for source, weights, since in rows:
            if as_of is None or datetime.fromisoformat(since) <= as_of:
                return (
                    StoredWeights(source, json.loads(weights), since) if weights != "{}" else None
                )
        return None

    def put_in_force(self, source: str, weights: Mapping[str, float], now: str) -> None:
        """Let these weights hold from now on; with none of them all queries count alike."""
        with self._file.writing():
            self._file.execute(
                "INSERT INTO query_weights (source, weights, since) VALUES (?, ?, ?)",
                (source, json.dumps(weights), now),
            )
            self._file.seal("query_weights")
