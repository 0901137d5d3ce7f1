"""What SQLite says, in a person's words."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from annotator.errors import LockedError, ProjectError
from annotator.sanitise import one_line

DAMAGED = "the file is damaged; run `annotator doctor`, which says what can be done"

_MOVED = (
    "it was moved, deleted or replaced while it was open; nothing was saved; put it back, or quit "
    "and open the one that is there now"
)

_REFUSED = (
    "the disk reported an error when it was written to; nothing was saved; a quota or a limit on "
    "the size of files may be reached, or the disk may be failing"
)

_NAMED = {
    "SQLITE_READONLY_DBMOVED": _MOVED,
    "SQLITE_IOERR_FSTAT": _MOVED,  # with its journal kept: there is no file left to look at
    "SQLITE_IOERR_WRITE": _REFUSED,
}

_SAID = (
    ("locked", "another program is writing to it; nothing was saved, try again"),
    ("full", "the disk is full; nothing was saved, free some space and try again"),
    ("readonly", "it cannot be written (read-only file or folder); nothing was saved"),
    ("unable to open", "it cannot be opened or made here (missing folder, or no permission)"),
    ("not a database", "not a project of annotator, nor any SQLite file"),
    ("malformed", DAMAGED),
    ("decode", DAMAGED),
    ("database corruption", DAMAGED),
    ("disk i/o", "the disk reported an error; nothing was saved"),
)


@contextmanager
def told(path: Path) -> Iterator[None]:
    """Say in a person's words what SQLite says in its own."""
    try:
        yield
    except (sqlite3.Error, OverflowError, UnicodeError) as error:
        if words := _NAMED.get(getattr(error, "sqlite_errorname", "")):
            raise ProjectError(f"{path}: {words}") from error
        said = str(error)
        for sign, words in _SAID:
            if sign in said.lower():
                kind = LockedError if sign == "locked" else ProjectError
                raise kind(f"{path}: {words}") from error
        raise ProjectError(f"{path}: {one_line(said)}") from error


def damaged(path: Path, what: str) -> ProjectError:
    """What to say of a file with a part that is not as it was stored."""
    return ProjectError(f"{path}: {DAMAGED} ({one_line(what)})")
