"""What marks a SQLite file as a project and as one of this release, and what is in it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from annotator.text.safe import one_line

APPLICATION_ID = 0x416E6E6F
"""Marks a SQLite file as a project of this program ("Anno")."""

DEVELOPMENT_ID = 0x506F6F6C
"""The mark of files made before the first release, which this program does not read."""

SCHEMA_VERSION = 1
"""The version of the files that this release writes: how many migrations it knows."""


_OBJECTS = (
    "SELECT type, name, sql FROM sqlite_schema WHERE NOT (type = 'index' AND sql IS NULL)"
    " AND NOT (type = 'table' AND name GLOB 'sqlite_s*')"  # its own: sequences, statistics
    " AND NOT (tbl_name = '_sqlite_migrations' AND"  # the record of migrations, and its index
    " (sql GLOB 'CREATE TABLE *' OR sql GLOB 'CREATE UNIQUE INDEX *'))"
)


def differences(db: sqlite3.Connection) -> Iterator[str]:
    """Where tables, indexes, triggers and views of a file are not as this release makes them.

    Nothing but the list of them is read: a view can be endless, and a trigger can swallow what is
    stored, so this is known before anything else is read or written.
    """
    wanted = set(statements())
    for kind, name, sql in db.execute(_OBJECTS):
        if sql in wanted:
            wanted.remove(sql)
        else:
            shown = one_line(str(sql), 100)
            yield f"{one_line(f'{kind} {name}', 80)} is not one that this program makes: {shown}"
    for sql in sorted(wanted):
        _, kind, name, *_ = sql.split()
        yield f"{kind.lower()} {name} is missing, or another one"


@cache
def statements() -> tuple[str, ...]:
    """The statements of the schema, one by one."""
    found, statement = [], ""
    for line in Path(__file__).with_name("schema.sql").read_text("utf-8").splitlines():
        if statement or (line and not line.startswith("--")):
            statement = f"{statement}\n{line}".lstrip()
        if sqlite3.complete_statement(statement):
            found.append(statement.removesuffix(";"))
            statement = ""
    return tuple(found)
