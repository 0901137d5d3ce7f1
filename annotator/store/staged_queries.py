"""The queries of one file on their way into the project."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

from annotator.records import Query
from annotator.store.file import ProjectFile
from annotator.store.pieces import in_pieces

BATCH = 1000


class StagedQueries:
    """Queries in the order of their file; one batch of them in memory at a time."""

    def __init__(self, file: ProjectFile, number: int) -> None:
        self._file = file
        self._number = number

    def add(self, queries: Iterable[Query]) -> None:
        """Take queries, whether the project has them or not."""
        waiting = iter(queries)
        while batch := [(self._number, *query) for query in islice(waiting, BATCH)]:
            with self._file.staging():
                self._file.many(
                    "INSERT INTO temp.staged_topic (file, qid, text, description, narrative)"
                    " VALUES (?, ?, ?, ?, ?)",
                    batch,
                )

    def __iter__(self) -> Iterator[Query]:
        sql = (
            "SELECT id, qid, text, description, narrative FROM temp.staged_topic"  # noqa: S608 -- a number
            f" WHERE file = {self._number:d} AND id > ? ORDER BY id LIMIT ?"
        )
        for rows in in_pieces(self._file.tuples, sql):
            yield from (Query(*row[1:]) for row in rows)
