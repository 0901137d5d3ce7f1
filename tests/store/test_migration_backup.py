"""An older file is brought up to date after a backup, as a whole, and by one process only."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from annotator.errors import ProjectError
from annotator.store.sqlite import file as store_file
from annotator.store.sqlite import migrations
from annotator.store.sqlite.schema import SCHEMA_VERSION
from tests.projects import finished, open_project, pooled_project, start_python
from tests.store.project_files import SYSTEMS, altered, pragma


def older(path: Path) -> Path:
    """A project as a release before the first schema would have left it."""
    pooled_project(path, SYSTEMS).close()
    altered(path, "PRAGMA user_version = 0")
    return path


def test_an_older_file_is_migrated_after_a_backup_beside_it(tmp_path: Path) -> None:
    path = older(tmp_path / "judgments.db")
    before = shutil.copy(path, tmp_path / "before")
    project = open_project(path)
    assert pragma(project, "user_version") == SCHEMA_VERSION
    backup = tmp_path / "judgments.db.schema-0.backup"
    with closing(sqlite3.connect(backup)) as copy, closing(sqlite3.connect(before)) as old:
        assert list(copy.iterdump()) == list(old.iterdump())
        assert copy.execute("PRAGMA user_version").fetchone() == (0,)


def test_the_backup_of_an_earlier_file_of_the_same_name_stays(tmp_path: Path) -> None:
    path, first = tmp_path / "judgments.db", tmp_path / "judgments.db.schema-0.backup"
    open_project(older(path)).file.close()
    kept = first.read_bytes()
    altered(path, "UPDATE query SET text = 'another file'")
    altered(path, "PRAGMA user_version = 0")
    for _ in range(2):
        earlier = path.read_bytes()
        open_project(path).file.close()
        path.write_bytes(earlier)  # as if the migration had not come to its end
    assert first.read_bytes() == kept
    assert len(list(tmp_path.glob("*.backup"))) == 2
    assert (tmp_path / "judgments.db.schema-0-2.backup").exists()


def test_a_failed_migration_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = older(tmp_path / "judgments.db")
    before = path.read_bytes()

    def fail(db: object) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    monkeypatch.setattr(migrations, "migrate", fail)
    with pytest.raises(ProjectError, match="is full"):
        open_project(path)
    assert path.read_bytes() == before


def test_two_processes_may_open_an_old_file_at_once(tmp_path: Path) -> None:
    path = older(tmp_path / "judgments.db")
    script = (
        "import sys; from pathlib import Path; from annotator.store import Project\n"
        "project = Project.open(Path(sys.argv[1]))\n"
        "print(project.file.tuples('PRAGMA user_version')[0][0], len(project.queries.all()))"
    )
    processes = [start_python(script, path) for _ in range(2)]
    assert [finished(process).split() for process in processes] == [[str(SCHEMA_VERSION), "1"]] * 2
    with closing(sqlite3.connect(tmp_path / "judgments.db.schema-0.backup")) as copy:
        assert copy.execute("PRAGMA user_version").fetchone() == (0,)


def test_a_backup_is_not_made_again_of_a_file_that_another_process_migrated(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = older(tmp_path / "judgments.db")
    looked = iter([False, True])  # another process migrates between the two looks
    monkeypatch.setattr(store_file.ProjectFile, "_is_current", lambda self: next(looked))
    open_project(path)
    assert list(tmp_path.glob("*.backup")) == []
