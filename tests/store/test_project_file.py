from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from annotator.errors import ProjectError, UsageError
from annotator.records import AssessorKind, Document, Query
from annotator.store import Desk, Project, connecting
from annotator.store import file as store_file
from annotator.store.schema import APPLICATION_ID, SCHEMA_VERSION
from tests.projects import (
    contents,
    finished,
    general,
    labels_of,
    new_project,
    open_project,
    pair_number,
    pooled_project,
    start_python,
    write,
)

SYSTEMS = {"alpha": {"q1": ["d1", "d2", "d3"]}}


def pragma(project: Project, name: str) -> object:
    return project.file.tuples(f"PRAGMA {name}")[0][0]


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


def altered(path: Path, sql: str) -> None:
    with closing(sqlite3.connect(path)) as db, db:
        db.execute(sql)


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


def test_creating_never_overwrites(tmp_path: Path) -> None:
    path = write(tmp_path / "notes.txt", "mine")
    (tmp_path / "dangling").symlink_to(tmp_path / "nowhere")
    for taken in (path, tmp_path, tmp_path / "dangling"):
        with pytest.raises(ProjectError, match="already"):
            Project.create(taken, general())
    assert path.read_text() == "mine"
    assert not (tmp_path / "nowhere").exists()


def test_creating_in_a_missing_folder_says_so(tmp_path: Path) -> None:
    with pytest.raises(ProjectError, match="cannot be made here"):
        Project.create(tmp_path / "missing" / "judgments.db", general())


def test_a_failed_creation_leaves_nothing_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> int:
        raise UsageError("no")

    monkeypatch.setattr("annotator.store.rubrics.RubricTable.add", fail)
    with pytest.raises(UsageError):
        Project.create(tmp_path / "judgments.db", general())
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["a b.db", "50%.db", "what?.db", "#1.db", "ä'\".db"])
def test_a_project_may_have_any_file_name(tmp_path: Path, name: str) -> None:
    new_project(tmp_path / name).close()
    assert [path.name for path in tmp_path.iterdir()] == [name]
    open_project(tmp_path / name)


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


def test_missing_tables_are_made_when_an_older_file_is_opened(tmp_path: Path) -> None:
    path = tmp_path / "judgments.db"
    with closing(sqlite3.connect(path)) as db, db:
        db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        db.execute("CREATE TABLE older (id)")
    project = open_project(path)
    assert project.queries.all() == {}
    with pytest.raises(UsageError, match="annotator init"):
        project.rubrics.active()


def test_a_failed_migration_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = older(tmp_path / "judgments.db")
    before = path.read_bytes()

    def fail(db: object) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    monkeypatch.setattr(store_file, "migrate", fail)
    with pytest.raises(ProjectError, match="disk is full"):
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


def test_a_locked_file_is_told_in_a_persons_words_and_in_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connecting, "LOCK_SECONDS", 0.05)
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


def pair_number_of(project: Project) -> int:
    return int(project.file.tuples("SELECT min(id) FROM pair")[0][0])


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

    with pytest.raises(ProjectError, match="disk is full; nothing was saved"):
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


@pytest.mark.parametrize("sql", ["UPDATE judgment SET grade = 0", "DELETE FROM judgment"])
def test_judgments_are_never_changed_or_deleted(tmp_path: Path, sql: str) -> None:
    project = pooled_project(tmp_path / "judgments.db", SYSTEMS)
    Desk(project, "ann").say(pair_number_of(project), grade=2)
    before = contents(project)
    with pytest.raises(ProjectError, match="only added to"), project.file.writing():
        project.file.execute(sql)
    assert contents(project) == before


ODD = ["007", "7", "A", "a", "o'b\"r", "x\0y", "x", "🎯", "ä", "a\u0308", " ", "%", "D" * 10_000]


def test_ids_are_kept_as_they_are_whatever_is_in_them(tmp_path: Path) -> None:
    project = new_project(tmp_path / "judgments.db")
    project.queries.store(Query(qid, f"about {qid}") for qid in ODD)
    numbers = project.documents.ids(ODD)
    project.documents.store(Document(docid, docid, docid, docid) for docid in ODD)
    again = open_project(project.file.path)
    assert [query.qid for query in again.queries.all().values()] == ODD
    assert again.documents.ids(ODD) == numbers
    assert len(set(numbers.values())) == len(ODD)
    for docid in ODD:
        assert again.documents.get(numbers[docid]) == Document(docid, docid, docid, docid)
    by_bytes = sorted(ODD, key=str.encode)
    assert [again.documents.names()[one] for one in again.documents.in_id_order()] == by_bytes


def test_assessors_are_told_apart_by_case_and_kind(tmp_path: Path) -> None:
    judgments = new_project(tmp_path / "judgments.db").judgments
    assert judgments.assessor("ann", AssessorKind.HUMAN) != judgments.assessor(
        "Ann", AssessorKind.HUMAN
    )
    with pytest.raises(UsageError, match="known as human, not imported"):
        judgments.assessor("ann", AssessorKind.IMPORTED)


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


def test_the_version_is_another_one_only_when_somebody_else_has_written(tmp_path: Path) -> None:
    path = tmp_path / "judgments.db"
    project, other = new_project(path), open_project(path)
    before = project.file.version()
    project.queries.store([Query("q1", "one")])
    assert project.file.version() == before
    other.queries.store([Query("q2", "two")])
    assert project.file.version() != before
