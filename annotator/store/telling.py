"""What SQLite says, in a person's words."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from annotator.errors import DamagedError, LockedError, ProjectError
from annotator.sanitise import one_line
from annotator.store.holders import holder

DAMAGED = "the file is damaged; run `annotator doctor`, which says what can be done"

NO_PROJECT = (
    "not a project of annotator, nor any SQLite file; if it was one, `annotator doctor` says what "
    "can be done"
)

_MOVED = (
    "it was moved, deleted or replaced while it was open; nothing more was saved; put it back, or "
    "quit and open the one that is there now"
)

_REFUSED = (
    "the disk reported an error when it was written to; nothing was saved; a quota or a limit on "
    "the size of files may be reached, or the disk may be failing"
)

_NAMED = {"SQLITE_READONLY_DBMOVED": _MOVED, "SQLITE_IOERR_WRITE": _REFUSED}

_LOCKED = "another program{} is writing to it; nothing was saved, try again"

_SAID = (
    ("locked", _LOCKED),
    ("full", "the disk is full; nothing was saved, free some space and try again"),
    (
        "readonly",
        "it cannot be written (read-only file or folder, or no permission); nothing was saved; "
        "let it be written to and try again",
    ),
    ("unable to open", "it cannot be opened or made here (missing folder, or no permission)"),
    ("not a database", NO_PROJECT),
    ("malformed", DAMAGED),
    ("decode", DAMAGED),
    ("database corruption", DAMAGED),
    ("disk i/o", "the disk reported an error; nothing was saved"),
)

_KINDS = {_LOCKED: LockedError, NO_PROJECT: DamagedError, DAMAGED: DamagedError}

_REFUSALS = ("SQLITE_READONLY", "SQLITE_IOERR")

Place = tuple[int, int]
"""A file wherever it is moved: its device and number there."""


def place_of(path: Path) -> Place | None:
    """The file that is there; None if there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


@contextmanager
def told(path: Path, place: Place | None = None) -> Iterator[None]:
    """Say in a person's words what SQLite says in its own; ``place`` is of the file opened."""
    try:
        yield
    except (sqlite3.Error, OverflowError, UnicodeError) as error:
        name, said = getattr(error, "sqlite_errorname", ""), str(error)
        # SQLite finds its file gone in more ways than the one that it has a name for.
        gone = name.startswith("SQLITE_IOERR") and place is not None and place != place_of(path)
        if name == "SQLITE_IOERR_WRITE" and not gone and not _may_write(path):
            said = "readonly"
        elif words := _MOVED if gone else _NAMED.get(name):
            raise ProjectError(f"{path}: {words}") from error
        for sign, words in _SAID:
            if sign in said.lower():
                words_told = words.format(holder(path)) if words is _LOCKED else words
                raise _KINDS.get(words, ProjectError)(f"{path}: {words_told}") from error
        raise ProjectError(f"{path}: {one_line(said)}") from error


def is_refusal(error: BaseException) -> bool:
    """Whether a failure that was told is one that may pass, but not for the same connection."""
    return getattr(error.__cause__, "sqlite_errorname", "").startswith(_REFUSALS)


def _may_write(path: Path) -> bool:
    return all(os.access(one, os.W_OK) for one in (path, path.absolute().parent))


def damaged(path: Path, what: str) -> DamagedError:
    """What to say of a file with a part that is not as it was stored."""
    return DamagedError(f"{path}: {DAMAGED} ({one_line(what)})")
