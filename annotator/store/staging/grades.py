"""The grades of one file on their way into the project, compared and numbered by SQLite."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import NamedTuple, TypeAlias

from annotator.domain import GradeFault, Qrel
from annotator.store import log
from annotator.store.changes import Changes, LabelChanges
from annotator.store.sqlite.file import ProjectFile
from annotator.text.times import later

BATCH = 20_000  # rows in memory
AT_ONCE = 500  # rows that are stored by one statement, which is several times as fast

INDEX = (
    "CREATE INDEX IF NOT EXISTS temp.staged_row ON staged_grade (file, qid, docid, assessor, at)"
)
"""What rows of one pair are found by; made once all files are read."""

_REPEATED = """
SELECT qid, docid, assessor, at, min(id) AS first FROM temp.staged_grade WHERE file = :file
GROUP BY qid, docid, assessor, at HAVING count(*) > 1
"""
_AGAIN = f"""
SELECT again.id, again.line, again.qid, again.docid, again.grade, one.line AS line_before,
    one.grade AS grade_before
FROM ({_REPEATED}) AS several CROSS JOIN temp.staged_grade AS one ON one.id = several.first
CROSS JOIN temp.staged_grade AS again USING (qid, docid, assessor, at)
WHERE again.file = :file AND again.id > one.id
"""  # noqa: S608 -- only names
_FAULTS = f"""
SELECT id, line, qid, docid, grade, NULL AS line_before, NULL AS grade_before
FROM temp.staged_grade WHERE file = :file AND grade > :top
UNION ALL SELECT * FROM ({_AGAIN}) WHERE grade != grade_before
ORDER BY id, line_before
"""  # noqa: S608 -- only names
_LEAVE_OUT = f"""
DELETE FROM temp.staged_grade
WHERE file = :file AND (grade < 0 OR id IN (SELECT id FROM ({_AGAIN})))
"""  # noqa: S608 -- only names
_ROWS = """
FROM temp.staged_grade AS staged CROSS JOIN temp.staged_query USING (qid)
CROSS JOIN document ON document.docid = staged.docid
"""
_DOCUMENTS = """
INSERT OR IGNORE INTO document (docid, title, text, url, hash)
SELECT staged.docid, '', NULL, '', ''
FROM temp.staged_grade AS staged CROSS JOIN temp.staged_query USING (qid)
WHERE file = :file ORDER BY staged.id
"""
_UNJUDGED = f"SELECT DISTINCT query, document.id {_ROWS} WHERE file = :file AND grade < 0"
_PAIRS = f"""
INSERT OR IGNORE INTO pair (query_id, document_id)
SELECT query, document.id {_ROWS} WHERE file = :file ORDER BY staged.id
"""
_PAIRED = f"{_ROWS} CROSS JOIN pair ON query_id = query AND document_id = document.id"
_LAST = "(SELECT max(judgment.at) FROM judgment WHERE pair_id = pair.id)"
_NOW = f"iif(ifnull({_LAST}, '') < :now, :now, later(:now, {_LAST}))"
_ENTRIES = f"""
INSERT INTO temp.staged_entry (pair, assessor, grade, at, seconds)
SELECT pair.id, assessor.id, staged.grade, iif(at = '', {_NOW}, at), seconds
{_PAIRED} CROSS JOIN assessor ON name = coalesce(nullif(staged.assessor, ''), :assessor)
WHERE staged.file = :file AND NOT iif(staged.at = '', EXISTS (
    SELECT 1 FROM temp.staged_before AS held JOIN judgment ON judgment.id = event
    WHERE pair = pair.id AND held.assessor = assessor.id
    AND judgment.grade = staged.grade AND rubric_version_id = :version
), EXISTS (
    SELECT 1 FROM judgment WHERE pair_id = pair.id AND assessor_id = assessor.id AND undoes IS NULL
    AND judgment.at = staged.at AND judgment.grade = staged.grade AND rubric_version_id = :version
)) ORDER BY staged.id
"""  # noqa: S608 -- only names

Values: TypeAlias = dict[str, int | str]


class Graded(NamedTuple):
    """What storing did: grades added and there already, and what that changed of the labels."""

    added: int
    same: int
    changes: Changes


class StagedGrades:
    """The rows of one file; no more than some hundreds of them in memory, and each query's id."""

    def __init__(self, file: ProjectFile, number: int) -> None:
        self._file = file
        self._number = number
        self.rows = self.negative = 0
        self.qids = dict[str, None]()
        self.assessors = dict[str, None]()  # '' where the file does not say

    def add(self, rows: Iterable[Qrel]) -> None:
        """Take rows of a file."""
        at = iter(rows)
        while batch := list(islice(at, BATCH)):
            for row in batch:
                self.qids[row.qid] = self.assessors[row.assessor] = None
                self.negative += row.grade < 0
            self.rows += len(batch)
            with self._file.staging():
                for start in range(0, len(batch), AT_ONCE):
                    self._insert(batch[start : start + AT_ONCE])

    def _insert(self, rows: Sequence[Qrel]) -> None:
        marks = ",".join([f"({self._number},?,?,?,?,?,?,?)"] * len(rows))
        self._file.execute(
            "INSERT INTO temp.staged_grade (file, qid, docid, grade, line, assessor, at,"  # noqa: S608 -- only marks
            f" seconds) VALUES {marks}",
            [value for row in rows for value in row],
        )

    def faults(self, top: int) -> Iterator[GradeFault]:
        """The rows that keep the file from being stored, in its order."""
        for row in self._file.each(_FAULTS, {"file": self._number, "top": top}):
            yield GradeFault(*row[1:])

    def distinct(self) -> list[int]:
        """The different grades, rising."""
        rows = self._file.tuples(
            "SELECT DISTINCT grade FROM temp.staged_grade WHERE file = ? ORDER BY grade",
            (self._number,),
        )
        return [grade for (grade,) in rows]

    def docids(self, count: int) -> list[str]:
        """The documents of the first rows."""
        rows = self._file.tuples(
            "SELECT docid FROM temp.staged_grade WHERE file = ? ORDER BY id LIMIT ?",
            (self._number, count),
        )
        return [docid for (docid,) in rows]

    def knows_any_document(self) -> bool:
        """Whether any row is of a document that the project has, or there is no row."""
        rows = self._file.tuples(
            "SELECT (SELECT 1 FROM temp.staged_grade CROSS JOIN document USING (docid)"
            " WHERE file = :file LIMIT 1) OR NOT EXISTS"
            " (SELECT 1 FROM temp.staged_grade WHERE file = :file)",
            {"file": self._number},
        )
        return bool(rows[0][0])

    def repeated(self) -> int:
        """How many rows say again what an earlier one of their pair and assessor says."""
        return self._count(f"FROM ({_AGAIN})", {"file": self._number})

    def unjudged(self, queries: Mapping[str, int]) -> list[tuple[int, int]]:
        """Query and document of the rows without a grade, of these queries.

        New documents are stored. To be called inside the project's `writing`, before `store`.
        """
        self._file.execute("DELETE FROM temp.staged_query")
        self._file.many("INSERT INTO temp.staged_query VALUES (?, ?)", queries.items())
        self._file.execute(_DOCUMENTS, {"file": self._number})
        return self._file.tuples(_UNJUDGED, {"file": self._number})

    def store(
        self,
        queries: Mapping[str, int],
        assessor: str,
        version: int,
        counted: Iterable[int],
        now: str,
    ) -> Graded:
        """Append those grades to the log that do not hold already, inside the project's `writing`.

        Rows without a grade and rows of other queries than these are left out. ``assessor`` gave
        those of which the file does not say who did; it and the others are known already.
        """
        values: dict[str, int | str] = {
            "file": self._number,
            "assessor": assessor,
            "version": version,
        }
        log.check(self._file)
        for table in ("staged_query", "staged_entry"):
            self._file.execute(f"DELETE FROM temp.{table}")  # noqa: S608 -- only names
        self._file.many("INSERT INTO temp.staged_query VALUES (?, ?)", queries.items())
        self._file.execute(_LEAVE_OUT, values)
        for insert in (_DOCUMENTS, _PAIRS):
            self._file.execute(insert, values)
        pairs = f"SELECT pair.id {_PAIRED} WHERE file = {self._number:d}"
        changes = LabelChanges(self._file, pairs, counted)
        self._file.db.create_function("later", 2, later, deterministic=True)
        self._file.execute(_ENTRIES, values | {"now": now})
        added = log.append_staged(self._file, version)
        there = self._count(f"{_ROWS} WHERE file = :file", values)
        return Graded(added, there - added, changes.found(now))

    def _count(self, source: str, values: Values | None = None) -> int:
        rows = self._file.tuples(f"SELECT count(*) {source}", values or {})
        return int(rows[0][0])
