"""A file is there as a whole or not at all, and what a killed program began is taken away."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest

from annotator.errors import UsageError
from annotator.files import as_a_whole, write_lines


@pytest.fixture(scope="module")
def gone() -> int:
    """The number of a process that has ended."""
    with subprocess.Popen([sys.executable, "-c", ""]) as ended:
        pass
    return ended.pid


def begun(folder: Path, process: int, name: str = "out", side: str = "") -> Path:
    """What a process leaves when it is killed while it writes."""
    left = folder / f".{name}.{process}.annotator.part{side}"
    left.write_text("half")
    return left


def names(folder: Path) -> list[str]:
    return sorted(one.name for one in folder.iterdir())


def test_what_a_killed_program_left_is_taken_away_by_the_next_that_writes_there(
    tmp_path: Path, gone: int
) -> None:
    for process in (gone, os.getpid()):  # numbers come again
        begun(tmp_path, process)
        begun(tmp_path, process, side="-journal")
    begun(tmp_path, gone, "p.20260101T000000Z.backup.db")  # a name that never comes again
    assert write_lines(tmp_path / "out", ["whole"]) == 1
    assert names(tmp_path) == ["out"]
    begun(tmp_path, gone)
    with pytest.raises(UsageError, match="is there already"):
        write_lines(tmp_path / "out", [])
    assert (tmp_path / "out").read_text() == "whole\n"
    assert names(tmp_path) == ["out"]


def test_what_others_write_and_what_is_not_of_this_program_stays(tmp_path: Path, gone: int) -> None:
    others = [begun(tmp_path, os.getppid()), begun(tmp_path, 1)]
    others += [tmp_path / f".out.{gone}.part", tmp_path / f"out.{gone}.annotator.part"]
    for one in others:
        one.write_text("another's")
    write_lines(tmp_path / "out", [])
    assert names(tmp_path) == sorted(["out", *(one.name for one in others)])


def test_two_files_can_be_written_at_once(tmp_path: Path) -> None:
    with as_a_whole(tmp_path / "one") as part:
        part.write_text("one")
        write_lines(tmp_path / "two", ["two"])
    assert names(tmp_path) == ["one", "two"]


def test_a_file_that_somebody_else_made_meanwhile_is_not_replaced(tmp_path: Path) -> None:
    with pytest.raises(FileExistsError):
        write_beside_another(tmp_path / "out")
    assert (tmp_path / "out").read_text() == "theirs"
    assert names(tmp_path) == ["out"]


def test_where_there_are_no_links_it_works_as_well(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr(os, "link", refuse)
    write_lines(tmp_path / "out", ["whole"])
    with pytest.raises(FileExistsError):
        write_beside_another(tmp_path / "other")
    assert names(tmp_path) == ["other", "out"]
    assert (tmp_path / "other").read_text() == "theirs"


def write_beside_another(path: Path) -> None:
    """Write a file while another program makes one of the same name."""
    with as_a_whole(path) as part:
        part.write_text("ours")
        path.write_text("theirs")


def fail_while_writing(path: Path) -> None:
    with as_a_whole(path) as part:
        part.write_text("half")
        part.with_name(f"{part.name}-journal").write_text("half")
        raise ZeroDivisionError


def test_a_block_that_fails_or_leaves_nothing_makes_no_file(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError):
        fail_while_writing(tmp_path / "out")
    with as_a_whole(tmp_path / "out"):
        pass
    assert names(tmp_path) == []
