"""A file is there as a whole or not at all, and what a killed program began is taken away."""

from __future__ import annotations

import errno
import os
import shutil
import subprocess
import sys
from pathlib import Path
from subprocess import PIPE

import pytest

from annotator.atomic_write import as_a_whole, write_lines
from annotator.errors import UsageError


def begun(folder: Path, name: str = "out", side: str = "") -> Path:
    """What a process leaves when it is killed while it writes."""
    left = folder / f".{name}.0123abcd.annotator.part{side}"
    left.write_text("half")
    return left


def names(folder: Path) -> list[str]:
    return sorted(one.name for one in folder.iterdir())


def test_what_a_killed_program_left_is_taken_away_by_the_next_that_writes_there(
    tmp_path: Path,
) -> None:
    begun(tmp_path)
    begun(tmp_path, side="-journal")
    begun(tmp_path, "p.20260101T000000Z.backup.db")  # a name that never comes again
    assert write_lines(tmp_path / "out", ["whole"]) == 1
    assert names(tmp_path) == ["out"]
    begun(tmp_path)
    with pytest.raises(UsageError, match="is there already"):
        write_lines(tmp_path / "out", [])
    assert (tmp_path / "out").read_text() == "whole\n"
    assert names(tmp_path) == ["out"]


def test_what_is_not_of_this_program_stays(tmp_path: Path) -> None:
    others = [tmp_path / ".out.0123abcd.part", tmp_path / "out.0123abcd.annotator.part"]
    for one in others:
        one.write_text("another's")
    write_lines(tmp_path / "out", [])
    assert names(tmp_path) == sorted(["out", *(one.name for one in others)])


WRITER = """
import sys
from pathlib import Path
from annotator.atomic_write import as_a_whole
with as_a_whole(Path(sys.argv[1])) as part:
    part.write_text("whole")
    print("half", flush=True)
    sys.stdin.readline()
"""


@pytest.mark.parametrize("contained", [False, True])
def test_what_a_live_process_writes_stays_also_in_another_container(
    tmp_path: Path, contained: bool
) -> None:
    apart = ["unshare", "--user", "--map-root-user", "--pid", "--fork"] if contained else []
    if contained and (not shutil.which("unshare") or subprocess.call([*apart, "true"])):
        pytest.skip("no namespaces here")
    command = [*apart, sys.executable, "-c", WRITER]
    with (
        subprocess.Popen([*command, tmp_path / "one"], stdin=PIPE, stdout=PIPE) as first,
        subprocess.Popen([*command, tmp_path / "one.db"], stdin=PIPE, stdout=PIPE) as second,
    ):
        for process in (first, second):
            assert process.stdout
            assert process.stdout.readline() == b"half\n"
        write_lines(tmp_path / "other", ["other"])
        assert len(names(tmp_path)) == 3
        first.communicate(b"\n")
        write_lines(tmp_path / "another", ["other"])
        second.communicate(b"\n")
    assert names(tmp_path) == ["another", "one", "one.db", "other"]
    assert (tmp_path / "one").read_text() == (tmp_path / "one.db").read_text() == "whole"


def test_where_the_folder_cannot_be_locked_nothing_is_taken_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    left = begun(tmp_path)
    monkeypatch.setattr("fcntl.flock", refuse)
    write_lines(tmp_path / "out", ["whole"])
    assert names(tmp_path) == [left.name, "out"]


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
