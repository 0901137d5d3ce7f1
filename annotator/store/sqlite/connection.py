"""A connection to a project file, and the refusal of files of another kind."""

from __future__ import annotations

import os
import sqlite3
import stat
from contextlib import closing, suppress
from functools import partial
from pathlib import Path

from annotator.errors import DamagedError, ProjectError
from annotator.store.sqlite.errors import told
from annotator.store.sqlite.retry import LONGEST_PAUSE, bounded, patiently
from annotator.store.sqlite.schema import APPLICATION_ID, DEVELOPMENT_ID, SCHEMA_VERSION

LOCK_SECONDS = 60.0
"""How long to wait for another program before giving up."""


_OFTEN = 200_000
"""Steps of a statement between two looks whether somebody wants it ended."""

_STEP = 512
"""Pages that are copied at once."""


def check_kind(path: Path) -> None:
    """Refuse a file of another kind before SQLite could change it in any way.

    SQLite itself looks, without a lock or a journal. Anyone else who opens and closes the file ends
    every lock that this process holds on it, as POSIX has it, in the middle of a commit too. A file
    in the midst of a commit, as a crash leaves it, cannot be read without its journal: it is let
    through, to be looked at again by :func:`check_id` when it is open.
    """
    uri = f"{path.absolute().as_uri()}?mode=ro&immutable=1"
    with told(path), closing(sqlite3.connect(uri, uri=True)) as looking:
        try:
            ((kind,),) = looking.execute("PRAGMA application_id").fetchall()
        except sqlite3.DatabaseError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_CORRUPT:
                raise
            return
    check_id(path, kind)


def check_id(path: Path, kind: int) -> None:
    """Refuse a file by what it says that it is."""
    if kind == DEVELOPMENT_ID:
        raise ProjectError(
            f"{path}: made by a development version before 0.1.0, whose files this program does "
            "not read; write its log with the program that made it (`annotator export judgments`), "
            "then `annotator init` a new project and import runs, texts and that log there"
        )
    if kind != APPLICATION_ID:
        if not path.stat().st_size:
            raise DamagedError(
                f"{path}: nothing is in this file; go back to a backup with `annotator restore`, "
                "or delete it and run `annotator init`"
            )
        raise DamagedError(f"{path}: a SQLite file, but not a project of annotator")


def schema_of(connection: sqlite3.Connection) -> int:
    """The version of a file's schema, where nobody else writes."""
    ((version,),) = connection.execute("PRAGMA user_version")
    return int(version)


def is_current(path: Path, version: int) -> bool:
    """Whether a file has the schema of this release; one of a newer release is refused."""
    if version > SCHEMA_VERSION:
        raise ProjectError(
            f"{path}: written by a newer annotator (schema {version}, this one knows "
            f"{SCHEMA_VERSION}); update with `pip install --upgrade pool-annotator`"
        )
    return version == SCHEMA_VERSION


def connect(path: Path) -> sqlite3.Connection:
    """A connection of one's own to a file that is there."""
    connection = sqlite3.connect(
        f"{path.absolute().as_uri()}?mode=rw",
        uri=True,
        timeout=LONGEST_PAUSE,  # the rest of waiting is done here: see locking
        isolation_level=None,
    )
    connection.set_progress_handler(_look_up, _OFTEN)
    try:
        for pragma in ("foreign_keys = ON", "recursive_triggers = ON", "synchronous = EXTRA"):
            patiently(partial(connection.execute, f"PRAGMA {pragma}"), LOCK_SECONDS, int)
    except BaseException:
        connection.close()
        raise
    return connection


def _look_up() -> int:
    """Let Python run what a signal asks for: Ctrl+C ends a statement that takes long."""
    return 0


def leave(connection: sqlite3.Connection, *, with_journal: bool = False) -> None:
    """Close a connection; a journal that it, or anyone, kept goes, unless somebody is writing."""
    with suppress(sqlite3.Error):
        if with_journal:
            keep_journal(connection)
        connection.execute("PRAGMA journal_mode = DELETE")
    connection.close()


def settle(path: Path) -> None:
    """Let SQLite take back what a crash left of a commit, if it can, and part with the journal.

    Others that have the file open are left alone.
    """
    with suppress(sqlite3.Error):
        db = connect(path)
        with suppress(sqlite3.Error):
            db.execute("SELECT count(*) FROM sqlite_schema").fetchall()
        leave(db, with_journal=True)


def keep_journal(connection: sqlite3.Connection) -> None:
    """Keep the journal file between commits, which stay as durable as they were.

    A header of zeros ends the journal then, which is synced before a commit returns. A journal
    that begins so says nothing: a copy of the project is whole with it and without, and whoever
    writes next uses or removes it.
    """
    connection.execute("PRAGMA journal_mode = PERSIST")
    connection.execute("PRAGMA journal_size_limit = 65536")


def is_journal_protected(path: Path) -> bool:
    """Whether there is a journal that may not be written to, as SQLite made it where the file was.

    SQLite uses it again, and each write fails, also when the file may be written to.
    """
    journal = f"{path}-journal"
    return os.access(journal, os.F_OK) and not os.access(journal, os.W_OK)


def free_journal(path: Path) -> None:
    """Part with such a journal."""
    if is_journal_protected(path):
        settle(path)


def as_private_as(path: Path, target: Path) -> None:
    """Let a copy be read by nobody who may not read the file, from before anything is in it."""
    with suppress(OSError):  # what cannot be written is told when it is
        target.touch()
        target.chmod(stat.S_IMODE(path.stat().st_mode) | stat.S_IWUSR)


def copy(source: sqlite3.Connection, target: Path, patience: float, *, gently: bool) -> None:
    """Copy a whole file; ``gently``: a step at a time, anew whenever others write in between."""
    with closing(sqlite3.connect(target)) as made:
        pages = _STEP if gently else -1
        source.backup(made, pages=pages, progress=bounded(patience), sleep=LONGEST_PAUSE)
