"""What marks a SQLite file as a project and as one of this release, and makes it one."""

from __future__ import annotations

import sqlite3

APPLICATION_ID = 0x506F6F6C
"""Marks a SQLite file as a project of this program ("Pool")."""

SCHEMA_VERSION = 4
"""The version of the files that this release writes: how many migrations it knows."""


def migrate(db: sqlite3.Connection) -> None:
    """Apply what is missing inside the caller's write lock."""
    from sqlite_utils import Database  # seldom needed, and long to load

    from annotator.store.migrations import migrations

    migrations.apply(Database(db, execute_plugins=False))
    db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    db.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
