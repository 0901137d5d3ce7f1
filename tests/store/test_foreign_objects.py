"""A file with tables, views or triggers of somebody else is refused before any of them can act."""

from __future__ import annotations

import _thread
import sqlite3
from contextlib import closing
from pathlib import Path
from threading import Timer

import pytest

from annotator.errors import DamagedError
from tests.cli.conftest import Run, run
from tests.projects import new_project, open_project, pooled_project, qrels_lines, write
from tests.store.project_files import SYSTEMS

__all__ = ["run"]

ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n"
COMMANDS = [
    "status", "score", "history", "doctor", "export judgments -", "export documents -", "pool",
    "import qrels l.qrels", "backup copy.db", "plan",
]  # fmt: skip


def instead(table: str, view: str) -> list[str]:
    """Put a view in the place of a table."""
    return [f"DROP TABLE {table}", f"CREATE VIEW {table} AS {view}"]


FOREIGN = {
    "swallows": ["CREATE TRIGGER t BEFORE INSERT ON judgment BEGIN SELECT RAISE(IGNORE); END"],
    "swallows documents": [
        "CREATE TRIGGER sqlitex BEFORE INSERT ON document BEGIN SELECT RAISE(IGNORE); END"
    ],
    "changes": [
        "CREATE TRIGGER t AFTER INSERT ON judgment BEGIN UPDATE document SET title = 'x'; END"
    ],
    "unprotected": ["DROP TRIGGER judgment_is_never_changed"],
    "protected otherwise": [
        "DROP TRIGGER judgment_is_never_changed",
        "CREATE TRIGGER judgment_is_never_changed BEFORE UPDATE ON pool BEGIN SELECT 1; END",
    ],
    "endless seal": instead("seal", f"SELECT 'query' AS name, i AS digest FROM ({ENDLESS})"),
    "endless project": instead("project", f"SELECT i AS id, i AS identity FROM ({ENDLESS})"),
    "endless record": instead("_sqlite_migrations", ENDLESS),
    "endless view": [f"CREATE VIEW more AS {ENDLESS}"],
    "a view": instead("pool", "SELECT 1 AS id, '' AS method, 1 AS depth, 1 AS seed"),
    "another table": ["CREATE TABLE more (id)"],
    "another index": ["CREATE INDEX more ON document (title)"],
    "no index": ["DROP INDEX document_with_text"],
    "another column": ["ALTER TABLE pool ADD COLUMN more INT GENERATED ALWAYS AS (1) VIRTUAL"],
}


@pytest.mark.parametrize("name", FOREIGN)
def test_foreign_objects_are_refused_by_name_before_anything_is_read_or_written(
    run: Run, tmp_path: Path, name: str
) -> None:
    path = tmp_path / "judgments.db"
    pooled_project(path, SYSTEMS).close()
    write(tmp_path / "l.qrels", qrels_lines({("q1", "d1"): 1}))
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("PRAGMA foreign_keys = OFF")
        for statement in FOREIGN[name]:
            db.execute(statement)
    before = path.read_bytes()
    for words in COMMANDS:
        ended = run("-p", path, *words.split())
        assert ended.code == 4, words
        assert "damaged" in ended.err
    assert path.read_bytes() == before
    with pytest.raises(DamagedError, match=r"not one that this program makes|is missing"):
        open_project(path)


def test_statistics_that_sqlite_keeps_are_no_foreign_objects(tmp_path: Path) -> None:
    pooled_project(tmp_path / "judgments.db", SYSTEMS).close()
    with closing(sqlite3.connect(tmp_path / "judgments.db")) as db, db:
        db.execute("ANALYZE")
    assert open_project(tmp_path / "judgments.db").systems.all()


def test_ctrl_c_ends_a_statement_that_takes_long(tmp_path: Path) -> None:
    project = new_project(tmp_path / "judgments.db")
    timer = Timer(0.2, _thread.interrupt_main)
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        project.file.tuples(f"SELECT max(i) FROM ({ENDLESS})")
    assert project.queries.all() == {}
