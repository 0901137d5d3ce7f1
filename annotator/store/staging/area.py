"""What is read of files before the project takes it, in SQLite's temporary database.

That is a file of its own, which goes with the connection: filling it, however long a file takes,
holds no lock on the project, and leaving off leaves nothing behind.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress

from annotator.errors import ProjectError
from annotator.store.sqlite.file import ProjectFile
from annotator.store.staging import grades as staged_grades
from annotator.store.staging.grades import StagedGrades
from annotator.store.staging.ids import StagedIds
from annotator.store.staging.queries import StagedQueries
from annotator.store.staging.run import StagedRun
from annotator.store.staging.texts import StagedTexts

STATES = (
    "pair INTEGER, assessor INTEGER, event INTEGER, grade INTEGER, holds TEXT,"
    " PRIMARY KEY (pair, assessor)"
)
TABLES = {
    "staged_id": "id INTEGER PRIMARY KEY, docid TEXT NOT NULL",
    "staged_again": "id INTEGER PRIMARY KEY, docid TEXT NOT NULL",
    "staged_part": "run INTEGER, query INTEGER, part INTEGER, documents BLOB, ranks BLOB,"
    " scores BLOB, PRIMARY KEY (run, query, part)",
    "staged_ranking": "run INTEGER, query INTEGER, documents BLOB, scores BLOB,"
    " PRIMARY KEY (run, query)",
    "staged_grade": "id INTEGER PRIMARY KEY, file INTEGER, line INTEGER, qid TEXT, docid TEXT,"
    " assessor TEXT, grade INTEGER, at TEXT, seconds REAL",
    "staged_query": "qid TEXT PRIMARY KEY, query INTEGER",
    "staged_topic": "id INTEGER PRIMARY KEY, file INTEGER, qid TEXT, text TEXT, description TEXT,"
    " narrative TEXT",
    "staged_entry": "id INTEGER PRIMARY KEY, pair INTEGER, assessor INTEGER, grade INTEGER,"
    " at TEXT, seconds REAL",
    "staged_pair": "pair INTEGER PRIMARY KEY",
    "staged_before": STATES,
    "staged_after": STATES,
    "staged_text": "docid TEXT PRIMARY KEY, file INTEGER, hash TEXT, title TEXT, url TEXT,"
    " metadata TEXT, text TEXT",
}
WITHOUT_ROWID = ("staged_part", "staged_ranking", "staged_query")


class Staging:
    """The queries, runs, grades and texts of the files of one import."""

    def __init__(self, file: ProjectFile) -> None:
        self._file = file
        self._count = 0
        self.ids = StagedIds(file)

    def run(self) -> StagedRun:
        """A place for one more run."""
        self._count += 1
        return StagedRun(self._file, self.ids, self._count)

    def texts(
        self, wanted: set[str] | None = None, *, replace: bool = False, fields: bool = False
    ) -> StagedTexts:
        """A place for the texts of one more file: of the wanted documents, or of all (None).

        Other texts than the project has are left out, or take their place. So do other fields of
        the same text, or with ``fields`` these alone.
        """
        self._count += 1
        return StagedTexts(self._file, self._count, wanted, replace, fields)

    def queries(self) -> StagedQueries:
        """A place for the queries of one more file."""
        self._count += 1
        return StagedQueries(self._file, self._count)

    def grades(self) -> StagedGrades:
        """A place for the grades of one more file."""
        self._count += 1
        return StagedGrades(self._file, self._count)

    def look_up(self) -> None:
        """Do what can be done before the project is locked, once everything is read."""
        self.ids.look_up()
        self._file.execute(staged_grades.INDEX)


@contextmanager
def staging(file: ProjectFile) -> Iterator[Staging]:
    """Give a place for what is read; all of it is forgotten in the end."""
    _drop(file)  # what a full disk may have left
    for name, columns in TABLES.items():
        kind = " WITHOUT ROWID" if name in WITHOUT_ROWID else ""
        file.execute(f"CREATE TEMP TABLE {name} ({columns}){kind}")
    try:
        yield Staging(file)
    finally:
        with suppress(ProjectError):  # they go with the connection at the latest
            _drop(file)


def _drop(file: ProjectFile) -> None:
    for name in TABLES:
        file.execute(f"DROP TABLE IF EXISTS temp.{name}")
