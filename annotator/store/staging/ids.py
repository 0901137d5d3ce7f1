"""The document ids of staged runs: codes while files are read, the project's numbers in the end."""

from __future__ import annotations

import numpy as np

from annotator.blocks.codes import Codes
from annotator.blocks.words import Text
from annotator.domain import Int32Array, IntArray
from annotator.store.sqlite.file import ProjectFile

MOST_IDS = 5 * 2**19
MOST_BYTES = 2**26
"""What is remembered at a time: beyond it an id may get a second code, and no more than 4 bytes are
kept of each code and 8 of each id."""

AT_ONCE = 500
"""Ids that are stored by one statement, in a third of the time that one each takes."""

STEP = 20_000
"""Ids that are looked up in one statement, which nobody waits for."""


class StagedIds:
    """Ids in a temporary table, each once; sorted, as that is stored several times as fast."""

    def __init__(self, file: ProjectFile) -> None:
        self._file = file
        self._codes = Codes()
        self._rows = np.zeros(0, dtype=np.int32)  # of the table, from 0, for the codes in it
        self._first = np.zeros(0, dtype=np.int32)  # codes of the table's rows
        self._known = np.zeros(0, dtype=np.int32)  # numbers of the table's rows, 0: new
        self._highest = 0
        self._numbered = False

    def of(self, text: Text, at: IntArray, length: IntArray) -> Int32Array:
        """A code for each id; equal ids may have several, different ids never share one."""
        codes = self._codes.of(text, at, length) + np.int32(len(self._rows))
        if self._codes.count >= MOST_IDS or self._codes.size >= MOST_BYTES:
            self._write()
        return codes

    def one_each(self, codes: Int32Array) -> Int32Array:
        """The code that stands for each one's id wherever there are several."""
        if not len(self._rows):
            return codes
        self._write()
        return self._first[self._rows[codes]]

    def look_up(self) -> None:
        """Find those that the project knows, in steps between which others can write.

        Most work of storing is done then; what others add in the meantime is found as well.
        """
        self._write()
        self._known = np.zeros_like(self._first)
        self._find()

    def count(self) -> int:
        """How many different ids there are, once they are looked up."""
        return len(self._known)

    def rows(self, codes: Int32Array) -> Int32Array:
        """For codes, what is the same just where the id is the same, from 0 to the count."""
        return self._rows[codes]

    def numbers(self, codes: Int32Array) -> Int32Array:
        """The project's numbers of the ids with these codes; new documents where it has none.

        To be called inside the project's `writing`, after `look_up`.
        """
        if not self._numbered:
            self._add_new()
        return self._known[self._rows[codes]]

    def _add_new(self) -> None:
        if self._newest() != self._highest:
            self._find()
        new = np.flatnonzero(self._known == 0)
        if new.size:
            self._file.execute(
                "INSERT OR IGNORE INTO document (docid, title, text, url, hash)"
                " SELECT docid, '', NULL, '', '' FROM temp.staged_id ORDER BY id"
            )
        self._known[new] = np.arange(self._highest + 1, self._highest + 1 + len(new))
        if self._newest() != self._highest + len(new):
            raise RuntimeError("documents are not numbered one after another")
        self._numbered = True

    def _write(self) -> None:
        """Put the ids in memory into the table, and forget them."""
        if not self._codes.count:
            return
        order = self._codes.in_order()
        rows = np.empty(len(order), dtype=np.int32)
        again = len(self._rows) > 0
        with self._file.staging():
            if again:
                self._file.execute(
                    "CREATE UNIQUE INDEX IF NOT EXISTS temp.staged_once ON staged_id (docid)"
                )
            for start in range(0, len(order), STEP):
                some = order[start : start + STEP]
                names = self._codes.names(some)
                rows[some] = self._rows_of(names) if again else self._put(names, start)
        new = np.flatnonzero(rows >= len(self._first))
        fresh = np.empty_like(new)
        fresh[rows[new] - len(self._first)] = new + len(self._rows)
        self._first = np.concatenate([self._first, fresh.astype(np.int32)])
        self._rows = np.concatenate([self._rows, rows])
        self._codes = Codes()

    def _put(self, names: list[str], start: int) -> Int32Array:
        self._insert("staged_id", names)
        return np.arange(start, start + len(names), dtype=np.int32)

    def _rows_of(self, names: list[str]) -> Int32Array:
        """The rows of ids of which some may be in the table."""
        self._insert("staged_again", names)
        self._file.execute(
            "INSERT OR IGNORE INTO temp.staged_id (docid)"
            " SELECT docid FROM temp.staged_again ORDER BY id"
        )
        found = self._file.tuples(
            "SELECT staged_id.id - 1 FROM temp.staged_again AS again"
            " CROSS JOIN temp.staged_id USING (docid) ORDER BY again.id"
        )
        self._file.execute("DELETE FROM temp.staged_again")
        return np.array(found, dtype=np.int32)[:, 0]

    def _insert(self, table: str, names: list[str]) -> None:
        for start in range(0, len(names), AT_ONCE):
            some = names[start : start + AT_ONCE]
            marks = ",".join(["(?)"] * len(some))
            self._file.execute(f"INSERT INTO temp.{table} (docid) VALUES {marks}", some)  # noqa: S608 -- only marks

    def _find(self) -> None:
        self._highest = self._newest()
        for start in range(0, len(self._known) if self._highest else 0, STEP):
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
