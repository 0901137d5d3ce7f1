"""What SQLite says, in a person's words."""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from annotator.errors import DamagedError, LockedError, ProjectError
from annotator.store.sqlite.lock_owner import holder
from annotator.text.safe import one_line

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

_FULL = "the disk of {} is full; nothing was saved, free some space there and try again"

_SAID = (
    ("locked", _LOCKED),
    ("full", _FULL),
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

_SQLITES = ("/var/tmp", "/tmp")  # noqa: S108 -- where SQLite keeps temporary files by itself

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
        if name == "SQLITE_INTERRUPT":
            raise KeyboardInterrupt from error
        # SQLite finds its file gone in more ways than the one that it has a name for.
        gone = name.startswith("SQLITE_IOERR") and place is not None and place != place_of(path)
        if name == "SQLITE_IOERR_WRITE" and not gone and not _may_write(path):
            said = "readonly"
        elif words := _MOVED if gone else _NAMED.get(name):
            raise ProjectError(f"{path}: {words}") from error
        for sign, words in _SAID:
            if sign in said.lower():
                what = {_LOCKED: holder, _FULL: _fullest}.get(words)
                filled = words.format(what(path)) if what else words
                raise _KINDS.get(words, ProjectError)(f"{path}: {filled}") from error
        raise ProjectError(f"{path}: {one_line(said)}") from error


def _fullest(path: Path) -> str:
    """The folder with less room: the project's, or that in which SQLite keeps what it sorts."""
    places = [path.absolute().parent]
    for name in (os.environ.get("SQLITE_TMPDIR"), os.environ.get("TMPDIR"), *_SQLITES):
        if name and os.access(name, os.W_OK):
            places.append(Path(name))
            break
    with suppress(OSError):
        return one_line(str(min(places, key=lambda one: shutil.disk_usage(one).free)))
    return one_line(str(places[0]))


def is_refusal(error: BaseException) -> bool:
    """Whether a failure that was told is one that may pass, but not for the same connection."""
    return getattr(error.__cause__, "sqlite_errorname", "").startswith(_REFUSALS)


def _may_write(path: Path) -> bool:
    return all(os.access(one, os.W_OK) for one in (path, path.absolute().parent))


def replaced(path: Path) -> ProjectError:
    """What to say where the file that is there is not the one that was opened."""
    return ProjectError(f"{path}: {_MOVED}")


def damaged(path: Path, what: str) -> DamagedError:
    """What to say of a file with a part that is not as it was stored."""
    return DamagedError(f"{path}: {DAMAGED} ({one_line(what)})")
