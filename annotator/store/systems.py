"""Systems and their rankings: two arrays a query, so ten million places load in a second."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from annotator.records import FloatArray, Int32Array
from annotator.store.file import ProjectFile


@dataclass(frozen=True)
class System:
    """A system as stored; ``findings`` is what its import found."""

    id: int
    name: str
    file_hash: str
    order_rule: str
    findings: dict[str, Any]
    created: str


@dataclass(frozen=True, eq=False)
class Ranking:
    """What one system returned for one query: document numbers in displayed order, and scores."""

    query: int
    documents: Int32Array
    scores: FloatArray


class SystemTable:
    """The systems of a project."""

    def __init__(self, file: ProjectFile) -> None:
        self._file = file

    def all(self) -> list[System]:
        """Every system, in the order of import."""
        return [
            System(**{**row, "findings": json.loads(row["findings"])})
            for row in self._file.rows("SELECT * FROM system ORDER BY id")
        ]

    def add(
        self,
        name: str,
        file_hash: str,
        order_rule: str,
        findings: dict[str, Any],
        rankings: Iterable[Ranking],
        now: str,
    ) -> int:
        """Store a system with its rankings; one of that name is replaced, its judgments kept."""
        with self._file.writing():
            self._file.execute(
                "INSERT INTO system (name, file_hash, order_rule, findings, created)"
                " VALUES (?, ?, ?, ?, ?) ON CONFLICT (name) DO UPDATE SET"
                " file_hash = excluded.file_hash, order_rule = excluded.order_rule,"
                " findings = excluded.findings, created = excluded.created",
                (name, file_hash, order_rule, json.dumps(findings), now),
            )
            number = int(self._file.tuples("SELECT id FROM system WHERE name = ?", (name,))[0][0])
            self._file.execute("DELETE FROM ranking WHERE system_id = ?", (number,))
            self._file.many(
                "INSERT INTO ranking (system_id, query_id, documents, scores) VALUES (?, ?, ?, ?)",
                (
                    (
                        number,
                        ranking.query,
                        ranking.documents.astype("<i4").tobytes(),
                        ranking.scores.astype("<f8").tobytes(),
                    )
                    for ranking in rankings
                ),
            )
        return number

    def rankings(self, system: int) -> Iterator[Ranking]:
        """The rankings of one system, by query."""
        for query, documents, scores in self._file.tuples(
            "SELECT query_id, documents, scores FROM ranking WHERE system_id = ? ORDER BY query_id",
            (system,),
        ):
            yield Ranking(
                query, np.frombuffer(documents, dtype="<i4"), np.frombuffer(scores, dtype="<f8")
            )
