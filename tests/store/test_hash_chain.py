"""The log is only added to; what was altered in it from outside is found and the first named."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotator.actions.imports.log import export_judgments, import_judgments
from annotator.actions.imports.qrels import import_qrels
from annotator.domain import Document, Mark
from annotator.errors import ProjectError
from annotator.store import Desk, Entry, Project, hash_chain, log
from annotator.store.checks import check_heads
from annotator.store.sqlite import batches
from tests.projects import contents, new_project, open_project, pair_number, pooled_project, write
from tests.store.project_files import altered_past_triggers

SYSTEMS = {"alpha": {"q1": ["d1", "d2", "d3"], "q2": ["d1", "d4"]}}


def graded(path: Path) -> Project:
    """A project with six entries of every kind."""
    project = pooled_project(path, SYSTEMS)
    ann, bob = Desk(project, "ann"), Desk(project, "bob")
    first, second = pair_number(project, "q1", "d1"), pair_number(project, "q2", "d4")
    ann.say(first, grade=2, seconds=1.5, position=0, chosen="depth")
    ann.note(first, "why")
    ann.say(second, mark=Mark.CANNOT, note="torn")
    ann.undo()
    bob.say(first, grade=3)
    bob.say(second, grade=0)
    return project


def faults(project: Project) -> list[str]:
    return list(log.faults(project.file))


def from_outside(path: Path, *statements: str) -> list[str]:
    """What is found after somebody has worked on the file past the program."""
    altered_past_triggers(path, *statements)
    return faults(open_project(path))


@pytest.mark.parametrize("sql", ["UPDATE judgment SET grade = 0", "DELETE FROM judgment"])
def test_judgments_are_never_changed_or_deleted(tmp_path: Path, sql: str) -> None:
    project = pooled_project(tmp_path / "judgments.db", SYSTEMS)
    Desk(project, "ann").say(pair_number(project, "q1", "d1"), grade=2)
    before = contents(project)
    with pytest.raises(ProjectError, match="only added to"), project.file.writing():
        project.file.execute(sql)
    assert contents(project) == before


def test_a_log_that_only_the_program_wrote_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "judgments.db"
    project = graded(path)
    import_qrels(project, write(tmp_path / "more.qrels", "q1 0 d2 1\nq2 0 d1 3\n"))
    assert project.judgments.last_event() == 8
    assert faults(project) == []
    assert faults(new_project(tmp_path / "empty.db")) == []


COLUMNS = {
    "grade": "1",
    "note": "'other'",
    "at": "'2026-01-01T00:00:00+00:00'",
    "seconds": "1.25",
    "position": "7",
    "blind": "1 - blind",
    "pair_id": "3 - pair_id",
    "assessor_id": "3 - assessor_id",
    "chosen": "'eye'",
    "text_hash": "'x'",
    "answer": "'x'",
    "undoes": "1",
    "restates": "1",
    "evidence_start": "1, evidence_end = 2",
    "identity": "zeroblob(32)",
}


@pytest.mark.parametrize("column", COLUMNS)
def test_an_altered_value_is_found_in_every_column(tmp_path: Path, column: str) -> None:
    path = tmp_path / "judgments.db"
    graded(path)
    (fault,) = from_outside(path, f"UPDATE judgment SET {column} = {COLUMNS[column]} WHERE id = 5")
    assert fault.startswith("entry 5 is not as it was stored")


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE query SET qid = 'q9' WHERE qid = 'q1'",
        "UPDATE document SET docid = 'd9' WHERE docid = 'd1'",
        "UPDATE assessor SET name = 'eve' WHERE name = 'ann'",
        "UPDATE assessor SET kind = 'model' WHERE name = 'ann'",
    ],
)
def test_who_and_what_cannot_be_renamed_unseen(tmp_path: Path, statement: str) -> None:
    path = tmp_path / "judgments.db"
    graded(path)
    (fault,) = from_outside(path, statement)
    assert fault.startswith("entry 1 is not as it was stored")


def test_a_removed_entry_is_named(tmp_path: Path) -> None:
    path = tmp_path / "judgments.db"
    graded(path)
    assert from_outside(path, "DELETE FROM judgment WHERE id = 2") == ["entry 2 is missing"]


def test_a_cut_end_is_named(tmp_path: Path) -> None:
    path = tmp_path / "judgments.db"
    graded(path)
    cut = from_outside(path, "DELETE FROM judgment WHERE id > 4")
    assert cut == ["entries 5 to 6 are missing"]


def test_a_count_that_was_taken_away_is_named(tmp_path: Path) -> None:
    path = tmp_path / "judgments.db"
    graded(path)
    (fault,) = from_outside(path, "DELETE FROM sqlite_sequence")
    assert fault == "the file's own count of entries is 0, and 6 are there"


def test_an_entry_that_was_put_in_is_named(tmp_path: Path) -> None:
    path = tmp_path / "judgments.db"
    graded(path)
    put_in = (
        "INSERT INTO judgment (chain_id, pair_id, assessor_id, rubric_version_id, grade, note, at,"
        " blind, identity) VALUES (1, 1, 1, 1, 3, '', '', 1, zeroblob(32))"
    )
    (fault,) = from_outside(path, put_in)
    assert fault.startswith("entry 7 is not as it was stored")


def test_a_whole_entry_that_was_put_in_is_named_by_its_chain(tmp_path: Path) -> None:
    path = tmp_path / "judgments.db"
    graded(path)
    with closing(sqlite3.connect(path)) as db:
        names = [row[1] for row in db.execute("PRAGMA table_info(judgment)")][1:]
    copied = ", ".join(names)
    put_in = f"INSERT INTO judgment ({copied}) SELECT {copied} FROM judgment WHERE id = 1"
    (fault,) = from_outside(path, put_in)
    assert fault.startswith("the entries of ann are not as they were stored: 5 are there of 4")


def test_entries_that_changed_places_are_named(tmp_path: Path) -> None:
    path = tmp_path / "judgments.db"
    graded(path)
    moves = [f"UPDATE judgment SET id = {a} WHERE id = {b}" for a, b in ((99, 5), (5, 6), (6, 99))]
    (fault,) = from_outside(path, *moves)
    assert fault.startswith("the entries of bob are not as they were stored")


def test_a_kept_head_shows_a_cut_that_covers_its_tracks(tmp_path: Path) -> None:
    path = tmp_path / "judgments.db"
    ann, bob = graded(path).judgments.chains()
    assert (ann.assessor, ann.entries, bob.assessor, bob.entries) == ("ann", 4, "bob", 2)
    before = hash_chain.head(bob.start, [identities(path)[4]])
    cut = [
        "DELETE FROM judgment WHERE id > 5",
        "UPDATE sqlite_sequence SET seq = 5",
        f"UPDATE chain SET entries = 1, head = x'{before.hex()}' WHERE id = 2",
    ]
    assert from_outside(path, *cut) == []  # as somebody does who knows how
    project = open_project(path)
    kept = check_heads(project.file, [ann.head.hex(), bob.head.hex()])
    (problem,) = kept.problems
    assert problem.startswith(f"no entries lead to the head {bob.head.hex()[:16]}")


def identities(path: Path) -> list[bytes]:
    with closing(sqlite3.connect(path)) as db:
        return [one for (one,) in db.execute("SELECT identity FROM judgment ORDER BY id")]


@settings(deadline=None, max_examples=30)
@given(
    st.lists(
        st.tuples(
            st.integers(0, 3) | st.none(),
            st.text(st.characters(exclude_categories=["Cs"])),
            st.floats(0, allow_infinity=False) | st.none(),
        ),
        max_size=8,
    )
)
def test_whatever_is_said_the_log_reads_back_as_it_was_chained(
    tmp_path_factory: pytest.TempPathFactory, said: list[tuple[int | None, str, float | None]]
) -> None:
    project = pooled_project(tmp_path_factory.mktemp("chain") / "judgments.db", SYSTEMS)
    desk, pair = Desk(project, "ann"), pair_number(project, "q1", "d1")
    for grade, note, seconds in said:
        desk.say(pair, grade=grade, note=note, seconds=seconds)
    assert faults(project) == []
    project.close()


def test_a_judgment_says_which_text_it_is_of(tmp_path: Path) -> None:
    project = pooled_project(tmp_path / "judgments.db", SYSTEMS)
    desk, pair = Desk(project, "ann"), pair_number(project, "q1", "d1")
    desk.say(pair, grade=1)
    project.documents.store([Document("d1", text="a text")])
    desk.say(pair, grade=2)
    desk.undo()  # what holds again was said of a document without a text
    hashes = [event.text_hash for event in project.judgments.events()]
    (stored,) = project.file.tuples("SELECT hash FROM document WHERE docid = 'd1'")
    assert hashes == ["", stored[0], ""]


def test_an_undo_keeps_how_the_judgment_was_made_that_holds_again(tmp_path: Path) -> None:
    project = pooled_project(tmp_path / "judgments.db", SYSTEMS)
    desk, pair = Desk(project, "ann"), pair_number(project, "q1", "d1")
    desk.say(pair, grade=1, blind=False, chosen="eye")
    desk.say(pair, grade=2, chosen="depth")
    desk.undo()
    (*_, undo) = project.judgments.events()
    assert (undo.grade, undo.blind, undo.chosen) == (1, False, "eye")


def test_a_log_taken_into_another_project_keeps_the_identity_of_every_entry(
    tmp_path: Path,
) -> None:
    project = graded(tmp_path / "judgments.db")
    exported = write(tmp_path / "log.jsonl", "\n".join(export_judgments(project)))
    other = new_project(tmp_path / "other.db")
    assert import_judgments(other, exported).facts["entries added"] == 6
    assert list(other.judgments.events()) == list(project.judgments.events())
    assert import_judgments(other, exported).facts["entries added"] == 0


def test_one_assessor_does_not_change_the_head_of_another(tmp_path: Path) -> None:
    project = graded(tmp_path / "judgments.db")
    ann, bob = project.judgments.chains()
    Desk(project, "bob").say(1, grade=1)
    now = project.judgments.chains()
    assert now[0] == ann
    assert now[1].entries == bob.entries + 1


@pytest.mark.parametrize("column", ["origin", "start", "head", "entries", "assessor_id"])
def test_a_chain_that_was_altered_is_found(tmp_path: Path, column: str) -> None:
    path = tmp_path / "judgments.db"
    graded(path)
    value = {"entries": "3", "assessor_id": "2", "origin": "zeroblob(16)"}.get(
        column, "zeroblob(32)"
    )
    from_outside(path, f"UPDATE chain SET {column} = {value} WHERE id = 1")
    with pytest.raises(ProjectError, match=r"not as (they were|it was) stored"):
        open_project(path).judgments.check()


def test_a_judgment_that_failed_leaves_the_chain_whole(tmp_path: Path) -> None:
    project = graded(tmp_path / "judgments.db")
    entry = Entry(pair=1, assessor=1, rubric_version=1, grade=1, at=project.now())

    def fail() -> None:
        with project.file.writing():
            project.judgments.add(entry)
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    project.judgments.add(entry)
    assert faults(project) == []


def test_the_hash_of_a_judged_text_is_read_without_the_text_however_long_that_is(
    tmp_path: Path,
) -> None:
    project = pooled_project(tmp_path / "judgments.db", {"alpha": {"q1": ["d1"]}})
    pair, asked = pair_number(project, "q1", "d1"), list[str]()
    project.file.db.set_trace_callback(asked.append)
    Desk(project, "ann").say(pair, grade=1)
    project.file.db.set_trace_callback(None)
    (sql,) = [one for one in asked if "ifnull(listed.hash" in one]
    plan = [row[3] for row in project.file.tuples(f"EXPLAIN QUERY PLAN {sql}")]
    assert any("listed USING COVERING INDEX document_with_text" in step for step in plan)


@pytest.mark.parametrize("left", [0, 1, 5])
def test_a_log_cut_off_with_its_count_mended_is_found(tmp_path: Path, left: int) -> None:
    graded(tmp_path / "judgments.db").close()
    mend = f"UPDATE sqlite_sequence SET seq = {left} WHERE name = 'judgment'"
    found = from_outside(tmp_path / "judgments.db", f"DELETE FROM judgment WHERE id > {left}", mend)
    assert len(found) == 1
    assert "are not as they were stored: " in found[0]


def test_entries_that_come_while_the_log_is_looked_through_are_no_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = graded(tmp_path / "judgments.db")
    desk = Desk(open_project(tmp_path / "judgments.db"), "ann")
    pair = pair_number(project, "q1", "d1")
    monkeypatch.setattr(batches, "PIECE", 2)
    project.file.pause = lambda: desk.say(pair, grade=1)  # another person, before each reading
    assert faults(project) == []
    assert project.judgments.last_event() > 8
