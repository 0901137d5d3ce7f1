"""What can still be read of a damaged file is saved, and what cannot is told."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from annotator.store import Project
from annotator.store.identity import identity_of
from tests.cli.conftest import Run
from tests.projects import open_project, pooled_project
from tests.store.project_files import altered_past_triggers

PAGE = 4096


def events(path: Path) -> list[str]:
    with closing(Project.open(path)) as project:
        return [event.identity for event in project.judgments.events()]


def page_of(path: Path, table: str) -> int:
    """The place of a table's root page in the file."""
    with closing(sqlite3.connect(path)) as db:
        sql = "SELECT rootpage FROM sqlite_schema WHERE name = ?"
        return (int(db.execute(sql, (table,)).fetchone()[0]) - 1) * PAGE


def overwritten(path: Path, at: int, content: bytes) -> bytes:
    """Damage the file; its bytes then."""
    changed = bytearray(path.read_bytes())
    changed[at : at + len(content)] = content
    path.write_bytes(changed)
    return bytes(changed)


def test_a_whole_project_is_rescued_whole(run: Run, demo: Path) -> None:
    result = run("-p", demo, "doctor", "--rescue", "new.db")
    assert (result.code, result.err) == (0, "")
    assert events(Path("new.db")) == events(demo)
    same = [run("-p", one, "score", "--format", "json").out for one in (demo, Path("new.db"))]
    assert same[0] == same[1]
    assert run("-p", "new.db", "doctor").code == 0


def test_of_a_project_without_judgments_none_are_told_to_be_lost(run: Run, tmp_path: Path) -> None:
    path, new = tmp_path / "judgments.db", tmp_path / "new.db"
    pooled_project(path, {"alpha": {"q1": ["d1", "d2"]}}).close()
    result = run("-p", path, "doctor", "--rescue", new)
    assert (result.code, result.err) == (0, "")
    assert "0 judgment" in result.out


def test_what_is_rescued_is_of_the_same_project(run: Run, demo: Path) -> None:
    run("-p", demo, "doctor", "--rescue", "new.db")
    made = [identity_of(open_project(one).file) for one in (demo, Path("new.db"))]
    assert made[0] == made[1]


@pytest.mark.parametrize(
    "table", ["document", "query", "pair", "ranking", "system", "pool", "seal", "pool_entry"]
)
def test_every_judgment_is_saved_though_another_table_is_lost_in_part(
    run: Run, demo: Path, table: str
) -> None:
    before, at = events(demo), page_of(demo, table)
    damaged = overwritten(demo, at, b"\xff" * 64)
    result = run("-p", demo, "doctor", "--rescue", "new.db")
    assert "Traceback" not in result.err
    assert demo.read_bytes() == damaged
    assert events(Path("new.db")) == before
    assert run("-p", "new.db", "doctor").code == 0


