"""Runs a program with ``shim.c`` between it and the C library.

The shim looks at files of one folder only. It writes down each step that changes the folder, in
order, and while a control file says so it makes steps fail, as a full or broken disk does. Steps
are letters: ``c`` a file is made, ``w`` written, ``t`` cut to a length, ``s`` synced, ``u``
unlinked, ``r`` renamed, ``l`` given another name.
"""

from __future__ import annotations

import errno
import shutil
import struct
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import NamedTuple

SOURCE = Path(__file__).with_name("shim.c")
_HEAD = struct.Struct("=B3xIIIq")


class Step(NamedTuple):
    """One change of the folder: ``data`` is what was written, or the new name."""

    kind: str
    name: str
    at: int
    data: bytes


def missing() -> str:
    """Why the shim cannot be used here; empty if it can."""
    if shutil.which("gcc") is None:
        return "needs gcc, to build the shim that stands before the disk"
    if not Path("/proc/self/fd").exists():
        return "needs /proc and LD_PRELOAD: Linux only"
    return ""


@cache
def library() -> Path:
    """The shim, built once a process."""
    built = Path(mkdtemp(prefix="torture-")) / "shim.so"
    subprocess.run(
        ["gcc", "-shared", "-fPIC", "-O1", "-Wall", "-Werror", "-o", built, SOURCE, "-ldl"],
        check=True,
    )
    return built


def environment(
    folder: Path,
    *,
    log: Path | None = None,
    fault: Path | None = None,
    clock: Path | None = None,
) -> dict[str, str]:
    """What to add to a program's environment; the files must lie outside the folder.

    While there is a ``clock`` the program's time of day is away by as many seconds as it says.
    """
    said = {"LD_PRELOAD": str(library()), "TORTURE_ROOT": str(folder.resolve())}
    if log:
        said["TORTURE_LOG"] = str(log)
    if fault:
        said["TORTURE_FAULT"] = str(fault)
    if clock:
        said["TORTURE_CLOCK"] = str(clock)
    return said


def order(fault: Path, steps: str, code: int) -> None:
    """Let these kinds of steps fail with an ``errno`` from now on; ``""``: let none."""
    assert not steps or code in errno.errorcode
    part = fault.with_suffix(".part")
    part.write_text(f"{steps} {code}" if steps else "")
    part.replace(fault)


def recorded(log: Path, folder: Path) -> Iterator[Step]:
    """The steps of a log; names are those within the folder, ``.`` is the folder itself."""
    content, at = log.read_bytes(), 0
    while at < len(content):
        kind, path, data, _, place = _HEAD.unpack_from(content, at)
        at += _HEAD.size
        name = content[at : at + path].decode()
        at += path
        yield Step(chr(kind), _within(name, folder), place, content[at : at + data])
        at += data


def _within(name: str, folder: Path) -> str:
    return str(Path(name).relative_to(folder.resolve()))
