"""A connection to a project file, and the refusal of files of another kind."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from annotator.errors import ProjectError
from annotator.store.schema import APPLICATION_ID

_MAGIC = b"SQLite format 3\0"
_HEADER = slice(68, 72)  # where a SQLite file keeps its application_id

LOCK_SECONDS = 5.0
"""How long to wait for another program's write before telling the person."""


def check_kind(path: Path) -> None:
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


def connect(path: Path) -> sqlite3.Connection:
    """A connection of one's own to a file that is there."""
    connection = sqlite3.connect(
        f"{path.absolute().as_uri()}?mode=rw",
        uri=True,
        timeout=LOCK_SECONDS,
        isolation_level=None,
    )
    try:
        for pragma in ("foreign_keys = ON", "recursive_triggers = ON", "synchronous = EXTRA"):
            connection.execute(f"PRAGMA {pragma}")
    except BaseException:
        connection.close()
        raise
    return connection


def keep_journal(connection: sqlite3.Connection, patience: float) -> None:
    """Keep the journal file between commits, which stay as durable as they were; wait so long.

    A header of zeros ends the journal then, which is synced before a commit returns. A journal
    that begins so says nothing: a copy of the project is whole with it and without, and whoever
    writes next uses or removes it.
    """
    connection.execute("PRAGMA journal_mode = PERSIST")
    connection.execute("PRAGMA journal_size_limit = 65536")
    connection.execute(f"PRAGMA busy_timeout = {int(1000 * patience)}")
