"""A small project, and what to ask and change of its file past the program."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from annotator.store import Project

SYSTEMS = {"alpha": {"q1": ["d1", "d2", "d3"]}}


def pragma(project: Project, name: str) -> object:
    return project.file.tuples(f"PRAGMA {name}")[0][0]


def altered(path: Path, sql: str) -> None:
    with closing(sqlite3.connect(path)) as db, db:
        db.execute(sql)


def altered_past_triggers(path: Path, *statements: str) -> None:
    """Change what only triggers protect; they are there again afterwards."""
    with closing(sqlite3.connect(path)) as db, db:
        triggers = db.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'")
        for name, _ in (kept := triggers.fetchall()):
            db.execute(f"DROP TRIGGER {name}")
        for statement in (*statements, *(sql for _, sql in kept)):
            db.execute(statement)
