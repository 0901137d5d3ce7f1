"""Who has a project file locked, where the system tells: on Linux."""

from __future__ import annotations

import os
from pathlib import Path

from annotator.text.safe import one_line

_LOCKS = Path("/proc/locks")
_PROGRAM = "/proc/{}/comm"


def holder(path: Path, locks: Path = _LOCKS) -> str:
    """The other program that writes to a file (else: reads it), in brackets; empty if not known."""
    try:
        file = path.stat()
        lines = locks.read_text().splitlines()
    except (OSError, ValueError):
        return ""
    place = f"{os.major(file.st_dev):02x}:{os.minor(file.st_dev):02x}:{file.st_ino}"
    found = {}
    for line in lines:
        # 1: POSIX  ADVISORY  WRITE 4711 fe:00:131 1073741824 1073742335
        _, *words = line.split()
        if len(words) > 4 and words[0] == "POSIX" and words[4] == place:
            found[words[2]] = words[3]
    process = found.get("WRITE") or found.get("READ", "")
    if not process.isdecimal() or int(process) in (0, os.getpid()):
        return ""
    return f" ({_name(process)}process {process})"


def _name(process: str) -> str:
    try:
        return one_line(Path(_PROGRAM.format(process)).read_text("utf-8", "replace")) + ", "
    except OSError:
        return ""
