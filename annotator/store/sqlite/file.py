"""The SQLite file itself: opening, refusing, migrating, and one way to write.

Whatever reads and then writes begins with BEGIN IMMEDIATE, so no two act on the same stale reading.
The rollback journal with synchronous=EXTRA makes a commit durable and leaves no side file to lose.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, closing, contextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar

from annotator import outcome
from annotator.errors import ProjectError
from annotator.store.sqlite import connection, seals
from annotator.store.sqlite.connection import check_id, check_kind, connect
from annotator.store.sqlite.errors import damaged, is_refusal, place_of, told
from annotator.store.sqlite.location import nothing_here
from annotator.store.sqlite.lock_owner import holder
from annotator.store.sqlite.retry import patiently
from annotator.store.sqlite.schema import differences

T = TypeVar("T")

_WRITE = "BEGIN IMMEDIATE"
Params = Sequence[Any] | dict[str, Any]


class ProjectFile:
    """One connection to a project; use one for each thread and process.

    Every failure of SQLite leaves as a :class:`ProjectError`. ``tell`` gets a sentence if another
    program has to be waited for, ``pause`` is called before readings.
    """

    def __init__(
        self, path: Path, db: sqlite3.Connection, tell: Callable[[str], object] = str
    ) -> None:
        self.path, self.db = path, db
        self._tell, self._refused = tell, False
        self._place = place_of(path)
        self.pause: Callable[[], object] = int
        self._patience: float | None = None
        self.trusted: set[str] = set()  # what this connection has found to be as it was stored

    @classmethod
    def create(
        cls, path: Path, fill: Callable[[ProjectFile], None], private_as: Path | None = None
    ) -> ProjectFile:
        """Make a new project file with what ``fill`` writes into it, or nothing at all.

        From the beginning nobody may read it who may not read ``private_as``.

        Raises
        ------
        ProjectError
            If the file is there already, or its folder cannot be written.
        """
        from annotator.atomic_write import as_a_whole  # none of it needed to open a file
        from annotator.store.sqlite.migrations import migrate

        try:
            with as_a_whole(path) as part:
                part.touch(exist_ok=False)
                if private_as is not None:
                    connection.as_private_as(private_as, part)
                with (
                    told(path),
                    outcome.forgotten(),  # it is stored when it has its name
                    closing(cls(path, connect(part))) as file,
                    file.writing(),
                ):
                    migrate(file.db)
                    file.seal(*seals.SEALED)
                    fill(file)
        except FileExistsError:
            raise ProjectError(f"{path}: a file is there already and stays; name another") from None
        except OSError as error:
            raise ProjectError(f"{path}: it cannot be made here: {error.strerror}") from error
        return cls.open(path)

    @classmethod
    def open(
        cls, path: Path, tell: Callable[[str], object] = str, *, as_it_is: bool = False
    ) -> ProjectFile:
        """Open a project file; bring an older one up to date after a backup, unless ``as_it_is``.

        Raises
        ------
        ProjectError
            If it is missing, of another kind, of a newer release, or damaged.
        """
        if not path.is_file():
            raise ProjectError(nothing_here(path))
        check_kind(path)
        connection.free_journal(path)
        with told(path), _closed_on_failure(cls(path, connect(path), tell)) as file:
            check_id(path, file.tuples("PRAGMA application_id")[0][0])
            if not (file._is_current() or as_it_is):
                file._bring_up_to_date()
            if not as_it_is:
                file._check_schema()
            file.tuples("PRAGMA journal_mode = DELETE")
        return file

    def version(self) -> int:
        """A number that is another one whenever another connection has changed the file."""
        return int(self.tuples("PRAGMA data_version")[0][0])

    def answer_keys(self, patience: float) -> None:
        """Make small commits quicker; wait so many seconds at most for another program's write."""
        self._patience = patience
        self._patiently(lambda: connection.keep_journal(self.db))

    def close(self) -> None:
        """Close the connection; a journal that was kept goes, unless somebody is writing."""
        connection.leave(self.db)

    def _connect_anew(self) -> None:
        """SQLite stays with a file or journal that it could only read, if it can be written now."""
        refused = self._refused or connection.is_journal_protected(self.path)
        if refused and self._patience and self._place == place_of(self.path):
            before, self.db = self.db, connect(self.path)
            connection.leave(before, with_journal=True)
            self.answer_keys(self._patience)

    def rows(self, sql: str, params: Params = ()) -> list[dict[str, Any]]:
        """All rows of a query."""

        def read() -> list[dict[str, Any]]:
            found = self.db.execute(sql, params)
            names = [column[0] for column in found.description]
            return [dict(zip(names, row, strict=True)) for row in found]

        return self._patiently(read)

    def one(self, sql: str, params: Params = ()) -> dict[str, Any] | None:
        """The first row of a query, if any."""
        return next(iter(self.rows(sql, params)), None)

    def tuples(self, sql: str, params: Params = ()) -> list[tuple[Any, ...]]:
        """All rows of a query as tuples: for reading many."""
        if not self.db.in_transaction:
            self.pause()
        return self._patiently(lambda: self.db.execute(sql, params).fetchall())

    def each(self, sql: str, params: Params = ()) -> Iterator[tuple[Any, ...]]:
        """The rows of a query one by one: for rows too large to be held together."""
        found = self._patiently(lambda: self.db.execute(sql, params))
        try:
            with self._told():
                yield from found
        finally:
            with suppress(sqlite3.Error):  # an open statement would keep its tables locked
                found.close()

    def execute(self, sql: str, params: Params = ()) -> int:
        """Run one statement inside :meth:`writing`; the id of the row it inserted."""
        return int(self._patiently(lambda: self.db.execute(sql, params)).lastrowid or 0)

    def many(self, sql: str, rows: Iterable[Sequence[Any]]) -> int:
        """Run one statement for many rows inside :meth:`writing`; how many rows it changed."""
        try:
            with self._told():
                return int(self.db.executemany(sql, rows).rowcount)
        finally:
            if isinstance(rows, Generator):  # what it reads itself ends too
                rows.close()

    def writing(self) -> AbstractContextManager[None]:
        """Hold the write lock; all that happens inside is committed together or not at all.

        Raises
        ------
        ProjectError
            If the file stays locked, the disk is full, or the file cannot be written.
        """
        return self._transaction(_WRITE)

    def staging(self) -> AbstractContextManager[None]:
        """Write to temporary tables only; the project is not locked if it is not read inside."""
        return self._transaction("BEGIN")

    @contextmanager
    def _transaction(self, begin: str) -> Iterator[None]:
        with self._told():
            if self.db.in_transaction:
                yield
                return
            self._connect_anew()
            self.pause()
            is_done = False
            try:
                self._patiently(lambda: self.db.execute(begin))
                yield
                is_done = True
                self._patiently(lambda: self.db.execute("COMMIT"))
            except BaseException as error:
                self._refused = is_refusal(error)
                if self.db.in_transaction:
                    is_done = False
                    self.db.execute("ROLLBACK")
                raise
            finally:  # Ctrl+C may come when the commit has just been made
                if is_done and begin == _WRITE:
                    outcome.note(self.path)
            self._refused = False

    def reading(self) -> AbstractContextManager[None]:
        """Read one state of the file, whatever others commit meanwhile; writers wait for it."""
        return self._transaction("BEGIN")

    def _patiently(self, do: Callable[[], T]) -> T:
        with self._told():
            return patiently(do, self._patience or connection.LOCK_SECONDS, self._tell_of_waiting)

    def _told(self) -> AbstractContextManager[None]:
        return told(self.path, self._place)

    def _tell_of_waiting(self) -> None:
        self._tell(f"{self.path}: another program{holder(self.path)} is writing to it; waiting")

    def seal(self, *tables: str) -> None:
        """Renew the seals of tables, inside the :meth:`writing` that wrote to them."""
        with self._told():
            seals.renew(self.db, *tables)

    def is_sealed(self, table: str, *, in_pieces: bool = False) -> bool:
        """Whether a table is as it was sealed; others can write between pieces of it."""
        read = self.tuples if in_pieces else None
        with self._told() if in_pieces else self.reading():
            return self._patiently(lambda: seals.holds(self.db, table, read))

    def check(self, *tables: str) -> None:
        """Look whether tables are as they were sealed, once for each connection.

        Raises
        ------
        ProjectError
            If one of them is not.
        """
        for table in (one for one in tables if one not in self.trusted):
            # Not as it was may also mean that somebody wrote between two pieces.
            if not (self.is_sealed(table, in_pieces=True) or self.is_sealed(table)):
                raise damaged(self.path, f"its table {table} is not as it was stored")
            self.trusted.add(table)

    def _is_current(self) -> bool:
        return connection.is_current(self.path, self.tuples("PRAGMA user_version")[0][0])

    def _check_schema(self) -> None:
        for found in self._patiently(lambda: list(differences(self.db))):
            raise damaged(self.path, found)

    def _bring_up_to_date(self) -> None:
        from annotator.store.sqlite import (
            migration_backup as earlier,  # none of it needed for a file of this release
        )
        from annotator.store.sqlite.migrations import migrate

        with self.writing():
            if self._is_current():  # another process was first
                return
            # SQLite copies nothing from a connection that holds the write lock.
            with closing(ProjectFile(self.path, connect(self.path))) as reader:
                earlier.keep(self.path, connection.schema_of(self.db), reader.copy_to)
            migrate(self.db)

    def copy_to(self, target: Path, called: Path | None = None, *, gently: bool = False) -> None:
        """Copy the whole file, consistently, while others may be using it.

        ``called`` is what to call the copy where that fails. With ``gently`` others need not wait
        to write, and the copy begins again when they do.
        """
        patience = self._patience or connection.LOCK_SECONDS
        connection.as_private_as(self.path, target)
        with told(called or target):
            connection.copy(self.db, target, patience, gently=gently)


@contextmanager
def _closed_on_failure(file: ProjectFile) -> Iterator[ProjectFile]:
    try:
        yield file
    except BaseException:
        file.close()
        raise
