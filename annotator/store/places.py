"""Where a project lies: on a network file system SQLite's locks and syncs cannot be relied on."""

from __future__ import annotations

import re
from pathlib import Path

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
_MOUNTS = Path("/proc/self/mountinfo")


def network_file_system(path: Path, mounts: Path = _MOUNTS) -> str:
    """The kind of network file system that a file lies on; empty if on none, or not known.

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
