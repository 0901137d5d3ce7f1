"""The grades of one qrels file in memory, as columns: what is wrong with them, and which hold."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from itertools import islice

import numpy as np

from annotator.actions.imports.grade_hints import advice_on, note_faults
from annotator.blocks.codes import Codes
from annotator.domain import GradeFault, Int32Array, IntArray, Qrel
from annotator.formats import NotPlainError, QrelLines, each_qrel, qrel_columns
from annotator.formats.input.source import Source
from annotator.formats.problems import Problems
from annotator.text.times import as_microseconds
from rubric import Rubric

HIGHEST = 127
"""The highest grade that can be scored."""
COMMON = 3
"""The highest grade of most scales: what is advised where a file has no whole numbers."""
NOW = np.iinfo(np.int64).max
BATCH = 20_000
"""Rows that are objects at a time."""


@dataclass(frozen=True, eq=False)
class FileGrades:
    """The rows of a qrels file, in its order.

    ``query`` and ``assessor`` are places in ``qids`` and ``assessors``, where each name stands
    once; an assessor is empty where the file does not say who it is. ``document`` is a number of
    ``documents``, ``line`` where a row stands, ``at`` its time in microseconds, which is after all
    others where the file has none.
    """

    qids: list[str]
    assessors: list[str]
    documents: Codes
    query: Int32Array
    document: Int32Array
    grade: IntArray
    line: IntArray
    assessor: IntArray
    at: IntArray

    @classmethod
    def of(cls, rows: Iterable[Qrel], documents: Codes) -> FileGrades:
        """Take rows as they are read; their documents are numbered with those known already."""
        qids, assessors = dict[str, int](), dict[str, int]()
        parts = [np.zeros((6, 0), dtype=np.int64)]
        at = iter(rows)
        while batch := list(islice(at, BATCH)):
            names, docids, grades, lines, raters, times, _ = zip(*batch, strict=True)
            query = [qids.setdefault(name, len(qids)) for name in names]
            assessor = [assessors.setdefault(name, len(assessors)) for name in raters]
            document = documents.of_names(docids)
            made = [_microseconds(time) if time else NOW for time in times]
            parts.append(np.stack([np.array(query), document, grades, lines, assessor, made]))
        query, document, *others = np.concatenate(parts, axis=1)
        numbers = query.astype(np.int32), document.astype(np.int32)
        return cls(list(qids), list(assessors), documents, *numbers, *others)

    @classmethod
    def of_columns(cls, blocks: Iterable[QrelLines], documents: Codes) -> FileGrades:
        """Take rows as columns, of one assessor who is not named, without times."""
        qids = Codes()
        parts = [(np.zeros(0, np.int32), np.zeros(0, np.int32), np.zeros(0, np.int64), 1)]
        for lines in blocks:
            begun = lines.begins
            queries = qids.of(lines.text, lines.qid_at[begun], lines.qid_length[begun])
            query = np.repeat(queries, np.diff(begun, append=len(lines.grade)))
            document = documents.of(lines.text, lines.docid_at, lines.docid_length)
            parts.append((query, document, lines.grade, lines.line))
        query, document, grade = (np.concatenate([part[at] for part in parts]) for at in range(3))
        line = np.arange(1, len(query) + 1)
        one, never = (np.broadcast_to(np.int64(what), len(query)) for what in (0, NOW))
        assessors = [""] if len(query) else []
        return cls(qids.names(), assessors, documents, query, document, grade, line, one, never)

    @property
    def negative(self) -> int:
        """How many rows have no grade, or one below 0."""
        return int(np.count_nonzero(self.grade < 0))

    @property
    def repeated(self) -> int:
        """How many rows say again what an earlier one of their pair and assessor says."""
        first = self._first_of_each
        return 0 if first is None else int(np.count_nonzero(first != np.arange(len(first))))

    @property
    def disputed(self) -> int:
        """How many pairs have different grades, of different assessors."""
        if not self._several:
            return 0
        judged = self.grade >= 0
        different = np.unique(np.stack((self._pairs[judged], self.grade[judged])), axis=1)[0]
        return int(np.count_nonzero(np.unique(different, return_counts=True)[1] > 1))

    def distinct(self) -> list[int]:
        """The different grades, rising."""
        grades: list[int] = np.unique(self.grade).tolist()
        return grades

    def faults(self, top: int) -> Iterator[GradeFault]:
        """The rows that keep the file from being used, in its order."""
        first = np.arange(len(self.grade)) if self._first_of_each is None else self._first_of_each
        contrary = self.grade != self.grade[first]
        for row in np.flatnonzero((self.grade > top) | contrary).tolist():
            (docid,) = self.documents.names(self.document[row : row + 1])
            ids = int(self.line[row]), self.qids[self.query[row]], docid, int(self.grade[row])
            if self.grade[row] > top:
                yield GradeFault(*ids, None, None)
            if contrary[row]:
                yield GradeFault(*ids, int(self.line[first[row]]), int(self.grade[first[row]]))

    def pooled(self) -> tuple[Int32Array, Int32Array]:
        """Query and document of every pair, each once."""
        if self._first_of_each is None:
            return self.query, self.document
        _, rows = np.unique(self._pairs, return_index=True)
        return self.query[rows], self.document[rows]

    def labels(self) -> tuple[Int32Array, Int32Array, Int32Array]:
        """Query, document and grade of every judged pair: the latest holds, as in a project."""
        rows = np.flatnonzero(self.grade >= 0)
        if self._first_of_each is not None or self._several:
            rank = np.argsort(np.argsort(self.assessors))[self.assessor[rows]]
            rows = rows[np.lexsort((rank, self.at[rows]))][::-1]
            _, last = np.unique(self._pairs[rows], return_index=True)
            rows = rows[last]
        return self.query[rows], self.document[rows], self.grade[rows].astype(np.int32)

    def named_labels(self) -> Iterator[tuple[str, str, int]]:
        """Query id, document id and grade of every label."""
        query, document, grade = self.labels()
        for start in range(0, len(query), BATCH):
            part = slice(start, start + BATCH)
            qids = [self.qids[one] for one in query[part].tolist()]
            names = self.documents.names(document[part])
            yield from zip(qids, names, grade[part].tolist(), strict=True)

    @property
    def _pairs(self) -> IntArray:
        """One number for the query and document of each row."""
        return self.query.astype(np.int64) << 32 | self.document

    @property
    def _several(self) -> bool:
        """Whether there are several assessors, or times: a pair may have several rows."""
        return len(self.assessors) > 1 or bool(np.any(self.at != NOW))

    @cached_property
    def _first_of_each(self) -> IntArray | None:
        """For each row the first of its query, document, assessor and time; None: every row is."""
        if not self._several:
            ordered = np.sort(self._pairs)
            if np.all(ordered[1:] != ordered[:-1]):
                return None
        keys = np.stack((self._pairs, self.assessor, self.at)) if self._several else self._pairs
        _, first, which = np.unique(keys, axis=-1, return_index=True, return_inverse=True)
        return first[which.reshape(-1)]


def read_grades(source: Source, documents: Codes, rubric: Rubric | None) -> FileGrades:
    """Read a qrels file of any format; its documents are numbered with those known already.

    Raises
    ------
    InputError
        If it is bad, or a grade is outside the rubric.
    """
    problems = Problems(source.name)
    try:
        grades = FileGrades.of_columns(qrel_columns(source), documents)
    except NotPlainError:
        grades = FileGrades.of(each_qrel(source, problems), documents)
    scale = f"the rubric {rubric.name}" if rubric else "what can be scored"
    note_faults(grades, rubric.top if rubric else HIGHEST, scale, problems)
    if problems.count and not problems.advice:
        problems.advice = advice_on(source, rubric.top if rubric else COMMON)
    problems.raise_if_any("qrels")
    return grades


def _microseconds(time: str) -> int:
    return as_microseconds(datetime.fromisoformat(time))
