"""The pool: which pairs are to be judged, and how each came in."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple, TypeAlias

from annotator.domain import Int32Array
from annotator.store.precedence import states
from annotator.store.removals import SYSTEM, removed
from annotator.store.sqlite.batches import in_pieces
from annotator.store.sqlite.file import ProjectFile


class Pool(NamedTuple):
    """One making or extension of the pool; its depth is 0 where the pairs came from a file."""

    id: int
    method: str
    depth: int
    seed: int
    systems: list[str]
    created: str


Pooled: TypeAlias = tuple[Pool, list[tuple[int, int, int, list[str]]]]
"""A making of the pool with query, document, best rank and systems of each pair it brought."""


class PoolTable:
    """The pooled pairs of a project."""

    def __init__(self, file: ProjectFile) -> None:
        self._file = file

    def makings(self) -> list[Pool]:
        """How the pool was made and extended, oldest first; without systems that were taken out."""
        self._file.check("pool")
        gone = {
            name
            for (name,) in self._file.tuples(
                f"SELECT name FROM system WHERE id IN {removed(SYSTEM)}"  # noqa: S608 -- only names
            )
        }
        return [
            Pool(
                **{**row, "systems": [one for one in json.loads(row["systems"]) if one not in gone]}
            )
            for row in self._file.rows("SELECT * FROM pool ORDER BY id")
        ]

    def depth(self) -> int | None:
        """How deep systems were pooled at most; None where none was."""
        return max((making.depth for making in self.makings()), default=0) or None

    def seed(self) -> int:
        """The seed of the order of presentation: the first pool's; no extension reshuffles."""
        row = self._file.one("SELECT seed FROM pool ORDER BY id LIMIT 1")
        return int(row["seed"]) if row else 0

    def extend(
        self,
        method: str,
        depth: int,
        seed: int,
        systems: Sequence[str],
        entries: Iterable[tuple[int, int, int, Sequence[str]]],
        now: str,
    ) -> int:
        """Add the pairs that are not pooled yet; how many that was.

        Each entry is a query number, a document number, its best rank, and the systems that
        brought it. Nothing is written where nothing is missing.
        """
        entries = list(entries)
        with self._file.writing():
            before = self.size()
            pool = self._file.execute(
                "INSERT INTO pool (method, depth, seed, systems, created) VALUES (?, ?, ?, ?, ?)",
                (method, depth, seed, json.dumps(list(systems)), now),
            )
            self._file.many(
                "INSERT OR IGNORE INTO pair (query_id, document_id) VALUES (?, ?)",
                (entry[:2] for entry in entries),
            )
            self._file.many(
                "INSERT OR IGNORE INTO pool_entry (pair_id, pool_id, best_rank, systems) VALUES"
                " ((SELECT id FROM pair WHERE query_id = ? AND document_id = ?), ?, ?, ?)",
                (
                    (query, document, pool, rank, json.dumps(list(names)))
                    for query, document, rank, names in entries
                ),
            )
            added = self.size() - before
            if not added:
                self._file.execute("DELETE FROM pool WHERE id = ?", (pool,))
            self._file.seal("pool", "pool_entry")
        return added

    def entries(self) -> list[Pooled]:
        """How the pool was made, each making with the pairs that it brought."""
        self._file.check("pool_entry")
        entries: dict[int, list[tuple[int, int, int, list[str]]]] = defaultdict(list)
        for pool, query, document, rank, names in self._file.tuples(
            "SELECT pool_id, query_id, document_id, best_rank, systems FROM pool_entry"
            " JOIN pair ON pair.id = pair_id ORDER BY pair_id"
        ):
            entries[pool].append((query, document, rank, json.loads(names)))
        return [(one, entries[one.id]) for one in self.makings()]

    def pairs_of(self, query: int) -> list[int]:
        """The numbers of the pooled pairs of a query."""
        rows = self._file.tuples(
            "SELECT pair_id FROM pool_entry JOIN pair ON pair.id = pair_id WHERE query_id = ?",
            (query,),
        )
        return [pair for (pair,) in rows]

    def unjudged_of(self, systems: Collection[str]) -> list[tuple[int, int, int]]:
        """The pooled pairs that only these systems brought and nobody spoke of.

        Each with its query and document.
        """
        rows = self._file.tuples(
            "SELECT pair_id, query_id, document_id, systems FROM pool_entry JOIN pair"
            " ON pair.id = pair_id WHERE pair_id NOT IN (SELECT pair_id FROM judgment"
            " JOIN assessor ON assessor.id = assessor_id WHERE kind != 'model')"
        )
        return [tuple(row) for *row, names in rows if set(json.loads(names)) <= set(systems)]

    def pair(self, query: int, document: int) -> int:
        """The number of a pair, made if new; it need not be in the pool."""
        file, numbers = self._file, (query, document)
        with file.writing():
            file.execute(
                "INSERT OR IGNORE INTO pair (query_id, document_id) VALUES (?, ?)", numbers
            )
            rows = file.tuples(
                "SELECT id FROM pair WHERE query_id = ? AND document_id = ?", numbers
            )
        return int(rows[0][0])

    def size(self) -> int:
        """How many pairs are pooled."""
        return int(self._file.tuples("SELECT count(*) FROM pool_entry")[0][0])

    def queries(self) -> list[int]:
        """The queries of which anything is pooled, in order."""
        rows = self._file.tuples(
            "SELECT id FROM query WHERE EXISTS (SELECT 1 FROM pair JOIN pool_entry"
            " ON pair_id = pair.id WHERE query_id = query.id) ORDER BY id"
        )
        return [query for (query,) in rows]

    def sizes(self) -> list[tuple[int, int]]:
        """How many pairs of each query are pooled, in order of the queries.

        All pairs are counted from the index, and those outside the pool taken off, which are few.
        """
        counts = dict(self._file.tuples("SELECT query_id, count(*) FROM pair GROUP BY query_id"))
        if sum(counts.values()) > self.size():
            outside = self._file.tuples(
                "SELECT query_id, count(*) FROM pair"
                " WHERE id NOT IN (SELECT pair_id FROM pool_entry) GROUP BY query_id"
            )
            for query, count in outside:
                counts[query] -= count
        return [(query, count) for query, count in sorted(counts.items()) if count]

    def said(self, assessor: int, versions: str, *, each_query: bool) -> list[tuple[int, ...]]:
        """How many pairs an assessor has judged, marked as for later, and as not to be judged.

        And how many have a label of anybody's, or that or a mark of this assessor's; a query's
        number before, which says nothing unless each query is counted. Grades from files count as
        everybody's. Labels count under these rubric versions, numbers with commas between.
        """
        label = f"(grade IS NOT NULL AND rubric_version_id IN ({versions}))"
        sums = ("judged", "later > judged", "cannot > judged", "labelled",
                "max(labelled, later, cannot)")  # fmt: skip
        return self._file.tuples(
            f"SELECT query_id, {', '.join(f'ifnull(sum({one}), 0)' for one in sums)} FROM ("  # noqa: S608 -- numbers only
            f" SELECT pair_id, max({label}) AS labelled,"
            f" max({label} AND (assessor_id = :me OR kind != 'human')) AS judged,"
            " max(assessor_id = :me AND ifnull(mark, '') = 'later') AS later,"
            " max(assessor_id = :me AND ifnull(mark, '') = 'cannot') AS cannot"
            f" FROM {states()} JOIN assessor ON assessor.id = assessor_id"
            " WHERE kind != 'model' GROUP BY pair_id)"
            " JOIN pair ON pair.id = pair_id"
            " WHERE pair_id IN (SELECT pair_id FROM pool_entry)"
            f" {'GROUP BY query_id' if each_query else ''}",
            {"me": assessor},
        )

    def pairs(self) -> tuple[Int32Array, Int32Array]:
        """The query and the document number of every pooled pair: two arrays of one length."""
        _, query, document = self.numbered_pairs()
        return query, document

    def numbered_pairs(self) -> tuple[Int32Array, Int32Array, Int32Array]:
        """The number of every pooled pair, and its query and document, by which they are sorted."""
        import numpy as np

        self._file.check("pool_entry")
        sql = (  # by the tables, which have seals, and not by an index
            "SELECT pair_id, query_id, document_id FROM pool_entry CROSS JOIN pair NOT INDEXED"
            " ON pair.id = pair_id WHERE pair_id > ? ORDER BY pair_id LIMIT ?"
        )
        pieces = [np.array(piece, np.int64) for piece in in_pieces(self._file.tuples, sql)]
        pair, query, document = (
            np.concatenate([np.empty((0, 3), np.int64), *pieces]).astype(np.int32).T
        )
        order = np.lexsort((document, query))
        return pair[order], query[order], document[order]
