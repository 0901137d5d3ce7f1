"""The document ids of staged runs: codes while files are read, the project's numbers in the end."""

from __future__ import annotations

import numpy as np

from annotator.formats.blocks.codes import Codes
from annotator.formats.blocks.words import Text
from annotator.records import Int32Array, IntArray
from annotator.store.file import ProjectFile

MOST_IDS = 2**22
MOST_BYTES = 2**26
"""What is remembered at a time: beyond it an id may get a second code, and codes only take 12
bytes each."""

STEP = 20_000
"""Ids that are looked up in one statement, which nobody waits for."""


class StagedIds:
    """Ids in a temporary table, sorted, since sorted ones are stored several times as fast."""

    def __init__(self, file: ProjectFile) -> None:
        self._file = file
        self._codes = Codes()
        self._rows: list[Int32Array] = []  # for the codes of each part: rows of the table, from 0
        self._count = 0  # rows of the table
        self._known = np.zeros(0, dtype=np.int32)  # numbers of the table's rows, 0: new
        self._first = np.zeros(0, dtype=np.int32)  # the row that an id has first
        self._highest = 0
        self._numbers: Int32Array | None = None

    def of(self, text: Text, at: IntArray, length: IntArray) -> Int32Array:
        """A code for each id; equal ids may have several, different ids never share one."""
        codes = self._codes.of(text, at, length) + np.int32(self._count)
        if self._codes.count >= MOST_IDS or self._codes.size >= MOST_BYTES:
            self._write()
        return codes

    def one_each(self, codes: Int32Array) -> Int32Array:
        """The code that stands for each one's id wherever there are several."""
        if not self._rows:
            return codes
        if self._codes.count or len(self._first) < self._count:
            self._write()
            self._look_for_repeats()
        rows = np.concatenate(self._rows)
        code_of = np.empty_like(rows)
        code_of[rows] = np.arange(len(rows), dtype=np.int32)
        return code_of[self._first[rows[codes]]]

    def look_up(self) -> None:
        """Find those that the project knows, in steps between which others can write.

        Most work of storing is done then; what others add in the meantime is found as well.
        """
        self._write()
        self._look_for_repeats()
        self._known = np.zeros(self._count, dtype=np.int32)
        self._find()

    def _look_for_repeats(self) -> None:
        self._first = np.arange(self._count, dtype=np.int32)
        if len(self._rows) > 1:
            again = self._file.tuples(
                "SELECT id, first FROM (SELECT id, min(id) OVER (PARTITION BY docid) AS first"
                " FROM temp.staged_id) WHERE first < id"
            )
            for row, first in again:
                self._first[row - 1] = first - 1

    def numbers(self) -> Int32Array:
        """The project's number of each code, with new documents where it has none.

        To be called inside the project's `writing`, after `look_up`.
        """
        if self._numbers is None:
            if self._newest() != self._highest:
                self._find()
            new = np.flatnonzero((self._known == 0) & (self._first == np.arange(self._count)))
            if new.size:
                self._file.execute(
                    "INSERT OR IGNORE INTO document (docid, title, text, url, hash)"
                    " SELECT docid, '', NULL, '', '' FROM temp.staged_id ORDER BY id"
                )
            self._known[new] = np.arange(self._highest + 1, self._highest + 1 + len(new))
            if self._newest() != self._highest + len(new):
                raise RuntimeError("documents are not numbered one after another")
            rows = np.concatenate([np.zeros(0, dtype=np.int32), *self._rows])
            self._numbers = self._known[self._first[rows]]
        return self._numbers

    def _write(self) -> None:
        """Put the ids in memory into the table, and forget them."""
        if not self._codes.count:
            return
        order = self._codes.sorted()
        rows = np.empty(len(order), dtype=np.int32)
        rows[order] = np.arange(self._count, self._count + len(order))
        with self._file.staging():
            for start in range(0, len(order), STEP):
                names = self._codes.names(order[start : start + STEP])
                self._file.many("INSERT INTO temp.staged_id (docid) VALUES (?)", zip(names))
        self._rows.append(rows)
        self._count += len(order)
        self._codes = Codes()

    def _find(self) -> None:
        self._highest = self._newest()
        for start in range(0, self._count if self._highest else 0, STEP):
            found = self._file.tuples(
                "SELECT staged.id, document.id FROM temp.staged_id AS staged"
                " CROSS JOIN document ON document.docid = staged.docid"
                " WHERE staged.id BETWEEN ? AND ?",
                (start + 1, start + STEP),
            )
            if found:
                rows, numbers = np.array(found, dtype=np.int32).T
                self._known[rows - 1] = numbers

    def _newest(self) -> int:
        return int(self._file.tuples("SELECT coalesce(max(id), 0) FROM document")[0][0])
