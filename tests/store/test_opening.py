"""What is opened as a project, and how; anything else is refused in one line and left as it is."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from annotator.errors import ProjectError
from annotator.store.identity import identity_of
from annotator.store.sqlite.schema import APPLICATION_ID, DEVELOPMENT_ID, SCHEMA_VERSION
from tests.projects import labels_of, new_project, open_project, pooled_project, write
from tests.store.project_files import SYSTEMS, altered, pragma


def refused(path: Path) -> str:
    """Open what must be refused in one line and left as it is; the line."""
    before = path.read_bytes() if path.is_file() else None
    beside = sorted(path.parent.iterdir())
    with pytest.raises(ProjectError) as caught:
        open_project(path)
    assert "\n" not in caught.value.message
    assert str(path) in caught.value.message
    assert (path.read_bytes() if path.is_file() else None) == before
    assert sorted(path.parent.iterdir()) == beside
    return caught.value.message


@pytest.mark.parametrize("opened", [False, True])
def test_every_connection_is_durable_and_checks_references(tmp_path: Path, opened: bool) -> None:
    project = new_project(tmp_path / "judgments.db")
    if opened:
        project = open_project(tmp_path / "judgments.db")
    assert pragma(project, "journal_mode") == "delete"
    assert pragma(project, "synchronous") == 3
    assert pragma(project, "foreign_keys") == 1
    with pytest.raises(ProjectError, match="FOREIGN KEY"), project.file.writing():
        project.file.execute("INSERT INTO pair (query_id, document_id) VALUES (7, 7)")


def test_a_project_says_what_it_is_and_which_schema_it_has(tmp_path: Path) -> None:
    project = new_project(tmp_path / "judgments.db")
    assert pragma(project, "application_id") == APPLICATION_ID
    assert pragma(project, "user_version") == SCHEMA_VERSION >= 1


def test_a_missing_file_is_refused_with_what_to_do(tmp_path: Path) -> None:
    assert "annotator init" in refused(tmp_path / "judgments.db")


def test_a_directory_is_refused(tmp_path: Path) -> None:
    (tmp_path / "judgments.db").mkdir()
    refused(tmp_path / "judgments.db")


@pytest.mark.parametrize("text", ["", "q1 0 d1 3\n", "SQLite format 3"])
def test_a_text_file_is_refused(tmp_path: Path, text: str) -> None:
    said = refused(write(tmp_path / "judgments.db", text))
    assert ("nor any SQLite file" if text else "nothing is in this file; go back") in said


@pytest.mark.parametrize("journal", ["delete", "wal"])
def test_another_database_is_refused_and_its_journal_left_alone(
    tmp_path: Path, journal: str
) -> None:
    path = tmp_path / "other.db"
    with closing(sqlite3.connect(path)) as other:
        other.execute(f"PRAGMA journal_mode = {journal}")
        other.execute("CREATE TABLE pair (id)")
        assert "not a project" in refused(path)


def test_a_file_of_a_newer_release_is_refused_by_name(tmp_path: Path) -> None:
    new_project(tmp_path / "judgments.db").close()
    altered(tmp_path / "judgments.db", f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
    assert "newer annotator" in refused(tmp_path / "judgments.db")


@pytest.mark.parametrize("size", [100, 512, 4096, 20_000])
def test_a_file_that_was_cut_short_is_refused(tmp_path: Path, size: int) -> None:
    path = tmp_path / "judgments.db"
    pooled_project(path, SYSTEMS).close()
    path.write_bytes(path.read_bytes()[:size])
    assert "damaged" in refused(path)


def test_a_damaged_page_is_told_in_one_line(tmp_path: Path) -> None:
    path = tmp_path / "judgments.db"
    pooled_project(path, SYSTEMS).close()
    content = bytearray(path.read_bytes())
    content[4096:] = b"\xff" * (len(content) - 4096)
    path.write_bytes(content)
    with pytest.raises(ProjectError, match="damaged"):
        labels_of(open_project(path))


def test_a_file_made_before_the_first_release_is_refused_with_what_to_do(tmp_path: Path) -> None:
    new_project(tmp_path / "judgments.db").close()
    altered(tmp_path / "judgments.db", f"PRAGMA application_id = {DEVELOPMENT_ID}")
    said = refused(tmp_path / "judgments.db")
    assert "development version" in said
    assert "annotator export judgments" in said


def test_every_project_has_an_identity_of_its_own_which_its_copies_keep(tmp_path: Path) -> None:
    one, two = (new_project(tmp_path / name) for name in ("one.db", "two.db"))
    one.file.copy_to(tmp_path / "copy.db")
    copy = open_project(tmp_path / "copy.db")
    assert identity_of(copy.file) == identity_of(one.file) != identity_of(two.file)
    assert len(identity_of(one.file)) == 16
