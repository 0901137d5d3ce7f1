"""The project file's schema, one migration after another; a released one is never edited.

Each migration and the record that it ran are committed together. The caller holds the write lock.
A new one brings files of the schema before along, changes ``schema.sql`` only by what it does
itself, and raises :data:`annotator.store.sqlite.schema.SCHEMA_VERSION`.
"""

from __future__ import annotations

import sqlite3

from sqlite_utils import Database, Migrations

from annotator.store.sqlite.schema import APPLICATION_ID, SCHEMA_VERSION, statements

migrations = Migrations("annotator")


@migrations()
def m001_schema(db: Database) -> None:
    """Create everything."""
    for statement in statements():
        db.execute(statement)


def migrate(db: sqlite3.Connection) -> None:
    """Apply what is missing inside the caller's write lock."""
    migrations.apply(Database(db, execute_plugins=False))
    db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    db.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