def test_a_lost_part_of_the_log_leaves_the_rest(run: Run, demo: Path) -> None:
    before, content = events(demo), demo.read_bytes()
    with closing(sqlite3.connect(demo)) as db:
        leaf = content.index(
            db.execute("SELECT identity FROM judgment WHERE id = 300").fetchone()[0]
        )
    overwritten(demo, leaf // PAGE * PAGE, b"\xff" * 16)
    result = run("-p", demo, "doctor", "--rescue", "new.db")
    assert result.code == 1
    assert "entries cannot be read" in result.err
    after = events(Path("new.db"))
    assert len(before) > len(after) > len(before) - 60
    assert set(after) <= set(before)


def test_an_altered_judgment_is_left_out_and_named(run: Run, demo: Path) -> None:
    before = events(demo)
    with closing(sqlite3.connect(demo)) as db, db:
        db.execute("DROP TRIGGER judgment_is_never_changed")
        db.execute("UPDATE judgment SET grade = 3 - grade WHERE id = 7")
    result = run("-p", demo, "doctor", "--rescue", "new.db")
    assert "1 entry was left out: not as stored" in result.err
    assert events(Path("new.db")) == before[:6] + before[7:]


def test_a_judgment_whose_identity_alone_is_damaged_is_saved(run: Run, demo: Path) -> None:
    before = events(demo)
    with closing(sqlite3.connect(demo)) as db, db:
        db.execute("DROP TRIGGER judgment_is_never_changed")
        db.execute("UPDATE judgment SET identity = zeroblob(32) WHERE id = 7")
    run("-p", demo, "doctor", "--rescue", "new.db")
    assert events(Path("new.db")) == before


def test_a_file_of_which_nothing_can_be_read_is_told_with_what_to_do(run: Run, demo: Path) -> None:
    backup = run("-p", demo, "backup").out.strip()
    demo.write_bytes(b"\xff" * demo.stat().st_size)
    result = run("-p", demo, "doctor", "--rescue", "new.db")
    assert result.code == 4
    assert f"restore {backup}" in result.err.replace(str(Path.cwd()) + "/", "")
    assert not Path("new.db").exists()


def test_all_is_saved_of_a_file_whose_first_page_is_lost(run: Run, demo: Path) -> None:
    before, pooled = events(demo), run("-p", demo, "status").out
    backup = run("-p", demo, "backup").out.strip()
    damaged = overwritten(demo, 0, bytes(PAGE))
    looked = run("-p", demo, "doctor")
    assert (looked.code, "doctor --rescue" in looked.err, backup in looked.err) == (4, True, True)
    assert run("-p", demo, "doctor", "--rescue", "new.db").code == 1
    assert events(Path("new.db")) == before
    assert demo.read_bytes() == damaged
    assert run("-p", "new.db", "status").out == pooled
    assert run("-p", "new.db", "doctor").code == 0


def test_all_is_saved_of_a_log_whose_tree_is_lost(run: Run, demo: Path) -> None:
    before = events(demo)
    overwritten(demo, page_of(demo, "judgment"), bytes(PAGE))
    run("-p", demo, "doctor", "--rescue", "new.db")
    assert events(Path("new.db")) == before


def test_entries_behind_a_lost_one_are_saved_and_it_is_named(run: Run, demo: Path) -> None:
    before = events(demo)
    with closing(sqlite3.connect(demo)) as db, db:
        db.execute("DROP TRIGGER judgment_is_never_deleted")
        db.execute("DELETE FROM judgment WHERE id = 7")
    result = run("-p", demo, "doctor", "--rescue", "new.db")
    assert "1 entry cannot be read: 7\n" in result.err
    assert "nothing proves" not in result.err
    assert events(Path("new.db")) == before[:6] + before[7:]


def test_rescue_overwrites_nothing(run: Run, demo: Path) -> None:
    result = run("-p", demo, "doctor", "--rescue", demo)
    assert result.code == 4
    assert "already" in result.err


def test_the_head_shows_whether_the_log_was_cut(run: Run, demo: Path) -> None:
    head = run("-p", demo, "history", "--head").out.strip()
    assert run("-p", demo, "doctor", "--head", head).code == 0
    altered_past_triggers(
        demo,
        "DELETE FROM judgment WHERE id > 100",
        "UPDATE sqlite_sequence SET seq = 100 WHERE name = 'judgment'",
    )
    result = run("-p", demo, "doctor", "--head", head, "--format", "json")
    assert result.code == 1
    assert json.loads(result.out)["checks"]["the log up to the heads given"]
    assert run("-p", demo, "doctor", "--head", "nonsense").code == 2


def test_only_what_lay_on_a_blank_page_of_the_log_is_lost(run: Run, demo: Path) -> None:
    before, content = events(demo), demo.read_bytes()
    with closing(sqlite3.connect(demo)) as db:
        leaf = content.index(
            db.execute("SELECT identity FROM judgment WHERE id = 300").fetchone()[0]
        )
        at = leaf // PAGE * PAGE
        on_page = [
            number
            for number, one in db.execute("SELECT id, identity FROM judgment")
            if at <= content.index(one) < at + PAGE
        ]
    overwritten(demo, at, bytes(PAGE))
    run("-p", demo, "doctor", "--rescue", "new.db")
    left = [event for number, event in enumerate(before, start=1) if number not in on_page]
    assert events(Path("new.db")) == left
