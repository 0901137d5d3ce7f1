"""The line that tells how far an import is."""

from __future__ import annotations

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
    assert told.endswith("\r\x1b[K")


def test_a_quick_import_shows_no_progress(
    run: Run, small: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(output, "has_status", lambda: True)
    assert run("import", "run", "a.run", "--name", "c").err == ""
