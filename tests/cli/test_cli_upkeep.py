"""history, backup and doctor."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from annotator.store import Desk, Project
from tests.cli.conftest import Run


def grade_a_little(path: Path) -> tuple[str, str]:
    """Grade, regrade, note, put aside and undo as ann; the query and document of the first."""
    project = Project.open(path)
    desk = Desk(project, "ann")
    query = next(one.query for one in desk.progress() if one.open)
    first, second = [card for card in desk.cards(query) if card.open][:2]
    desk.say(first.pair, grade=1)
    desk.note(first.pair, "=looked twice")
    desk.say(first.pair, grade=3)
    desk.say(second.pair, mark=None, note="")
    desk.undo()
    project.close()
    return desk.query(query).qid, first.docid


def test_history_says_who_graded_what_and_what_it_replaced(run: Run, demo: Path) -> None:
    query, document = grade_a_little(demo)
    result = run("-p", demo, "history", "--assessor", "ann", "--format", "json")
    entries = json.loads(result.out)
    assert [(one["said"], one["replaced"]) for one in entries[:3]] == [
        ("1", ""),
        ("note: 1", "1"),
        ("3", "1"),
    ]
    assert entries[-1]["said"].startswith("undo of ")
    assert {one["query"] for one in entries[:3]} == {query}
    assert {one["rubric"] for one in entries} == {"general v1"}
    only = run("-p", demo, "history", "--document", document, "--query", query, "--format", "json")
    assert len(json.loads(only.out)) == 3
    latest = run("-p", demo, "history", "-n", "1", "--format", "json")
    assert len(json.loads(latest.out)) == 1


def test_history_in_csv_holds_no_formula(run: Run, demo: Path) -> None:
    grade_a_little(demo)
    assert "'=looked twice" in run("-p", demo, "history", "--format", "csv").out


def test_history_of_nobody_is_refused(run: Run, demo: Path) -> None:
    result = run("-p", demo, "history", "--assessor", "zoe")
    assert result.code == 2
    assert "no assessor zoe; there are: cranfield" in result.err


def test_a_backup_is_the_same_project(run: Run, demo: Path) -> None:
    assert run("-p", demo, "backup", "copy.db").out == "copy.db\n"
    same = [run("-p", path, "score", "--format", "json").out for path in (demo, "copy.db")]
    assert same[0] == same[1]


def test_a_backup_has_a_name_of_its_own_and_overwrites_nothing(run: Run, demo: Path) -> None:
    name = run("-p", demo, "backup").out.strip()
    assert name.startswith("demo.")
    assert name.endswith("Z.backup.db")
    result = run("-p", demo, "backup", demo)
    assert result.code == 2
    assert "is there already" in result.err


def test_a_backup_is_whole_while_another_holds_the_write_lock(run: Run, demo: Path) -> None:
    other = sqlite3.connect(demo, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    other.execute("INSERT INTO assessor (name, kind) VALUES ('half', 'human')")
    assert run("-p", demo, "backup", "copy.db").code == 0
    other.execute("ROLLBACK")
    other.close()
    assert run("-p", "copy.db", "doctor").code == 0


def test_doctor_finds_a_whole_project_whole(run: Run, demo: Path) -> None:
    result = run("-p", demo, "doctor")
    assert result.code == 0
    assert "BAD" not in result.out
    assert all(not found for found in json.loads(
        run("-p", demo, "doctor", "--format", "json").out)["checks"].values())  # fmt: skip


DAMAGE: dict[str, Callable[[sqlite3.Connection], object]] = {
    "references between its tables": lambda db: db.execute(
        "UPDATE pool_entry SET pool_id = 99 WHERE pair_id = 1"
    ),
    "rubrics as they were stored": lambda db: db.execute(
        "UPDATE rubric_version SET text = replace(text, 'Marginal', 'Minor')"
    ),
    "grades within their rubrics": lambda db: db.execute(
        "INSERT INTO judgment (chain_id, pair_id, assessor_id, rubric_version_id, grade, note, at,"
        " blind) VALUES (1, 1, 1, 1, 9, '', '2026-01-01T00:00:00+00:00', 0)"
    ),
    "judgments as they were stored": lambda db: db.execute(
        "UPDATE assessor SET name = 'somebody' WHERE id = 1"
    ),
    "rankings as they were imported": lambda db: db.execute(
        "UPDATE ranking SET scores = x'00' WHERE id = 1"
    ),
    "texts as they were imported": lambda db: db.execute(
        "UPDATE document SET text = 'other' WHERE text IS NOT NULL AND id < 5"
    ),
    "ids and other fields of documents": lambda db: db.execute(
        "UPDATE document SET metadata = '{\"author\"' WHERE id = 1"
    ),
}


@pytest.mark.parametrize("name", DAMAGE)
def test_doctor_finds_what_was_changed_from_outside(run: Run, demo: Path, name: str) -> None:
    db = sqlite3.connect(demo)
    DAMAGE[name](db)
    db.commit()
    db.close()
    result = run("-p", demo, "doctor", "--format", "json")
    assert result.code == 1
    damaged = [key for key, found in json.loads(result.out)["checks"].items() if found]
    assert name in damaged
    assert {*damaged} <= {name, "judgments as they were stored", "other tables as they were stored"}


def test_doctor_finds_an_id_of_an_unjudged_document_that_changed_on_the_disk(
    run: Run, demo: Path
) -> None:
    with closing(sqlite3.connect(demo)) as db, db:
        db.execute(
            "INSERT INTO document (docid, title, url, hash) VALUES ('unjudged-1', '', '', '')"
        )
    assert run("-p", demo, "doctor").code == 0
    demo.write_bytes(demo.read_bytes().replace(b"unjudged-1", b"unjudged-2", 1))
    result = run("-p", demo, "doctor", "--format", "json")
    assert result.code == 1
    assert json.loads(result.out)["checks"]["the file's structure"]


def test_doctor_finds_a_damaged_page_without_a_traceback(run: Run, demo: Path) -> None:
    content = bytearray(demo.read_bytes())
    middle = len(content) // 2
    content[middle : middle + 4096] = b"\xff" * 4096
    demo.write_bytes(content)
    result = run("-p", demo, "doctor")
    assert result.code in (1, 4)
    assert "Traceback" not in result.err


@pytest.mark.parametrize("command", ["status", "score", "history"])
def test_what_fails_on_a_damaged_file_says_that_it_is_damaged(
    run: Run, demo: Path, command: str
) -> None:
    db = sqlite3.connect(demo)
    db.execute("UPDATE rubric_version SET text = substr(text, 2)")
    db.commit()
    db.close()
    result = run("-p", demo, command)
    assert result.code == 4
    assert result.err.startswith(f"annotator: {demo}: the file is damaged; run `annotator doctor`")
