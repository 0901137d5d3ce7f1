"""The SQLite file itself: opening, refusing, migrating, and one way to write.

Whatever reads and then writes begins with BEGIN IMMEDIATE, so two processes never act on the same
stale reading. The rollback journal with synchronous=EXTRA makes a commit durable and leaves no
side file to lose when the project is copied.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from sqlite_utils import Database

from annotator.errors import ProjectError
from annotator.sanitise import one_line
from annotator.store.locking import begin_writing
from annotator.store.migrations import APPLICATION_ID, migrations, schema_version

_MAGIC = b"SQLite format 3\0"
_HEADER = slice(68, 72)  # where a SQLite file keeps its application_id

LOCK_SECONDS = 5.0
"""How long to wait for another program's write before telling the person."""

Params = Sequence[Any] | dict[str, Any]


class ProjectFile:
    """One connection to a project; use one for each thread and process.

    Every failure of SQLite leaves here as a :class:`ProjectError`.
    """

    def __init__(self, path: Path, db: Database) -> None:
        self.path = path
        self.db = db

    @classmethod
    def create(cls, path: Path, fill: Callable[[ProjectFile], None]) -> ProjectFile:
        """Make a new project file with what ``fill`` writes into it, or nothing at all.

        Raises
        ------
        ProjectError
            If the file is there already, or its folder cannot be written.
        """
        try:
            path.touch(exist_ok=False)
        except FileExistsError:
            raise ProjectError(f"{path}: a file is there already; it was left as it is") from None
        except OSError as error:
            raise ProjectError(f"{path}: it cannot be made here: {error.strerror}") from error
        try:
            with (
                _told(path),
                _closed_on_failure(cls(path, _connect(path))) as file,
                file.writing(),
            ):
                _migrate(file.db)
                fill(file)
        except BaseException:
            path.unlink(missing_ok=True)
            raise
        return file

    @classmethod
    def open(cls, path: Path) -> ProjectFile:
        """Open a project file, bringing an older one up to date after a backup beside it.

        Raises
        ------
        ProjectError
            If it is missing, of another kind, of a newer release, or damaged.
        """
        if not path.is_file():
            raise ProjectError(
                f"{path}: no project file here; make one with `annotator init`, or see the "
                "program at work with `annotator demo`"
            )
        _check_kind(path)
        with _told(path), _closed_on_failure(cls(path, _connect(path))) as file:
            file._bring_up_to_date()
            file.db.execute("PRAGMA journal_mode = DELETE")
        return file

    def close(self) -> None:
        """Close the connection."""
        self.db.close()

    def rows(self, sql: str, params: Params = ()) -> list[dict[str, Any]]:
        """All rows of a query."""
        with _told(self.path):
            return list(self.db.query(sql, params))

    def one(self, sql: str, params: Params = ()) -> dict[str, Any] | None:
        """The first row of a query, if there is one."""
        return next(iter(self.rows(sql, params)), None)

    def tuples(self, sql: str, params: Params = ()) -> list[tuple[Any, ...]]:
        """All rows of a query as tuples: for reading many."""
        with _told(self.path):
            return self.db.execute(sql, params).fetchall()

    def each(self, sql: str, params: Params = ()) -> Iterator[tuple[Any, ...]]:
        """The rows of a query one by one: for rows too large to be held together."""
        with _told(self.path):
            yield from self.db.execute(sql, params)

    def execute(self, sql: str, params: Params = ()) -> int:
        """Run one statement inside :meth:`writing`; the id of the row it inserted."""
        with _told(self.path):
            return int(self.db.execute(sql, params).lastrowid or 0)

    def many(self, sql: str, rows: Iterable[Sequence[Any]]) -> int:
        """Run one statement for many rows inside :meth:`writing`; how many rows it changed."""
        with _told(self.path):
            return int(self.db.conn.executemany(sql, rows).rowcount)

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Hold the write lock; all that happens inside is committed together or not at all.

        Raises
        ------
        ProjectError
            If the file stays locked, the disk is full, or the file cannot be written.
        """
        with _told(self.path):
            if self.db.conn.in_transaction:
                yield
                return
            begin_writing(self.db.conn, LOCK_SECONDS)
            try:
                yield
                self.db.execute("COMMIT")
            except BaseException:
                if self.db.conn.in_transaction:
                    self.db.execute("ROLLBACK")
                raise

    def _is_current(self) -> bool:
        version, known = self._version(), schema_version()
        if version > known:
            raise ProjectError(
                f"{self.path}: written by a newer annotator (schema {version}, this one knows "
                f"{known}); update with `pip install --upgrade pool-annotator`"
            )
        return version == known

    def _version(self) -> int:
        return int(self.tuples("PRAGMA user_version")[0][0])

    def _bring_up_to_date(self) -> None:
        if self._is_current():
            return
        with self.writing():
            if self._is_current():  # another process was first
                return
            name = f"{self.path.name}.schema-{self._version()}.backup"
            # SQLite copies nothing from a connection that holds the write lock.
            with closing(ProjectFile(self.path, _connect(self.path))) as reader:
                reader.copy_to(self.path.with_name(name))
            _migrate(self.db)

    def copy_to(self, target: Path) -> None:
        """Copy the whole file, consistently, while others may be using it."""
        with _told(target), closing(sqlite3.connect(target)) as copy:
            self.db.conn.backup(copy)


def _check_kind(path: Path) -> None:
    """Refuse a file of another kind before SQLite could change it in any way."""
    try:
        with path.open("rb") as file:
            head = file.read(100)
    except OSError as error:
        raise ProjectError(f"{path}: it cannot be read: {error.strerror}") from error
    if not head.startswith(_MAGIC):
        raise ProjectError(f"{path}: not a project of annotator, nor any SQLite file")
    if head[_HEADER] != APPLICATION_ID.to_bytes(4, "big"):
        raise ProjectError(f"{path}: a SQLite file, but not a project of annotator")


@contextmanager
def _closed_on_failure(file: ProjectFile) -> Iterator[ProjectFile]:
    try:
        yield file
    except BaseException:
        file.close()
        raise


def _connect(path: Path) -> Database:
    connection = sqlite3.connect(
        f"{path.absolute().as_uri()}?mode=rw",
        uri=True,
        timeout=LOCK_SECONDS,
        isolation_level=None,
    )
    try:
        for pragma in ("foreign_keys = ON", "synchronous = EXTRA"):
            connection.execute(f"PRAGMA {pragma}")
        return Database(connection, execute_plugins=False)
    except BaseException:
        connection.close()
        raise


def _migrate(db: Database) -> None:
    """Apply what is missing inside the caller's write lock."""
    migrations.apply(db)
    db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    db.execute(f"PRAGMA user_version = {schema_version()}")


_SAID = (
    ("locked", "another program is writing to it; nothing was saved, try again"),
    ("full", "the disk is full; nothing was saved, free some space and try again"),
    ("readonly", "it cannot be written (read-only file or folder); nothing was saved"),
    ("unable to open", "it cannot be opened or made here (missing folder, or no permission)"),
    ("not a database", "not a project of annotator, nor any SQLite file"),
    ("malformed", "the file is damaged; restore a backup copy"),
    ("decode", "the file is damaged: a text in it cannot be read; restore a backup copy"),
    ("disk i/o", "the disk reported an error; nothing was saved"),
)


@contextmanager
def _told(path: Path) -> Iterator[None]:
    """Say in a person's words what SQLite says in its own."""
    try:
        yield
    except (sqlite3.Error, OverflowError, UnicodeError) as error:
        said = str(error)
        for sign, words in _SAID:
            if sign in said.lower():
                raise ProjectError(f"{path}: {words}") from error
        raise ProjectError(f"{path}: {one_line(said)}") from error
