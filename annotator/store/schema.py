"""What marks a SQLite file as a project and as one of this release, and what is in it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

APPLICATION_ID = 0x416E6E6F
"""Marks a SQLite file as a project of this program ("Anno")."""

DEVELOPMENT_ID = 0x506F6F6C
"""The mark of files made before the first release, which this program does not read."""

SCHEMA_VERSION = 1
"""The version of the files that this release writes: how many migrations it knows."""


def statements() -> Iterator[str]:
    """The statements of the schema, one by one."""
    statement = ""
    for line in Path(__file__).with_name("schema.sql").read_text("utf-8").splitlines():
        if statement or (line and not line.startswith("--")):
            statement = f"{statement}\n{line}".lstrip()
        if sqlite3.complete_statement(statement):
            yield statement.removesuffix(";")
            statement = ""
