"""The queries of one file on their way into the project."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from itertools import islice

from annotator.domain import Query
from annotator.store.sqlite.batches import in_pieces
from annotator.store.sqlite.file import ProjectFile
from annotator.text.folding import one_wording

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

    def contradictions(self) -> list[tuple[str, str, str]]:
        """The ids that come with two texts: each with the first two."""
        return self._file.tuples(
            "SELECT one.qid, one.text, other.text FROM temp.staged_topic AS one"
            " JOIN temp.staged_topic AS other ON other.file = one.file AND other.qid = one.qid"
            " AND other.text NOT IN ('', one.text)"
            " WHERE one.file = ? AND one.text != '' GROUP BY one.qid HAVING min(one.id)"
            " ORDER BY one.id",
            (self._number,),
        )

    def sharing(self) -> list[list[str]]:
        """The ids of queries that have one text but for case and blanks, group by group."""
        self._file.db.create_function("wording", 1, one_wording, deterministic=True)
        rows = self._file.tuples(
            "SELECT json_group_array(DISTINCT qid) FROM temp.staged_topic"
            " WHERE file = ? AND text != '' GROUP BY wording(text) HAVING count(DISTINCT qid) > 1"
            " ORDER BY min(id)",
            (self._number,),
        )
        return [json.loads(qids) for (qids,) in rows]

    def __iter__(self) -> Iterator[Query]:
        sql = (
            "SELECT id, qid, text, description, narrative FROM temp.staged_topic"  # noqa: S608 -- a number
            f" WHERE file = {self._number:d} AND id > ? ORDER BY id LIMIT ?"
        )
        for rows in in_pieces(self._file.tuples, sql):
            yield from (Query(*row[1:]) for row in rows)
