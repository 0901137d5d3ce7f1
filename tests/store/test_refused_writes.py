"""What cannot be written is told in a person's words, loses nothing, and can be tried again."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from annotator.actions.imports.qrels import import_qrels
from annotator.errors import ProjectError
from annotator.store import Desk, Project
from annotator.store.sqlite import connection
from tests.projects import (
    contents,
    labels_of,
    open_project,
    pair_number,
    pooled_project,
    qrels_lines,
    write,
)
from tests.store.project_files import SYSTEMS, pragma


def pair_number_of(project: Project) -> int:
    return int(project.file.tuples("SELECT min(id) FROM pair")[0][0])


def test_a_locked_file_is_told_in_a_persons_words_and_in_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "LOCK_SECONDS", 0.05)
    path = tmp_path / "judgments.db"
    project = pooled_project(path, SYSTEMS)
    desk, before = Desk(project, "ann"), contents(project)
    with closing(sqlite3.connect(path)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(ProjectError, match="another program is writing to it; nothing was"):
            desk.say(pair_number_of(project), grade=1)
        other.execute("ROLLBACK")
    assert contents(project) == before
    desk.say(pair_number_of(project), grade=1)


def test_what_cannot_be_written_can_be_read_and_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "judgments.db"
    pooled_project(path, SYSTEMS).close()
    connect = sqlite3.connect
    # SQLite opens a write-protected file like this by itself, but nothing is protected from root.
    monkeypatch.setattr(
        sqlite3, "connect", lambda at, **how: connect(at.replace("mode=rw", "mode=ro"), **how)
    )
    project = open_project(path)
    assert list(project.queries.ids()) == ["q1"]
    with pytest.raises(ProjectError, match="cannot be written"):
        Desk(project, "ann")


def test_a_full_disk_loses_nothing_that_was_said_before_and_can_be_tried_again(
    tmp_path: Path,
) -> None:
    project = pooled_project(tmp_path / "judgments.db", SYSTEMS)
    desk = Desk(project, "ann")
    pairs = [pair_number(project, "q1", docid) for docid in ("d1", "d2", "d3")]
    desk.say(pairs[0], grade=3)
    project.file.tuples(f"PRAGMA max_page_count = {pragma(project, 'page_count')}")

    def say_both() -> None:
        with project.file.writing():
            desk.say(pairs[1], grade=1)
            desk.say(pairs[2], grade=1, note="long" * 5000)

    with pytest.raises(ProjectError, match="is full; nothing was saved"):
        say_both()
    assert labels_of(project) == {("q1", "d1"): 3}
    project.file.tuples("PRAGMA max_page_count = 100000")
    desk.say(pairs[2], grade=2, note="long" * 5000)
    assert labels_of(open_project(project.file.path)) == {("q1", "d1"): 3, ("q1", "d3"): 2}


@pytest.mark.parametrize("replaced", [False, True])
@pytest.mark.parametrize("journal_kept", [False, True])
def test_a_file_that_was_taken_away_underneath_is_told_and_can_be_put_back(
    tmp_path: Path, replaced: bool, journal_kept: bool
) -> None:
    project = pooled_project(tmp_path / "judgments.db", SYSTEMS)
    desk, path = Desk(project, "ann"), project.file.path
    if journal_kept:  # as in the app, which has graded before
        project.file.answer_keys(0.25)
        desk.say(pair_number_of(project), grade=3)
    aside = path.rename(tmp_path / "aside.db")
    if replaced:
        shutil.copy(aside, path)
    with pytest.raises(ProjectError, match="it was moved, deleted or replaced while it was open"):
        desk.say(pair_number_of(project), grade=1)
    aside.rename(path)
    desk.say(pair_number_of(project), grade=2)
    assert labels_of(open_project(path)) == {("q1", "d1"): 2}


@pytest.mark.parametrize("temporary", [False, True])
@pytest.mark.parametrize("room", range(0, 40, 12))
def test_a_disk_that_fills_while_grades_are_stored_is_told_as_that(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, room: int, temporary: bool
) -> None:
    ranked = {f"q{at}": [f"d{n}" for n in range(40)] for at in range(40)}
    pooled_project(tmp_path / "judgments.db", {"alpha": ranked}).close()
    grades = {(qid, docid): 1 for qid in ranked for docid in ranked[qid]}
    labels = write(tmp_path / "labels.qrels", qrels_lines(grades))
    project = open_project(tmp_path / "judgments.db")
    which = "temp." if temporary else ""
    ((pages,),) = project.file.tuples(f"PRAGMA {which}page_count")
    project.file.tuples(f"PRAGMA {which}max_page_count = {max(pages, 1) + room}")
    with pytest.raises(ProjectError, match=r"the disk of .+ is full; nothing was saved"):
        import_qrels(project, labels)
    assert project.judgments.last_event() == 0
    project.file.tuples(f"PRAGMA {which}max_page_count = 1000000")
    import_qrels(project, labels)
    assert project.judgments.last_event() == 1600


def test_a_copy_put_over_the_open_file_is_told_and_takes_no_grade(tmp_path: Path) -> None:
    path, backup = tmp_path / "judgments.db", tmp_path / "backup.db"
    project = pooled_project(path, SYSTEMS)
    project.file.copy_to(backup)  # from before this assessor first graded
    desk, pair = Desk(project, "ann"), pair_number_of(project)
    desk.say(pair, grade=1)
    shutil.copyfile(backup, path)  # in place, as `cp` does
    for say in (lambda: desk.say(pair, grade=2), lambda: desk.note(pair, "a note"), desk.undo):
        with pytest.raises(ProjectError, match="replaced while it was open"):
            say()
    assert open_project(path).judgments.last_event() == 0
