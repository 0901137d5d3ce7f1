"""Where a project lies: on which file system, and beside which others."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path

from annotator.errors import ProjectError
from annotator.store.sqlite.connection import check_kind
from annotator.text.safe import one_line

_NETWORK = {
    "nfs",
    "nfs4",
    "cifs",
    "smb3",
    "smbfs",
    "9p",
    "afs",
    "ceph",
    "fuse.sshfs",
    "fuse.rclone",
}
_OF_ANOTHER = re.compile(r"\.backup|\.replaced\.")
_MOUNTS = Path("/proc/self/mountinfo")


def network_file_system(path: Path, mounts: Path = _MOUNTS) -> str:
    """The kind of network file system that a file lies on; empty if on none, or not known.

    SQLite's locks and syncs cannot be relied on there.

    The mounts are those that Linux tells of; elsewhere nothing is known.
    """
    try:
        lines = mounts.read_text("utf-8", "surrogateescape").splitlines()
    except OSError:
        return ""
    place, longest, kind = path.absolute().resolve(), -1, ""
    for line in lines:
        before, _, after = line.partition(" - ")
        if len(before.split(" ")) < 5 or not after:
            continue
        point = re.sub(r"\\([0-7]{3})", lambda code: chr(int(code[1], 8)), before.split(" ")[4])
        if place.is_relative_to(point) and len(point) >= longest:
            longest, kind = len(point), after.split(" ")[0]
    return kind if kind in _NETWORK else ""


def nothing_here(path: Path) -> str:
    """What to do where a project is looked for and is not: take the one beside it, or make one."""
    beside = [f"`-p {shlex.quote(str(one))}`" for one in islice(projects_in(path.parent), 3)]
    if beside:
        otherwise = f"; beside it: {one_line(', '.join(beside), 200)}"
    else:
        otherwise = ", or see the program at work with `annotator demo`"
    return f"{path}: no project file here; make one with `annotator init`{otherwise}"


def projects_in(folder: Path) -> Iterator[Path]:
    """Project files in a folder, apart from backups and what a restore has put aside."""
    for path in sorted(folder.glob("*.db")):
        if path.is_file() and not _OF_ANOTHER.search(path.name):
            with suppress(ProjectError):
                check_kind(path)
                yield path
