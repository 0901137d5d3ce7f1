"""Reading what can still be read of a damaged SQLite file, table by table and row by row."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from annotator.errors import ProjectError
from annotator.store.telling import told

Row = dict[str, Any]

_LAST = 2**62
_MOST = 50_000
"""Reads that may fail in one gap, so that a large one does not take hours."""


@dataclass
class Table:
    """What could be read of a table: rows by their number, and whether it was read to the end."""

    rows: dict[int, Row] = field(default_factory=dict)
    whole: bool = True


@contextmanager
def readable(path: Path) -> Iterator[sqlite3.Connection]:
    """A connection to a copy of the file, its unfinished transaction rolled back there.

    Raises
    ------
    ProjectError
        If not even the list of its tables can be read.
    """
    with TemporaryDirectory(prefix="annotator-rescue-") as folder:
        copy = Path(folder, "copy")
        try:
            for suffix in ("", "-journal", "-wal"):
                source = path.with_name(path.name + suffix)
                if not suffix or source.is_file():
                    shutil.copyfile(source, f"{copy}{suffix}")
        except OSError as error:
            raise ProjectError(f"{path}: it cannot be copied: {error.strerror}") from error
        with told(path), closing(sqlite3.connect(copy, isolation_level=None)) as db:
            db.text_factory = lambda text: str(text, "utf-8", "replace")
            db.execute("PRAGMA cell_size_check = ON")
            tables = db.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]
        if not tables:
            raise ProjectError(f"{path}: nothing is in it")
        with closing(sqlite3.connect(copy, isolation_level=None)) as db:
            db.text_factory = lambda text: str(text, "utf-8", "replace")
            yield db


def table(db: sqlite3.Connection, name: str) -> Table:
    """Every row of a table that can be read; nothing of one that is not there."""
    found = Table()
    _forward(db, name, found)
    if not found.whole:
        low = max(found.rows, default=0)
        high = _backward(db, name, found, low)
        if found.rows:
            _between(db, name, found, low + 1, high - 1)
    return found


def index(db: sqlite3.Connection, name: str, columns: str, number: int = 1) -> dict[int, Row]:
    """The same of the columns that a table's own index holds too, which is another part of it."""
    sql = (
        f"SELECT rowid AS id, {columns} FROM {name} INDEXED BY sqlite_autoindex_{name}_{number}"  # noqa: S608 -- only names
        f" ORDER BY {columns}"
    )
    found = Table()
    _take(db, sql, (), found)
    return found.rows


def _forward(db: sqlite3.Connection, name: str, found: Table) -> None:
    found.whole = _take(db, _select(name) + " ORDER BY rowid", (-_LAST, _LAST), found)


def _backward(db: sqlite3.Connection, name: str, found: Table, low: int) -> int:
    """Read from the end on; the lowest number that was reached."""
    before = set(found.rows)
    _take(db, _select(name) + " ORDER BY rowid DESC", (low + 1, _LAST), found)
    return min(found.rows.keys() - before, default=low + _MOST)


def _between(db: sqlite3.Connection, name: str, found: Table, low: int, high: int) -> None:
    """Halve what cannot be read until single rows are left."""
    waiting, failed = [(low, high)], 0
    while waiting:
        low, high = waiting.pop()
        if low > high or _read(db, name, low, high, found):
            continue
        failed += 1
        if failed > _MOST:
            return
        if low < high:
            middle = (low + high) // 2
            waiting += [(middle + 1, high), (low, middle)]  # the lower first: more is known of it


def _read(db: sqlite3.Connection, name: str, low: int, high: int, found: Table) -> bool:
    """Read some rows; a single one without a look at the next, which may be what is damaged."""
    if low == high:
        sql = f"SELECT rowid AS rowid_, * FROM {name} WHERE rowid = ?"  # noqa: S608 -- only names
        return _take(db, sql, (low,), found)
    return _take(db, _select(name) + " ORDER BY rowid", (low, high), found)


def _select(name: str) -> str:
    return f"SELECT rowid AS rowid_, * FROM {name} WHERE rowid BETWEEN ? AND ?"  # noqa: S608 -- only names


def _take(db: sqlite3.Connection, sql: str, params: tuple[int, ...], found: Table) -> bool:
    """Keep the rows of a query up to the first that cannot be read; whether all could."""
    try:
        cursor = db.execute(sql, params)
        names = [column[0] for column in cursor.description]
        for values in cursor:
            row = dict(zip(names, values, strict=True))
            found.rows.setdefault(row.pop("rowid_", row.get("id")), row)
    except (sqlite3.Error, OverflowError, MemoryError):
        return False
    return True
