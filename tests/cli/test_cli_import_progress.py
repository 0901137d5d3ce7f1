"""The line that tells how far an import is."""

from __future__ import annotations

from pathlib import Path

import pytest

from annotator.cli import output, progress
from tests.cli.conftest import Run


def test_progress_has_a_rate_and_the_time_left() -> None:
    assert progress.said(30_000_000, 120_000_000, 3.0) == "25%  30 MB  10.0 MB/s  0:09 left"
    assert progress.said(30_000_000, None, 3.0) == "30 MB  10.0 MB/s"
    assert progress.said(0, 10, 0.0).endswith("left")


def test_only_a_terminal_is_told_and_the_line_is_cleared(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with progress.shown("a.run") as watch:
        assert watch is None
    monkeypatch.setattr(output, "has_status", lambda: True)
    monkeypatch.setattr(progress, "FIRST_AFTER", -1.0)
    with progress.shown("a\x1b[31m.run") as watch:
        assert watch is not None
        watch(5_000_000, 10_000_000)
    told = capsys.readouterr().err
    assert told.startswith("\r\x1b[Ka\N{SYMBOL FOR ESCAPE}[31m.run  50%  5 MB")
    assert told.endswith("read; comparing and storing it")
    output.clear_status()
    output.clear_status()
    assert capsys.readouterr().err == "\r\x1b[K"


def test_the_line_is_gone_before_anything_else_is_said(
    run: Run, small: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(output, "has_status", lambda: True)
    monkeypatch.setattr(progress, "FIRST_AFTER", -1.0)
    monkeypatch.setattr(progress, "EVERY", 0.0)
    result = run("import", "run", "a.run", "--name", "c", "--dry-run")
    assert result.err.endswith("storing it\r\x1b[Kdry run: nothing was stored\n")
    Path("bad.run").write_text("q1 Q0 d one 1 t\n" * 2 + "q1 Q0 d 1 1 t\n" * 3)
    result = run("import", "run", "bad.run")
    assert (result.code, result.err.rpartition("\r\x1b[K")[2].startswith("annotator: ")) == (
        3,
        True,
    )


def test_a_quick_import_shows_no_progress(
    run: Run, small: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(output, "has_status", lambda: True)
    assert run("import", "run", "a.run", "--name", "c").err == ""
