"""The grades of one file on their way into the project, compared and numbered by SQLite."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import NamedTuple, TypeAlias

from annotator.records import GradeFault, Qrel
from annotator.store import log
from annotator.store.file import ProjectFile

BATCH = 20_000  # rows in memory
AT_ONCE = 500  # rows that are stored by one statement, which is several times as fast

INDEX = "CREATE INDEX IF NOT EXISTS temp.staged_pair ON staged_grade (file, qid, docid, assessor)"
"""What rows of one pair are found by; made once all files are read."""

_REPEATED = """
SELECT qid, docid, assessor, min(id) AS first FROM temp.staged_grade WHERE file = :file
GROUP BY qid, docid, assessor HAVING count(*) > 1
"""
_AGAIN = f"""
SELECT again.id, again.line, again.qid, again.docid, again.grade, one.line AS line_before,
    one.grade AS grade_before
FROM ({_REPEATED}) AS several CROSS JOIN temp.staged_grade AS one ON one.id = several.first
CROSS JOIN temp.staged_grade AS again USING (qid, docid, assessor)
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
_PAIRS = f"""
INSERT OR IGNORE INTO pair (query_id, document_id)
SELECT query, document.id {_ROWS} WHERE file = :file ORDER BY staged.id
"""
_ENTRIES = f"""
INSERT INTO temp.staged_entry (pair, assessor, grade)
SELECT pair.id, assessor.id, staged.grade {_ROWS}
CROSS JOIN pair ON query_id = query AND document_id = document.id
CROSS JOIN assessor ON name = coalesce(nullif(staged.assessor, ''), :assessor)
WHERE staged.file = :file AND NOT EXISTS (
    SELECT 1 FROM (
        SELECT rubric_version_id, judgment.grade FROM judgment
        WHERE pair_id = pair.id AND assessor_id = assessor.id ORDER BY id DESC LIMIT 1
    ) AS last WHERE last.grade = staged.grade AND rubric_version_id = :version
)
ORDER BY staged.id
"""  # noqa: S608 -- only names
_HELD = """
SELECT pair_id AS pair, grade, max(given) FROM (
    SELECT pair_id, max(id), coalesce(restates, id) AS given, grade, rubric_version_id
    FROM judgment WHERE pair_id IN (SELECT pair FROM temp.staged_entry)
    GROUP BY pair_id, assessor_id
) WHERE grade IS NOT NULL AND rubric_version_id IN ({versions}) GROUP BY pair_id
"""

Values: TypeAlias = dict[str, int | str]


class Graded(NamedTuple):
    """What storing did: grades added and there already, and pairs with another label now."""

    added: int
    same: int
    changed: int


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
        marks = ",".join([f"({self._number},?,?,?,?,?)"] * len(rows))
        self._file.execute(
            "INSERT INTO temp.staged_grade (file, qid, docid, grade, line, assessor)"  # noqa: S608 -- only marks
            f" VALUES {marks}",
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
        for table in ("staged_query", "staged_entry", "staged_held"):
            self._file.execute(f"DELETE FROM temp.{table}")  # noqa: S608 -- only names
        self._file.many("INSERT INTO temp.staged_query VALUES (?, ?)", queries.items())
        self._file.execute(_LEAVE_OUT, values)
        for insert in (_DOCUMENTS, _PAIRS, _ENTRIES):
            self._file.execute(insert, values)
        held = _HELD.format(versions=",".join(str(int(one)) for one in counted))
        self._file.execute(f"INSERT INTO temp.staged_held {held}")
        added = log.append_staged(self._file, version, now)
        there = self._count(f"{_ROWS} WHERE file = :file", values)
        changed = self._count("FROM temp.staged_held") and self._count(
            f"FROM temp.staged_held AS before JOIN ({held}) AS now USING (pair)"
            " WHERE before.grade != now.grade"
        )
        return Graded(added, there - added, changed)

    def _count(self, source: str, values: Values | None = None) -> int:
        rows = self._file.tuples(f"SELECT count(*) {source}", values or {})
        return int(rows[0][0])
