"""One damaged byte or two in what judgments name, or where a row begins, cost no other judgment."""

from __future__ import annotations

import sqlite3
import stat
import time
from collections.abc import Iterable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from annotator.rubric_files import presets
from annotator.store import Desk
from annotator.store import pages as carving
from annotator.store.checks import check
from annotator.store.recovery.rescue import rescue
from annotator.store.sqlite import connection
from rubric import Rubric
from tests.projects import (
    general,
    new_project,
    open_project,
    pair_number,
    pooled_project,
    start_python,
)
from tests.store.project_files import altered

PAGE = 4096
OWN = replace(general(), name="own", instructions=" ".join(["How we grade here."] * 20))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Twelve judgments of two people, under a preset."""
    path = tmp_path / "judgments.db"
    documents = [f"document-{at}" for at in range(6)]
    project = pooled_project(path, {"alpha": {"query-1": documents, "query-2": documents}})
    for number, docid in enumerate(documents):
        for who, qid in (("annabel", "query-1"), ("benedict", "query-2")):
            pair = pair_number(project, qid, docid)
            Desk(project, who).say(pair, grade=number % 4, note=f"note {number}")
    project.close()
    return path


def events(path: Path) -> list[str]:
    project = open_project(path)
    return [event.identity for event in project.judgments.events()]


def change(path: Path, place: int, content: bytes) -> None:
    changed = bytearray(path.read_bytes())
    changed[place : place + len(content)] = content
    path.write_bytes(changed)


def place_in(path: Path, tree: str, content: bytes) -> int:
    """Where something stands on the first page of a table or an index."""
    with closing(sqlite3.connect(path)) as db:
        sql = "SELECT rootpage FROM sqlite_schema WHERE name = ?"
        ((page,),) = db.execute(sql, (tree,)).fetchall()
    return path.read_bytes().index(content, (page - 1) * PAGE, page * PAGE)


def rescued(path: Path, known: Iterable[Rubric] = presets().values()) -> list[str]:
    new = path.with_name("new.db")
    rescue(path, new, known)
    assert [one for one in check(open_project(new).file) if one.problems] == []
    return events(new)


@pytest.mark.parametrize("in_index", [False, True])
@pytest.mark.parametrize(
    ("table", "stored", "damaged"),
    [
        ("assessor", [b"annabel"] * 2, b"annafel"),
        ("query", [b"query-2"] * 2, b"query-6"),
        ("document", [b"document-3"] * 2, b"document-s"),
        ("document", [b"document-3"] * 2, b"document-4"),
        ("pair", [b"\x04\x00\x09\x01\x02", b"\x04\x09\x01\x01\x02\x02"], b"\x05"),
    ],
)
def test_an_id_that_the_table_or_its_index_has_wrong_is_taken_as_it_was_judged(
    path: Path, in_index: bool, table: str, stored: list[bytes], damaged: bytes
) -> None:
    before, tree = events(path), f"sqlite_autoindex_{table}_1" if in_index else table
    place = place_in(path, tree, stored[in_index])
    change(path, place + (4 if table == "pair" else 0), damaged)
    assert rescued(path) == before


def test_a_row_of_the_log_that_begins_with_damage_costs_no_other(path: Path) -> None:
    before, content = events(path), path.read_bytes()
    with closing(sqlite3.connect(path)) as db:
        ((last,),) = db.execute("SELECT identity FROM judgment WHERE id = 5").fetchall()
    rows = (payload for _, payload in carving._cells(content, ()) if last in payload)
    row = min((one[: one.index(last) + len(last)] for one in rows), key=len)
    for at in range(row[0]):
        change(path, content.index(row) + at, bytes([row[at] ^ 16]))
        path.with_name("new.db").unlink(missing_ok=True)
        assert set(rescued(path)) >= {*before[:4], *before[5:]}
        path.write_bytes(content)


def test_an_identity_of_which_a_part_is_damaged_still_proves_its_entry(path: Path) -> None:
    before, content = events(path), path.read_bytes()
    damaged = content.index(bytes.fromhex(before[4]))
    altered_note = content.index(b"note 2", content.index(bytes.fromhex(before[5])) - 100)
    change(path, damaged + 9, b"damage")
    change(path, altered_note, b"vote 2")
    assert rescued(path) == [*before[:5], *before[6:]]


def test_an_entry_whose_identity_is_lost_is_proved_by_the_head_of_its_chain(path: Path) -> None:
    before, new = events(path), path.with_name("new.db")
    change(path, path.read_bytes().index(bytes.fromhex(before[4])), bytes(32))
    assert rescue(path, new, presets().values()).lost == []
    assert events(new) == before


@pytest.mark.parametrize("known", [True, False])
def test_a_rubric_with_a_wrong_sign_is_mended_by_its_fingerprint(
    tmp_path: Path, known: bool
) -> None:
    path = tmp_path / "judgments.db"
    project = new_project(path, OWN)
    project.close()
    before = events(path)
    change(path, place_in(path, "rubric_version", b"we grade here"), b"wE" if known else b"w\xff")
    assert rescued(path, ()) == before
    assert open_project(path.with_name("new.db")).rubrics.active().rubric == OWN


def test_a_preset_is_known_by_the_fingerprint_in_its_row(path: Path) -> None:
    before = events(path)
    change(path, place_in(path, "rubric_version", b'"label"'), b"\xff" * 40)
    index = "sqlite_autoindex_rubric_version_1"
    change(path, place_in(path, index, b"sha256:"), b"?")
    assert rescued(path) == before


def test_where_it_is_lost_which_rubric_is_in_force_the_newest_is(path: Path) -> None:
    before = events(path)
    change(path, place_in(path, "rubric_in_force", b"2026-"), b"?")
    assert rescued(path) == before
    assert open_project(path.with_name("new.db")).rubrics.active().rubric == general()


def root(path: Path, tree: str) -> int:
    """Where the first page of a table or an index begins."""
    with closing(sqlite3.connect(path)) as db:
        sql = "SELECT rootpage FROM sqlite_schema WHERE name = ?"
        return (int(db.execute(sql, (tree,)).fetchone()[0]) - 1) * PAGE


def test_of_a_row_that_is_no_row_any_more_each_value_is_taken_that_can_be_read(path: Path) -> None:
    before, index = events(path), root(path, "sqlite_autoindex_query_1")
    change(path, place_in(path, "query", b"query-1") - 3, b"\xd1")  # what kind its text is of
    change(path, index, bytes(PAGE))
    assert rescued(path) == before


@pytest.mark.parametrize("kind", [b"\x55", b"\x0a"])
def test_an_entry_of_whose_identity_not_even_the_kind_is_known_is_saved(
    path: Path, kind: bytes
) -> None:
    before, content = events(path), path.read_bytes()
    with closing(sqlite3.connect(path)) as db:
        ((last,),) = db.execute("SELECT identity FROM judgment WHERE id = 7").fetchall()
    change(path, content.rindex(b"\x4c", 0, content.index(last)), kind)
    assert rescued(path) == before


def test_an_undo_of_an_entry_that_is_lost_whole_is_taken_and_named(path: Path) -> None:
    project = open_project(path)
    annabel, benedict = Desk(project, "annabel"), Desk(project, "benedict")
    pair = pair_number(project, "query-2", "document-0")
    annabel.say(pair, grade=1)
    taken_back = [one.identity for one in project.judgments.events()][-1]
    for number in range(60):  # until the log has a second page
        benedict.say(pair, grade=1, note=f"note {number} " * 10)
    annabel.undo()
    project.close()
    undo, content = events(path)[-1], path.read_bytes()
    page = content.index(bytes.fromhex(taken_back)) // PAGE * PAGE
    assert bytes.fromhex(undo) not in content[page : page + PAGE]
    change(path, page, bytes(PAGE))
    found = rescue(path, path.with_name("new.db"), presets().values())
    assert any("taken, but not which lost entry is taken back" in one for one in found.lost)
    assert any("nothing proves" in one for one in found.lost)


def test_a_document_that_is_lost_keeps_its_places_in_the_rankings(tmp_path: Path) -> None:
    path, new = tmp_path / "judgments.db", tmp_path / "new.db"
    pooled_project(path, {"alpha": {"q1": ["d1", "d2", "d3"]}}, depth=1).close()
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("DELETE FROM document WHERE docid = 'd2'")
    done = rescue(path, new, presets().values())
    assert done.lost == ['document: 1 id in rankings lost; it is "(lost document …)" there']
    project = open_project(new)
    assert sorted(project.documents.names().values()) == ["(lost document 2)", "d1", "d3"]
    assert [one for one in check(project.file) if one.problems] == []


def test_a_page_of_another_table_in_the_place_of_the_documents_costs_none(path: Path) -> None:
    before, content, other = events(path), path.read_bytes(), root(path, "rubric_version")
    change(path, root(path, "document"), content[other : other + PAGE])
    assert rescued(path) == before


def test_a_text_of_brackets_within_brackets_is_left_out(path: Path) -> None:
    before, deep = events(path), "[" * 100_000
    altered(path, f"UPDATE document SET metadata = '{deep}', hash = '' WHERE id = 1")
    altered(path, f"UPDATE system SET findings = '{deep}'")
    assert rescued(path) == before


def test_rows_with_numbers_beyond_all_bounds_are_left_out_and_cost_no_time(path: Path) -> None:
    before = events(path)
    for number, sql in enumerate(("document", "pair", "query", "assessor", "pool", "system"), 1):
        with closing(sqlite3.connect(path)) as db, db:
            db.execute(f"UPDATE {sql} SET id = {2**62} + id WHERE id = (SELECT max(id) FROM {sql})")
        new = path.with_name(f"new{number}.db")
        began = time.monotonic()
        rescue(path, new, presets().values())
        assert time.monotonic() - began < 5
        assert set(events(new)) <= set(before)
        assert [one.problems for one in check(open_project(new).file) if one.problems] == []


@pytest.mark.parametrize("table", ["judgment", "document", "project", "seal", "pair"])
def test_a_view_in_the_place_of_a_table_is_not_read(path: Path, table: str) -> None:
    before = events(path)
    endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i FROM n) SELECT i FROM n"
    with closing(sqlite3.connect(path)) as db, db:
        db.execute(f"ALTER TABLE {table} RENAME TO other")
        db.execute(f"CREATE VIEW {table} AS {endless}")
    assert rescued(path) == before


def test_nothing_of_a_project_is_left_in_the_folder_for_temporary_files_by_a_kill(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "temporary"
    place.mkdir()
    script = (
        "import os, sys, tempfile; tempfile.tempdir = sys.argv[2]\n"
        "from pathlib import Path; from annotator.store.recovery import tables as salvage\n"
        "with salvage.wreck(Path(sys.argv[1])) as old:\n"
        "    print([*old.table('query')] != [], flush=True); os.kill(os.getpid(), 9)"
    )
    killed = start_python(script, path, place)
    assert killed.communicate()[0] == "True\n"
    assert list(place.iterdir()) == []


def test_what_is_rescued_of_a_private_project_is_private_from_the_beginning(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path.chmod(0o600)
    modes = []
    real = connection.connect

    def noted(place: Path) -> sqlite3.Connection:
        modes.append(stat.S_IMODE(place.stat().st_mode))
        return real(place)

    monkeypatch.setattr("annotator.store.sqlite.file.connect", noted)
    rescued(path)
    assert set(modes) == {0o600}
