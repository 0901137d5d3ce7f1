"""Which project a file is of: random bits from its making, which every copy keeps."""

from __future__ import annotations

import secrets
import sqlite3
from contextlib import closing, suppress
from mmap import ACCESS_READ, mmap
from pathlib import Path

from annotator.store.sqlite.file import ProjectFile
from annotator.store.sqlite.schema import statements

SIZE = 16
"""Bytes of an identity."""


def give(file: ProjectFile, now: str, identity: bytes = b"") -> None:
    """Write down which project a new file is of (by default: one of its own), inside `writing`."""
    file.execute(
        "INSERT INTO project (id, identity, created) VALUES (1, ?, ?)",
        (identity or secrets.token_bytes(SIZE), now),
    )
    file.seal("project")


def identity_of(file: ProjectFile) -> bytes:
    """The identity of a project.

    Raises
    ------
    ProjectError
        If it is not as it was stored.
    """
    file.check("project")
    return bytes(file.tuples("SELECT identity FROM project")[0][0])


def identity_at(path: Path) -> bytes:
    """The identity of the project in a file, without a lock; empty if that cannot be read."""
    uri = f"{path.absolute().as_uri()}?mode=ro&immutable=1"
    with suppress(sqlite3.Error, UnicodeError), closing(sqlite3.connect(uri, uri=True)) as db:
        there = db.execute("SELECT sql FROM sqlite_schema WHERE name = 'project'").fetchall()
        known = [one for one in statements() if one.startswith("CREATE TABLE project ")]
        if [sql for (sql,) in there] == known:  # and no view, which may be endless
            for (identity,) in db.execute("SELECT identity FROM project WHERE id = 1"):
                return _sound(identity)
    return b""


def identity_in_wreck(path: Path) -> bytes:
    """The identity in a damaged file that nothing here has open; without SQLite if need be."""
    from annotator.store.pages import carved, shapes  # seldom needed

    if found := identity_at(path):
        return found
    with (
        suppress(OSError, ValueError),  # an empty file cannot be mapped
        path.open("rb") as file,
        closing(mmap(file.fileno(), 0, access=ACCESS_READ)) as content,
    ):
        for _, row in carved(content, shapes()["project"]):
            if found := _sound(row["identity"]):
                return found
    return b""


def _sound(identity: object) -> bytes:
    return identity if isinstance(identity, bytes) and len(identity) == SIZE else b""
