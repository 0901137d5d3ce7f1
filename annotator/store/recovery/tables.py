"""Reading what can still be read of a damaged SQLite file, table by table and row by row."""

from __future__ import annotations

import shutil
import sqlite3
from collections import Counter
from collections.abc import Container, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from itertools import pairwise
from mmap import ACCESS_READ, mmap
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile, gettempdir

from annotator.atomic_write import SIDES
from annotator.errors import ProjectError
from annotator.store.pages import Row, carved, shapes

Rows = Iterator[tuple[int, Row]]
_UNREADABLE = (sqlite3.Error, UnicodeError, OverflowError, MemoryError)


class Wreck:
    """A copy of a damaged file, read as SQLite reads it and past it."""

    def __init__(self, db: sqlite3.Connection, content: mmap) -> None:
        self._db = db
        self.broken: set[str] = set()  # tables that SQLite could not read to the end
        self.most = len(content) // 32  # more entries of the log than that cannot be in it
        self._content = content
        self._shapes = shapes()
        self._tables = _tables(db)

    def table(self, name: str) -> Rows:
        """The rows of a table up to the first that SQLite cannot read.

        Where a number is there twice, the row that SQLite finds under it comes first.
        """
        if name not in self._tables:
            self.broken.add(name)
            return
        everything = f"SELECT rowid AS rowid_, * FROM {name} NOT INDEXED"  # noqa: S608 -- only names
        for number in self._there_twice(name):
            with suppress(*_UNREADABLE):
                yield from self._rows(f"{everything} WHERE rowid = {int(number)}")
        try:
            yield from self._rows(everything)
        except _UNREADABLE:
            self.broken.add(name)

    def _rows(self, sql: str) -> Rows:
        cursor = self._db.execute(sql)
        names = [column[0] for column in cursor.description]
        for values in cursor:
            row = dict(zip(names, values, strict=True))
            yield row.pop("rowid_"), row

    def _there_twice(self, name: str) -> set[int]:
        """The numbers that more than one row of a table has, as only damage makes it."""
        numbers = f"SELECT rowid FROM {name} NOT INDEXED"  # noqa: S608 -- only names
        with suppress(*_UNREADABLE):
            if not all(one < two for one, two in pairwise(self._db.execute(numbers))):
                count = Counter(number for (number,) in self._db.execute(numbers))
                return {number for number, times in count.items() if times > 1}
        return set()

    def index(self, name: str, columns: str, number: int = 1) -> Rows:
        """The same of those columns that a table's own index holds, which is another part of it."""
        sql = (
            f"SELECT rowid AS rowid_, {columns} FROM {name}"  # noqa: S608 -- only names
            f" INDEXED BY sqlite_autoindex_{name}_{number} ORDER BY {columns}"
        )
        with suppress(*_UNREADABLE):
            for rowid, *values in self._db.execute(sql) if name in self._tables else ():
                yield rowid, dict(zip(columns.split(", "), values, strict=True))

    def pieces(self, name: str, known: Container[int]) -> Rows:
        """What can be read value by value of rows with other numbers, where that is not the whole.

        SQLite reads a row only as far as it must, and a row is often damaged in one place.
        """
        if name not in self.broken or name not in self._tables:
            return
        columns = [column.name for column in self._shapes[name][1:]]
        for number in self._numbers(name):
            if number in known:
                continue
            row = {}
            for column in columns:
                sql = f"SELECT {column} FROM {name} NOT INDEXED WHERE rowid = ?"  # noqa: S608 -- only names
                with suppress(*_UNREADABLE):
                    for (value,) in self._db.execute(sql, (number,)):
                        row[column] = value
            if row:
                yield number, row

    def _numbers(self, name: str) -> Iterator[int]:
        """The numbers of rows that SQLite can find, and those where it fails on the way to one."""
        sql = f"SELECT min(rowid) FROM {name} NOT INDEXED WHERE rowid > ?"  # noqa: S608 -- only names
        number = 0
        for _ in range(self.most):
            try:
                number = self._db.execute(sql, (number,)).fetchone()[0] or self.most + 1
            except _UNREADABLE:
                number += 1
            if number > self.most:
                return
            yield number

    def carved(self, name: str, known: Container[int] = ()) -> Rows:
        """Rows on any page of the file that can be the table's, but those with known numbers."""
        return carved(self._content, self._shapes[name], known)

    def last_judgment(self) -> int | None:
        """The number of the last entry that the log ever had, None if that is not known."""
        with suppress(*_UNREADABLE):
            sql = "SELECT seq FROM sqlite_sequence WHERE name = 'judgment'"
            for (number,) in self._db.execute(sql):
                return number if isinstance(number, int) else None
            return None if self.broken else 0  # of an empty log nothing is written down
        return None


@contextmanager
def wreck(path: Path) -> Iterator[Wreck]:
    """Read a copy of the file, its unfinished transaction rolled back there if that can be done.

    Raises
    ------
    ProjectError
        If it cannot be copied, or is empty.
    """
    sides = [one for suffix in SIDES if (one := path.with_name(path.name + suffix)).is_file()]
    with ExitStack() as stack:
        if sides:
            place = _settled_copy(path, sides, Path(stack.enter_context(_private_folder())))
        else:
            place = path
        uri = f"{place.absolute().as_uri()}?mode=ro&immutable=1"
        db = stack.enter_context(closing(sqlite3.connect(uri, uri=True, isolation_level=None)))
        db.text_factory = lambda text: str(text, "utf-8", "replace")
        with suppress(*_UNREADABLE):
            db.execute("SELECT count(*) FROM sqlite_schema").fetchone()
        kept = stack.enter_context(TemporaryFile())  # without a name: gone however this ends
        with _copying(path), place.open("rb") as file:
            shutil.copyfileobj(file, kept)
            kept.flush()
        if not kept.tell():
            raise ProjectError(f"{path}: nothing is in it")
        content = stack.enter_context(mmap(kept.fileno(), 0, access=ACCESS_READ))
        yield Wreck(db, content)


def _private_folder() -> TemporaryDirectory[str]:
    return TemporaryDirectory(prefix="annotator-rescue-", ignore_cleanup_errors=True)


def _settled_copy(path: Path, sides: Sequence[Path], folder: Path) -> Path:
    """Copy a file with what a crash left beside it, and let SQLite take back what was half done."""
    copy = folder / "copy"
    with _copying(path):
        for one in (path, *sides):
            shutil.copyfile(one, f"{copy}{one.name.removeprefix(path.name)}")
    with closing(sqlite3.connect(copy, isolation_level=None)) as db, suppress(*_UNREADABLE):
        db.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    return copy


@contextmanager
def _copying(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise ProjectError(
            f"{path}: it cannot be copied to {gettempdir()}: {error.strerror}; TMPDIR can name "
            "another folder"
        ) from error


def _tables(db: sqlite3.Connection) -> set[str]:
    """The names of tables that are some: a view in the place of one may be endless."""
    tables: set[str] = set()
    with suppress(*_UNREADABLE):
        for (name,) in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table'"):
            tables.add(name)
    return tables
