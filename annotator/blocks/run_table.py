"""A run file as columns of numbers."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from annotator.blocks.codes import NOBODY, Codes, Ids
from annotator.blocks.lines import Lines
from annotator.blocks.words import WordArray, salts_of
from annotator.domain import BoolArray, FloatArray, Int32Array, IntArray

_ROOM, _GROWTH = 2**16, 4


class RunTable(NamedTuple):
    """The rows of a run file as columns, in file order.

    ``query`` holds, for each row, an index into ``qids`` (each id once, in order of first
    appearance), ``document`` a number of ``documents``. ``rank`` and ``score`` are the file's own.
    """

    qids: list[str]
    documents: Codes
    query: Int32Array
    document: Int32Array
    rank: IntArray | Int32Array
    score: FloatArray


class NamesNeededError(Exception):
    """A run cannot be read without the names of all its documents."""


def run_table(
    batches: Iterable[Lines], documents: Codes | None = None, most: int | None = None
) -> RunTable:
    """All lines of a run together, its documents numbered with those that are known already.

    Once ``most`` ids are known, a new one is no longer kept: its row has a number of its own, above
    all those of ids. Ids are kept where something may hang on them: of documents that are tied, or
    are called as their query is.

    Raises
    ------
    NamesNeededError
        If ``most`` ids are not enough: rows of a query are not together or not in the order of
        their scores, or documents may come twice. Without ``most`` it is not raised.
    """
    qids, documents = Codes(), documents or Codes()
    columns = [_Column(kind) for kind in (np.int32, np.int32, np.int32, np.float64)]
    strangers = _Strangers(documents)
    for lines in filter(len, batches):
        begun = lines.begins
        before = qids.count
        queries = qids.of(lines.text, lines.qid_at[begun], lines.qid_length[begun])
        query = np.repeat(queries, np.diff(begun, append=len(lines)))
        if most is None or documents.count < most:
            document = documents.of(lines.text, lines.docid_at, lines.docid_length)
            strangers.follow(query, lines.score)
        else:
            strangers.check_order(queries, before)
            document = strangers.numbers_of(lines, query)
        parts = (query, document, _narrow(lines.rank), lines.score)
        for column, part in zip(columns, parts, strict=True):
            column.extend(part)
    query, document, rank, score = (column.values() for column in columns)
    nobody = np.flatnonzero(document == NOBODY)
    document[nobody] = documents.count + np.arange(len(nobody), dtype=np.int32)
    return RunTable(qids.names(), documents, query, document, rank, score)


class _Strangers:
    """Numbers of documents of which as few as may be are kept by their ids."""

    def __init__(self, documents: Codes) -> None:
        self._documents = documents
        self._query, self._score = -1, 0.0  # of the last row
        self._keys = np.zeros(0, dtype=np.uint64)  # of those of the last query that were new

    def follow(self, query: Int32Array, score: FloatArray) -> None:
        """Take note of where rows end of which all documents have numbers."""
        last = score[query == query[-1]]
        in_order = bool(np.all(last[1:] <= last[:-1]))
        self._query, self._score = int(query[-1]), float(last[-1]) if in_order else -np.inf

    def check_order(self, queries: Int32Array, before: int) -> None:
        """Refuse queries that have begun earlier, but for the one that goes on."""
        fresh = queries[1:] if len(queries) and queries[0] in (before - 1, before) else queries
        if len(fresh) and (int(fresh[0]) < before or np.any(fresh[1:] <= fresh[:-1])):
            raise NamesNeededError

    def numbers_of(self, lines: Lines, query: Int32Array) -> Int32Array:
        """The number of each row's document; :data:`NOBODY` for one that need not be named."""
        ids = Ids.of(lines.text, lines.docid_at, lines.docid_length)
        document = self._documents.found(ids)
        new = document == NOBODY
        keys = ids.keys ^ salts_of(query.astype(np.int64))
        self._check_once(keys[new], query, query[new])
        named = new & (self._tied(query, lines.score) | _of_own_name(lines, ids))
        self._documents.add(ids, document, np.flatnonzero(named))
        return document

    def _tied(self, query: Int32Array, score: FloatArray) -> BoolArray:
        """Rows whose score may be another's of the query, in single precision; the outermost are.

        Raises
        ------
        NamesNeededError
            If scores rise within a query.
        """
        same = query[1:] == query[:-1]
        goes_on = int(query[0]) == self._query
        if np.any(same & (score[1:] > score[:-1])) or (goes_on and score[0] > self._score):
            raise NamesNeededError
        with np.errstate(over="ignore"):
            single = score.astype(np.float32)
        tied = np.zeros(len(query), dtype=np.bool_)
        equal = same & (single[1:] == single[:-1])
        tied[1:] |= equal
        tied[:-1] |= equal
        tied[0] = tied[-1] = True
        self._query, self._score = int(query[-1]), float(score[-1])
        return tied

    def _check_once(self, keys: WordArray, query: Int32Array, of: Int32Array) -> None:
        """Refuse documents that may come twice in a query: those that have one key."""
        if int(query[0]) != self._query:
            self._keys = self._keys[:0]
        every = np.sort(np.concatenate([self._keys, keys]))
        if np.any(every[1:] == every[:-1]):
            raise NamesNeededError
        last = keys[of == query[-1]]
        goes_on = int(query[0]) == int(query[-1])
        self._keys = np.concatenate([self._keys, last]) if goes_on else last


def _of_own_name(lines: Lines, ids: Ids) -> BoolArray:
    """Rows whose document is perhaps called as its query is."""
    begun = lines.begins
    queries = Ids.of(lines.text, lines.qid_at[begun], lines.qid_length[begun])
    return np.asarray(np.repeat(queries.keys, np.diff(begun, append=len(lines))) == ids.keys)


def _narrow(rank: IntArray) -> IntArray | Int32Array:
    """In four bytes each where they fit, as nearly all ranks do."""
    limits = np.iinfo(np.int32)
    if rank.size and limits.min <= rank.min() and rank.max() <= limits.max:
        return rank.astype(np.int32)
    return rank


class _Column:
    """Numbers in a row, in memory that is asked for ahead and not touched before it is needed."""

    def __init__(self, kind: type[np.generic]) -> None:
        self._held, self._count = np.empty(_ROOM, dtype=kind), 0

    def extend(self, part: npt.NDArray[Any]) -> None:
        """Add numbers behind the others."""
        end = self._count + len(part)
        kind = np.promote_types(self._held.dtype, part.dtype)
        if end > len(self._held) or kind != self._held.dtype:
            larger = np.empty(max(_GROWTH * len(self._held), end), dtype=kind)
            larger[: self._count] = self.values()
            self._held = larger
        self._held[self._count : end] = part
        self._count = end

    def values(self) -> npt.NDArray[Any]:
        """All of them."""
        return self._held[: self._count]
