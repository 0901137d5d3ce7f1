"""Waiting for other programs so that everybody gets their turn.

SQLite's own way of waiting looks again every tenth of a second. A program that writes on and on
has the file back before that, and a person who gives one grade, or reads, waits in vain. Whoever
looks every few milliseconds gets it as soon as anyone gives it up.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable
from random import uniform
from typing import TypeVar

LONGEST_PAUSE = 0.008
"""Seconds between two looks, at most; they differ, or two who wait would always meet."""

TELL_AFTER = 2.0
"""Seconds after which a person is told what is waited for."""

T = TypeVar("T")


def patiently(do: Callable[[], T], patience: float, tell: Callable[[], object]) -> T:
    """Do what needs the file as soon as no other program has it, for so many seconds.

    ``tell`` is called once if that takes long. What was begun must be as if it was not, if the
    file is locked.

    Raises
    ------
    sqlite3.OperationalError
        If others have it all the time, or whatever else there is.
    """
    began, told = time.monotonic(), False
    while True:
        try:
            return do()
        except sqlite3.OperationalError as error:
            waited = time.monotonic() - began
            code = getattr(error, "sqlite_errorcode", 0)  # a text that is no UTF-8 comes without
            if code & 0xFF != sqlite3.SQLITE_BUSY or waited > patience:
                raise
        if waited > TELL_AFTER and not told:
            told = True
            tell()
        time.sleep(uniform(LONGEST_PAUSE / 8, LONGEST_PAUSE))  # noqa: S311 -- no secret


def bounded(patience: float) -> Callable[[int, int, int], None]:
    """Watch a backup, and end it where others have had the file for so many seconds on end."""
    since: float | None = None

    def look(status: int, _remaining: int, _total: int) -> None:
        nonlocal since
        if status not in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            since = None
        elif since is None:
            since = time.monotonic()
        elif time.monotonic() - since > patience:
            raise sqlite3.OperationalError("database is locked")

    return look
