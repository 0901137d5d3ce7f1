"""The pairs of a qrels file, found again by the bytes of their ids."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from annotator.errors import InputError
from annotator.formats.blocks.words import MARGIN, Text, WordArray, equal, keys_of, salts_of
from annotator.records import BoolArray, IntArray, Qrel
from annotator.sanitise import one_line
from rubric import UNJUDGED, UNPOOLED

ROOM = 8
"""Places in the table of what may be there, for each pair."""

HIGHEST = 127

BESIDE = np.uint64(2**63)
"""Marks the key of a document that is not in the qrels."""

GradeArray = npt.NDArray[np.int8]


@dataclass(frozen=True, eq=False)
class JudgedPairs:
    """Every pair of a qrels file with its grade; made once, used for many runs.

    Parameters
    ----------
    qids
        The Q queries, in the order of the qrels.
    query, grade
        Of each pair: its query's place in ``qids``, its grade, or UNJUDGED where the qrels have a
        grade below 0, which says that a document was pooled and not judged.
    """

    qids: list[str]
    query: IntArray
    grade: GradeArray
    numbers: dict[bytes, int]
    docids: Text
    docid_at: IntArray
    docid_length: IntArray
    keys: WordArray
    bucket_starts: IntArray
    bucket_shift: np.uint64
    possible: BoolArray

    @classmethod
    def from_qrels(cls, rows: Sequence[Qrel], name: str = "qrels") -> JudgedPairs:
        """Take the rows of a qrels file; a row that is there twice counts once.

        Raises
        ------
        InputError
            If a pair has two different grades, or a grade is above 127.
        """
        if too_high := next((row for row in rows if row.grade > HIGHEST), None):
            raise InputError(f"{name}:{too_high.line}: grade {too_high.grade} is above {HIGHEST}")
        pairs = cls._of_rows(rows)
        return cls._of_rows(_each_once(rows, name)) if pairs.repeated else pairs

    @classmethod
    def _of_rows(cls, rows: Sequence[Qrel]) -> JudgedPairs:
        return cls.indexed(
            [row.qid.encode() for row in rows],
            [row.docid.encode() for row in rows],
            np.array([row.grade for row in rows], dtype=np.int64),
        )

    @classmethod
    def indexed(
        cls, qids: Sequence[bytes], docids: Sequence[bytes], grades: IntArray
    ) -> JudgedPairs:
        """Take columns: the query, the document and the grade (at most 127) of each pair."""
        numbers = {qid: number for number, qid in enumerate(dict.fromkeys(qids))}
        text, at, length = _fields(docids)
        query = np.array([numbers[qid] for qid in qids], dtype=np.int64)
        grade = np.maximum(grades, UNJUDGED).astype(np.int8)
        keys = keys_of(text, at, length, salts_of(query))
        order = np.argsort(keys)
        keys = keys[order]
        shift = np.uint64(63 - len(qids).bit_length())
        buckets = np.arange(2 ** int(64 - shift), dtype=np.uint64)
        possible = np.zeros(2 ** max(10, (len(qids) * ROOM).bit_length()), dtype=np.bool_)
        possible[_slots(keys, possible)] = True
        return cls(
            qids=[qid.decode() for qid in numbers],
            query=query[order],
            grade=grade[order],
            numbers=numbers,
            docids=text,
            docid_at=at[order],
            docid_length=length[order],
            keys=keys,
            bucket_starts=np.searchsorted(keys, buckets << shift),
            bucket_shift=shift,
            possible=possible,
        )

    def keys_in(self, query: int, docids: Sequence[str]) -> WordArray:
        """The keys of documents of one query."""
        text, at, length = _fields([docid.encode() for docid in docids])
        return keys_of(text, at, length, salts_of(np.full(len(docids), query)))

    @property
    def repeated(self) -> bool:
        """Whether a pair may be there twice."""
        return bool((self.keys[1:] == self.keys[:-1]).any())

    def places(self) -> dict[tuple[str, str], int]:
        """The place of every pair, by query and document id."""
        places = zip(self.docid_at.tolist(), self.docid_length.tolist(), strict=True)
        docids = (self.docids.field(at, length).decode() for at, length in places)
        qids = (self.qids[query] for query in self.query.tolist())
        return {pair: place for place, pair in enumerate(zip(qids, docids, strict=True))}

    def counts(self, top: int) -> IntArray:
        """How many judged documents each query has at each grade to ``top``: shape (Q, top + 1).

        Raises
        ------
        ValueError
            If a grade is above ``top``.
        """
        higher = top + 1 - self._counts.shape[1]
        if higher < 0:
            raise ValueError(f"there are grades above {top}")
        return np.pad(self._counts, ((0, 0), (0, higher)))

    @cached_property
    def _counts(self) -> IntArray:
        judged, width = self.grade >= 0, int(self.grade.max(initial=0)) + 1
        cells = self.query[judged] * width + self.grade[judged]
        size = len(self.qids) * width
        return np.bincount(cells, minlength=size).reshape(len(self.qids), width)

    def unjudged(self) -> IntArray:
        """How many documents of each query are pooled and not judged: shape (Q,)."""
        return self._unjudged.copy()

    @cached_property
    def _unjudged(self) -> IntArray:
        return np.bincount(self.query[self.grade < 0], minlength=len(self.qids))

    def places_of(
        self,
        numbers: IntArray,
        query: IntArray,
        keys: WordArray,
        text: Text,
        at: IntArray,
        length: IntArray,
    ) -> IntArray:
        """The place of the pair of each document and its query, -1 where it is none of these.

        The query's place in ``qids`` is ``numbers[query]``. ``keys`` are those of the documents'
        ids, salted with the query; they only say where to look: no place is given before the ids
        are the same, byte by byte.
        """
        found = np.full(len(keys), -1, dtype=np.int64)
        rows = np.flatnonzero(self.possible[_slots(keys, self.possible)])
        place = self.bucket_starts[(keys[rows] >> self.bucket_shift).view(np.int64)]
        while rows.size:
            rows, place = self._next_with_key(rows, place, keys)
            same = self.query[place] == numbers[query[rows]]
            same &= self.docid_length[place] == length[rows]
            lengths = np.where(same, length[rows], 0)
            same &= equal(text, at[rows], self.docids, self.docid_at[place], lengths)
            found[rows[same]] = place[same]
            rows, place = rows[~same], place[~same] + 1
        return found

    def grades_at(self, places: IntArray) -> GradeArray:
        """The grades of pairs by their places, UNPOOLED for -1."""
        return np.append(self.grade, np.int8(UNPOOLED))[places]

    def _next_with_key(
        self, rows: IntArray, place: IntArray, keys: WordArray
    ) -> tuple[IntArray, IntArray]:
        """The first place from the given one at which a row's key stands; of rows that have one."""
        found = [(rows[:0], place[:0])]
        while rows.size:
            inside = place < len(self.keys)
            rows, place = rows[inside], place[inside]
            there, wanted = self.keys[place], keys[rows]
            match, before = there == wanted, there < wanted
            found.append((rows[match], place[match]))
            rows, place = rows[before], place[before] + 1
        return np.concatenate([r for r, _ in found]), np.concatenate([p for _, p in found])


def told_apart(places: IntArray, keys: WordArray) -> WordArray:
    """One number for each document of a query: the place of its pair, else its key, marked."""
    return np.where(places >= 0, places.astype(np.uint64), keys | BESIDE)


def _fields(ids: Sequence[bytes]) -> tuple[Text, IntArray, IntArray]:
    """Ids as one text: where each begins, and how long it is."""
    length = np.array([len(one) for one in ids], dtype=np.int64)
    at = np.cumsum(length) - length + len(MARGIN)
    return Text(b"".join((MARGIN, *ids, MARGIN))), at, length


def _each_once(rows: Sequence[Qrel], name: str) -> list[Qrel]:
    judged: dict[tuple[str, str], Qrel] = {}
    for row in rows:
        first = judged.setdefault((row.qid, row.docid), row)
        if first.grade != row.grade:
            raise InputError(
                f"{name}:{row.line}: grade {row.grade} for document {one_line(row.docid)} of "
                f"query {one_line(row.qid)}, which has grade {first.grade} in line "
                f"{first.line}; remove one of the lines"
            )
    return list(judged.values())


def _slots(keys: WordArray, table: BoolArray) -> IntArray:
    return (keys & np.uint64(len(table) - 1)).view(np.int64)
