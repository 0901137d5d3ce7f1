"""What was taken out of a project: nothing is deleted of it, so that it can be put back."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import NamedTuple

from annotator.store.sqlite.file import ProjectFile

QUERY, SYSTEM, LABELS = "query", "system", "labels"

_ACTIVE = "kind IS NOT NULL AND id NOT IN (SELECT undoes FROM removal WHERE undoes IS NOT NULL)"


def removed(kind: str) -> str:
    """A subquery for the numbers of the queries or systems that are taken out."""
    return (
        f"(SELECT value FROM removal, json_each(items) WHERE kind = '{kind}'"  # noqa: S608 -- a constant
        f" AND removal.id NOT IN (SELECT undoes FROM removal WHERE undoes IS NOT NULL))"
    )


class Removal(NamedTuple):
    """One removal: of queries or systems by their numbers, or of labels.

    Of labels ``items`` are the first and the last entry of the log that withdrew them. ``pooled``
    are the rows of the pool that left it.
    """

    id: int
    kind: str
    items: list[int]
    pooled: list[tuple[int, int, int, str]]
    said: str
    at: str


class RemovalTable:
    """What was taken out and put back, in order."""

    def __init__(self, file: ProjectFile) -> None:
        self._file = file

    def active(self) -> list[Removal]:
        """What is out now, oldest first."""
        self._file.check("removal")
        rows = self._file.tuples(
            f"SELECT id, kind, items, pooled, said, at FROM removal WHERE {_ACTIVE} ORDER BY id"  # noqa: S608 -- only names
        )
        return [
            Removal(id_, kind, json.loads(items), list(map(tuple, json.loads(pooled))), said, at)
            for id_, kind, items, pooled, said, at in rows
        ]

    def add(self, kind: str, items: Sequence[int], pairs: Sequence[int], said: str, at: str) -> int:
        """Take something out, with these pairs of the pool; the removal's number."""
        with self._file.writing():
            wanted = (json.dumps(list(pairs)),)
            which = "pair_id IN (SELECT value FROM json_each(?))"
            pooled = self._file.tuples(
                f"SELECT pair_id, pool_id, best_rank, systems FROM pool_entry WHERE {which}",  # noqa: S608 -- only names
                wanted,
            )
            self._file.execute(f"DELETE FROM pool_entry WHERE {which}", wanted)  # noqa: S608 -- only names
            number = self._file.execute(
                "INSERT INTO removal (kind, items, pooled, said, at) VALUES (?, ?, ?, ?, ?)",
                (kind, json.dumps(list(items)), json.dumps(pooled), said, at),
            )
            self._file.seal("pool_entry", "removal")
        return number

    def put_back(self, removal: Removal, at: str) -> None:
        """Put back what a removal took out."""
        with self._file.writing():
            self._file.many(
                "INSERT OR IGNORE INTO pool_entry (pair_id, pool_id, best_rank, systems)"
                " VALUES (?, ?, ?, ?)",
                removal.pooled,
            )
            self._file.execute("INSERT INTO removal (undoes, at) VALUES (?, ?)", (removal.id, at))
            self._file.seal("pool_entry", "removal")
