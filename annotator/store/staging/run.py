"""One run on its way into the project, in memory a block at a time, in whatever order it comes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

import numpy as np

from annotator.blocks.codes import Codes
from annotator.blocks.lines import Lines
from annotator.displayed_order import Counts, OrderRule, displayed
from annotator.domain import Int32Array, IntArray, Ranking
from annotator.store.sqlite.file import ProjectFile
from annotator.store.staging.ids import StagedIds

ROWS = 100_000
"""How many rows are put into order together."""

Part: TypeAlias = tuple[int, bytes, bytes, bytes]
"""Rows of a query that stood in one block: query, document codes, ranks, scores."""


class StagedRun:
    """The rows of one run, first by block and query, then as rankings.

    A query's rows are kept with those of the blocks before when it comes again, so a file need not
    be grouped by query. Only the rows of one query, or of 100,000 rows of many, are ever together
    in memory.
    """

    def __init__(self, file: ProjectFile, ids: StagedIds, number: int) -> None:
        self._file = file
        self._ids = ids
        self._number = number
        self._queries = Codes()
        self._blocks = 0
        self._first_rank = np.zeros(0, dtype=np.int64)
        self._told_apart = False  # whether ranks tell any two documents of a query apart
        self._rule: OrderRule | None = None
        self._counts = Counts()

    def qids(self) -> list[str]:
        """The run's queries, in order of appearance."""
        return self._queries.names()

    def add(self, lines: Lines) -> None:
        """Take the next lines of the file."""
        if not len(lines):
            return
        begun = lines.begins
        queries = self._queries.of(lines.text, lines.qid_at[begun], lines.qid_length[begun])
        query = np.repeat(queries, np.diff(begun, append=len(lines)))
        document = self._ids.of(lines.text, lines.docid_at, lines.docid_length)
        rank, score = lines.rank, lines.score
        self._look_at_ranks(query, rank)
        if len(np.unique(queries)) < len(queries):
            order = np.argsort(query, kind="stable")
            query, document = query[order], document[order]
            rank, score = rank[order], score[order]
        starts = np.flatnonzero(np.diff(query, prepend=-1))
        columns = (document.astype("<i4"), rank.astype("<i8"), score.astype("<f8"))
        with self._file.staging():
            self._file.many(
                "INSERT INTO temp.staged_part VALUES (?, ?, ?, ?, ?, ?)",
                (
                    (self._number, which, self._blocks, *(c[start:end].tobytes() for c in columns))
                    for which, start, end in _bounds(query, starts)
                ),
            )
        self._blocks += 1

    def ordered(self) -> tuple[OrderRule, Counts]:
        """Put every query into displayed order, once all lines are in; what was odd about them."""
        if self._rule is None:
            self._rule = OrderRule.RANK if self._told_apart else OrderRule.SCORE
            with self._file.staging():
                for parts in self._queries_together():
                    self._order(parts, self._rule)
                self._file.execute("DELETE FROM temp.staged_part WHERE run = ?", (self._number,))
            if self._counts.rows == self._queries.count:  # a document each, in whatever order
                self._rule = OrderRule.RANK
        return self._rule, self._counts

    def rankings(self, queries: Mapping[str, int]) -> Iterator[Ranking]:
        """The rankings of the project's queries among its own, with the project's documents.

        To be called inside the project's `writing`.
        """
        known = [queries.get(qid, 0) for qid in self.qids()]
        for query, documents, scores in self._stored():
            if known[query]:
                found = self._ids.numbers(np.frombuffer(documents, dtype="<i4"))
                yield Ranking(known[query], found, np.frombuffer(scores, dtype="<f8"))

    def documents(self) -> int:
        """How many different documents it has, once the ids are looked up."""
        seen = np.zeros(self._ids.count(), dtype=np.bool_)
        for _, documents, _ in self._stored():
            seen[self._ids.rows(np.frombuffer(documents, dtype="<i4"))] = True
        return int(np.count_nonzero(seen))

    def _stored(self) -> Iterator[tuple[Any, ...]]:
        return self._file.each(
            "SELECT query, documents, scores FROM temp.staged_ranking WHERE run = ? ORDER BY query",
            (self._number,),
        )

    def _look_at_ranks(self, query: Int32Array, rank: IntArray) -> None:
        if self._told_apart:
            return
        new, first = np.unique(query, return_index=True)
        fresh = new >= len(self._first_rank)
        self._first_rank = np.concatenate([self._first_rank, rank[first[fresh]]])
        self._told_apart = bool(np.any(rank != self._first_rank[query]))

    def _queries_together(self) -> Iterator[list[Part]]:
        """The parts of whole queries, of many at once where they are short."""
        together, size = list[Part](), 0
        for part in self._file.each(
            "SELECT query, documents, ranks, scores FROM temp.staged_part WHERE run = ?"
            " ORDER BY query, part",
            (self._number,),
        ):
            if size > ROWS and part[0] != together[-1][0]:
                yield together
                together, size = [], 0
            together.append((part[0], part[1], part[2], part[3]))
            size += len(part[1]) // 4
        if together:
            yield together

    def _order(self, parts: list[Part], rule: OrderRule) -> None:
        queries, *columns = zip(*parts, strict=True)
        document, rank, score = (
            np.frombuffer(b"".join(column), dtype=kind)
            for column, kind in zip(columns, ("<i4", "<i8", "<f8"), strict=True)
        )
        lengths = [len(part[1]) // 4 for part in parts]
        query = np.repeat(np.array(queries, dtype=np.int32), lengths)
        run = displayed(query, self._ids.one_each(document), rank, score, rule)
        self._counts += run.counts
        self._file.many(
            "INSERT INTO temp.staged_ranking VALUES (?, ?, ?, ?)",
            (
                (self._number, which, documents.tobytes(), scores.tobytes())
                for which, documents, scores in run.rankings()
            ),
        )


def _bounds(query: Int32Array, starts: IntArray) -> Iterator[tuple[int, int, int]]:
    """Each query with where its rows begin and end."""
    ends = np.append(starts[1:], len(query))
    return zip(query[starts].tolist(), starts.tolist(), ends.tolist(), strict=True)
