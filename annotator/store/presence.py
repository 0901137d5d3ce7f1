"""Who grades a project now, to warn whoever opens it twice under one name."""

from __future__ import annotations

import os
import socket
import sys
from datetime import datetime, timedelta
from pathlib import Path
from typing import NamedTuple

from annotator.store.sqlite.file import ProjectFile

LEASE = timedelta(hours=12)
"""How long a window is taken to be open of which only its start can be known."""
_STAT = "/proc/{}/stat"
_BEGAN = 19
"""Where in that, after the name in brackets, stands when the process began."""


class Presence(NamedTuple):
    """A window in which somebody grades: since when (ISO 8601, UTC), and on which machine."""

    since: str
    host: str


class PresenceTable:
    """The windows that are open on a project."""

    def __init__(self, file: ProjectFile) -> None:
        self._file = file

    def arrive(self, assessor: int, now: str) -> int:
        """Store that a window is open, and forget those that are gone; its number."""
        here = socket.gethostname(), os.getpid()
        with self._file.writing():
            rows = self._file.tuples("SELECT id, host, process, began, since FROM presence")
            for number, host, process, began, since in rows:
                if not _is_open(host, process, began, since, now):
                    self.leave(number)
            return self._file.execute(
                "INSERT INTO presence (assessor_id, host, process, began, since)"
                " VALUES (?, ?, ?, ?, ?)",
                (assessor, *here, _began(here[1]), now),
            )

    def leave(self, number: int) -> None:
        """Forget a window."""
        with self._file.writing():
            self._file.execute("DELETE FROM presence WHERE id = ?", (number,))

    def others(self, assessor: int, mine: int, now: str) -> list[Presence]:
        """The other windows in which an assessor grades, the latest first."""
        rows = self._file.tuples(
            "SELECT host, process, began, since FROM presence WHERE assessor_id = ? AND id != ?"
            " ORDER BY id DESC",
            (assessor, mine),
        )
        return [
            Presence(since, host)
            for host, process, began, since in rows
            if _is_open(host, process, began, since, now)
        ]


def _is_open(host: str, process: int, began: str, since: str, now: str) -> bool:
    """Whether that process is still there; where that cannot be known: whether it may be."""
    if host != socket.gethostname() or sys.platform == "win32":  # where to ask is to end it
        return datetime.fromisoformat(now) - datetime.fromisoformat(since) < LEASE
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:  # there, and somebody else's
        pass
    return _began(process) == began


def _began(process: int) -> str:
    """When a process began, to know it from a later one of its number; empty if not known."""
    try:
        return Path(_STAT.format(process)).read_text("utf-8").rpartition(")")[2].split()[_BEGAN]
    except (OSError, IndexError, UnicodeError):
        return ""
