"""Copies of the file are whole, and its journal puts back what a crash cut off."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

from annotator.domain import Query
from tests.projects import contents, new_project, open_project, pooled_project
from tests.store.project_files import SYSTEMS


def test_a_copy_is_whole_while_another_process_uses_the_file(tmp_path: Path) -> None:
    project = pooled_project(tmp_path / "judgments.db", SYSTEMS)
    project.file.copy_to(tmp_path / "copy.db")
    assert contents(open_project(tmp_path / "copy.db")) == contents(project)


def test_a_journal_that_is_kept_between_commits_goes_when_the_project_is_closed(
    tmp_path: Path,
) -> None:
    path = tmp_path / "judgments.db"
    project = new_project(path)
    project.file.answer_keys(1)
    project.queries.store([Query("q1", "one")])
    journal = path.with_name("judgments.db-journal")
    assert journal.read_bytes()[:28] == bytes(28)
    copied = Path(shutil.copy(path, tmp_path / "copy.db"))
    assert [one.qid for one in open_project(copied).queries.all().values()] == ["q1"]
    project.close()
    assert not journal.exists()


def test_a_file_that_a_crash_left_in_the_midst_of_a_commit_is_put_back_by_its_journal(
    tmp_path: Path,
) -> None:
    path = tmp_path / "judgments.db"
    pooled_project(path, SYSTEMS).close()
    before = contents(open_project(path))
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("PRAGMA cache_size = 1")
        db.execute("BEGIN IMMEDIATE")
        db.execute("PRAGMA user_version = 0")  # the first page is written to
        rows = [(f"n{at}", "x" * 500) for at in range(500)]
        db.executemany("INSERT INTO query VALUES (NULL, ?, ?, '', '')", rows)
        crashed = tmp_path / "crashed.db"
        for side in ("", "-journal"):
            shutil.copy(f"{path}{side}", f"{crashed}{side}")
        db.execute("ROLLBACK")
    content = bytearray(crashed.read_bytes())
    content[24:32] = content[92:96] + (9999).to_bytes(4, "big")  # as long as the commit had made it
    crashed.write_bytes(content)
    assert contents(open_project(crashed)) == before


def test_what_is_written_after_a_crash_that_left_a_kept_journal_is_there(tmp_path: Path) -> None:
    path = tmp_path / "judgments.db"
    project = new_project(path)
    project.file.answer_keys(1)
    project.queries.store([Query("q1", "one")])
    left = Path(shutil.copy(path.with_name("judgments.db-journal"), tmp_path / "left"))
    project.close()
    left.rename(path.with_name("judgments.db-journal"))
    open_project(path).queries.store([Query("q2", "two")])
    assert len(open_project(path).queries.all()) == 2
