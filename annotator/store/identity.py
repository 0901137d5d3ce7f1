"""Which project a file is of: random bits from its making, which every copy keeps."""

from __future__ import annotations

import secrets

from annotator.store.file import ProjectFile

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
