"""Grading line by line: the session and the log of the app, without a screen."""

from __future__ import annotations

import io
import os
import pty
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from annotator.cli import main, options
from annotator.domain import Document, Mark
from annotator.store import Project
from tests.projects import ROOT, labels_of
from tests.tui.workplaces import SMALL_DOCUMENTS, make_small


@pytest.fixture
def small(tmp_path: Path) -> Path:
    return make_small(tmp_path / "small.db")


def graded(
    path: Path, typed: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> str:
    """What is printed when this is typed."""
    monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
    capsys.readouterr()
    assert main(["-p", str(path), "grade", "--plain", "--assessor", "ann"]) == 0
    return capsys.readouterr().out


def log(path: Path) -> list[tuple[int | None, Mark | None, str]]:
    project = Project.open(path)
    try:
        return [(one.grade, one.mark, one.note) for one in project.judgments.events()]
    finally:
        project.close()


def test_each_word_does_what_its_key_does_in_the_app(
    small: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out = graded(small, "3\nn odd\ns\nx broken\nu\n0\nq\n", monkeypatch, capsys)
    assert log(small) == [
        (3, None, ""),
        (None, None, "odd"),
        (None, Mark.LATER, "odd"),
        (None, Mark.CANNOT, "broken"),
        (None, None, ""),
        (0, None, ""),
    ]
    said = [line.partition("? for more: ")[2] for line in out.splitlines() if "? for more" in line]
    assert said[:2] == ["saved: 3 Highly relevant", "saved: the note"]
    assert "took back that it cannot be judged" in out


def test_a_days_first_grading_makes_a_backup(
    small: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    graded(small, "3\nq\n", monkeypatch, capsys)
    graded(small, "q\n", monkeypatch, capsys)
    for thread in [one for one in threading.enumerate() if one.name == "backup"]:
        thread.join()
    assert len(list(small.parent.glob("small.*.daily.backup.db"))) == 1


def test_the_end_of_the_input_leaves_and_what_was_graded_is_stored(
    small: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    graded(small, "2\n1", monkeypatch, capsys)
    assert [grade for grade, *_ in log(small)] == [2, 1]
    out = graded(small, "3\n3\n3\n3\n3\n", monkeypatch, capsys)
    assert out.rstrip().endswith("Nothing is left to judge.")
    project = Project.open(small)
    assert len(labels_of(project)) == 5
    project.close()


@pytest.mark.parametrize("typed", ["9", "-1", "3 2", "x", "n", "zebra", "", "³", "\x1b[A"])
def test_what_is_no_command_stores_nothing_and_is_answered(
    typed: str, small: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out = graded(small, f"{typed}\nq\n", monkeypatch, capsys)
    assert log(small) == []
    assert out.count("0-3, ? for more: ") == 2
    assert "\x1b" not in out


def test_every_command_of_the_help_can_be_typed(
    small: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["?", "m", "t", "i", "r", "b", "f", "p", "u", "s", "x why", "n text", "1"]
    out = graded(small, "\n".join(words), monkeypatch, capsys)
    assert "there is no such command" not in out


def test_documents_cannot_act_on_the_terminal_or_flood_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    evil = "\x1b]0;gone\x07\x9b2J" + "word " * 400_000
    documents = [Document(one.docid, evil, evil, evil) for one in SMALL_DOCUMENTS]
    path = make_small(tmp_path / "evil.db", documents=documents)
    out = graded(path, "m\ni\n2\nq\n", monkeypatch, capsys)
    assert not set(out) & set("\x1b\x07\x9b")
    assert len(out) < 40_000


def test_a_document_without_text_is_graded_on_the_second_word_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = make_small(tmp_path / "bare.db", documents=[])
    assert "type the grade again" in graded(path, "2\nq\n", monkeypatch, capsys)
    assert log(path) == []
    graded(path, "2\n2\nq\n", monkeypatch, capsys)
    assert [grade for grade, *_ in log(path)] == [2]


def test_it_works_on_a_real_terminal_that_is_dumb(small: Path) -> None:
    mine, theirs = pty.openpty()
    command = [sys.executable, "-m", "annotator", "-p", str(small), "grade", "--plain"]
    child = subprocess.Popen(
        command, stdin=theirs, stdout=theirs, stderr=theirs, cwd=ROOT,
        env={**os.environ, "TERM": "dumb", "ANNOTATOR_ASSESSOR": "ann"},
    )  # fmt: skip
    os.close(theirs)
    os.write(mine, b"3\nq\n")
    shown = b""
    while True:
        try:
            shown += os.read(mine, 65536)
        except OSError:  # the other end is closed
            break
    assert child.wait(timeout=60) == 0
    os.close(mine)
    assert b"saved: 3 Highly relevant" in shown
    assert b"\x1b" not in shown
    assert [grade for grade, *_ in log(small)] == [3]


def test_the_session_ends_when_the_backup_begun_beside_it_has(
    small: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ended = list[Path]()

    def slow(path: Path) -> None:
        time.sleep(0.3)
        ended.append(path)

    monkeypatch.setattr(options, "back_up", slow)
    graded(small, "3\nq\n", monkeypatch, capsys)
    assert ended == [small]
