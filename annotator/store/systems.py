"""Systems and their rankings: two arrays a query, so ten million places load in a second.

The first places of a system's rankings have a seal of their own, so that what is made of them alone
is read without the rest.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple, TypeAlias

from annotator.domain import Ranking
from annotator.store.removals import QUERY, SYSTEM, removed
from annotator.store.sqlite import seals
from annotator.store.sqlite.errors import damaged
from annotator.store.sqlite.file import ProjectFile

TOP = 20
"""The first places that have a seal of their own."""

PIECE = 100
"""Rankings that are looked at before whoever waits for the screen goes first."""

Sealed: TypeAlias = tuple[str, bytes]
Row: TypeAlias = tuple[int, bytes, bytes, bytes]


class System(NamedTuple):
    """A system as stored; ``findings`` is what its import found."""

    id: int
    name: str
    file_hash: str
    order_rule: str
    findings: dict[str, Any]
    created: str


class SystemTable:
    """The systems of a project."""

    def __init__(self, file: ProjectFile) -> None:
        self._file = file

    def all(self) -> list[System]:
        """Every system, in the order of import, but those that were taken out."""
        self._file.check("system", "removal")
        return [
            System(**{**row, "findings": json.loads(row["findings"])})
            for row in self._file.rows(
                "SELECT id, name, file_hash, order_rule, findings, created FROM system"  # noqa: S608 -- only names
                f" WHERE id NOT IN {removed(SYSTEM)} ORDER BY id"
            )
        ]

    def taken_out(self) -> set[str]:
        """The names of the systems that were taken out."""
        rows = self._file.tuples(f"SELECT name FROM system WHERE id IN {removed(SYSTEM)}")  # noqa: S608 -- only names
        return {name for (name,) in rows}

    def named(self, name: str) -> System | None:
        """The system of this name, if there is one."""
        return next((one for one in self.all() if one.name == name), None)

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
                "INSERT INTO ranking (system_id, query_id, documents, scores, checksum)"
                " VALUES (?, ?, ?, ?, ?)",
                ((number, *content, seals.of_ranking(*content)) for content in _stored(rankings)),
            )
            sums = self._file.each(
                "SELECT checksum FROM ranking WHERE system_id = ? ORDER BY query_id", (number,)
            )
            whole = seals.of_system(one for (one,) in sums)
            self._file.execute("UPDATE system SET checksum = ? WHERE id = ?", (whole, number))
            seal_tops(self._file, number)
            self._file.seal("system")
        return number

    def fingerprints(self, system: int) -> dict[int, bytes]:
        """What tells the order of one ranking of a system from another's, by query."""
        rows = self._file.each(
            "SELECT query_id, documents FROM ranking WHERE system_id = ?", (system,)
        )
        return {query: seals.checksum(documents) for query, documents in rows}

    def rankings(self, system: int) -> Iterator[Ranking]:
        """The rankings of one system, by query.

        Raises
        ------
        ProjectError
            If one of them is not as it was stored.
        """
        self._file.check("system")
        with self._file.reading():
            sealed, rows = sealed_rankings(self._file, system)
        if fault := faults(sealed, rows, self._file.pause):
            raise damaged(self._file.path, fault)
        import numpy as np

        gone = self._queries_gone()
        for at, (query, documents, scores, _) in enumerate(rows):
            if not at % PIECE:
                self._file.pause()
            if query in gone:
                continue
            yield Ranking(
                query, np.frombuffer(documents, dtype="<i4"), np.frombuffer(scores, dtype="<f8")
            )

    def tops(self, system: int, depth: int) -> Iterator[Ranking]:
        """The first documents of each ranking of one system, without scores; no more is looked at.

        Raises
        ------
        ProjectError
            If one of them is not as it was stored.
        """
        self._file.check("system")
        with self._file.reading():
            rows = _tops(self._file, system)
            sealed = seals.has(self._file.db, _top_seal(system), _digest_of_tops(rows))
        if depth > TOP or not sealed:  # deeper, or of a file that has no such seal
            rows = [(one.query, one.documents[:depth].tobytes()) for one in self.rankings(system)]
        import numpy as np

        gone = self._queries_gone()
        for query, documents in (row for row in rows if row[0] not in gone):
            yield Ranking(query, np.frombuffer(documents, "<i4")[:depth], np.empty(0))

    def _queries_gone(self) -> set[int]:
        return {query for (query,) in self._file.tuples(removed(QUERY)[1:-1])}


def seal_tops(file: ProjectFile, system: int) -> None:
    """Seal the first places of a system's rankings, inside the `writing` that stored them."""
    seals.put(file.db, _top_seal(system), _digest_of_tops(_tops(file, system)))


def _top_seal(system: int) -> str:
    return f"first {TOP} places of system {system}"


def _tops(file: ProjectFile, system: int) -> list[tuple[int, bytes]]:
    sql = "SELECT query_id, substr(documents, 1, ?) FROM ranking WHERE system_id = ? ORDER BY 1"
    return file.tuples(sql, (4 * TOP, system))


def _digest_of_tops(rows: Sequence[tuple[int, bytes]]) -> bytes:
    return seals.checksum(*(query.to_bytes(8, "little") + documents for query, documents in rows))


def sealed_rankings(file: ProjectFile, system: int) -> tuple[Sealed, list[Row]]:
    """Name and checksum of a system, and its rankings by query, all of one state of the file."""
    (sealed,) = file.tuples("SELECT name, checksum FROM system WHERE id = ?", (system,))
    rows: list[Row] = file.tuples(
        "SELECT query_id, documents, scores, checksum FROM ranking WHERE system_id = ?"
        " ORDER BY query_id",
        (system,),
    )
    return sealed, rows


def faults(sealed: Sealed, rows: Sequence[Row], pause: Callable[[], object] = int) -> str:
    """What is not as it was stored among a system's rankings: the first such, empty if none."""
    name, whole = sealed
    for at, (query, documents, scores, stored) in enumerate(rows):
        if not at % PIECE:
            pause()
        if seals.of_ranking(query, documents, scores) != stored:
            return f"the ranking of system {name} for query number {query} is not as it was stored"
    if seals.of_system(row[3] for row in rows) != whole:
        return f"rankings of system {name} are missing or were put in"
    return ""


def _stored(rankings: Iterable[Ranking]) -> Iterator[tuple[int, bytes, bytes]]:
    for one in rankings:
        documents, scores = one.documents.astype("<i4"), one.scores.astype("<f8")
        yield int(one.query), documents.tobytes(), scores.tobytes()
