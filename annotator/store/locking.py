"""Waiting for the write lock so that everybody gets it.

SQLite's own way of waiting looks again every tenth of a second. A program that writes on and on
has the lock back before that, and a person who gives one grade meanwhile waits in vain. Whoever
looks every few milliseconds gets it as soon as anyone gives it up.
"""

from __future__ import annotations

import sqlite3
import time
from random import uniform

LONGEST_PAUSE = 0.008
"""Seconds between two looks, at most; they differ, or two who wait would always meet."""


def begin_writing(connection: sqlite3.Connection, patience: float) -> None:
    """Take the write lock, waiting for so many seconds.

    Raises
    ------
    sqlite3.OperationalError
        If others have it all the time, or the file cannot be written.
    """
    until = time.monotonic() + patience
    connection.execute("PRAGMA busy_timeout = 0")
    try:
        while True:
            try:
                connection.execute("BEGIN IMMEDIATE")
                return
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > until:
                    raise
            time.sleep(uniform(LONGEST_PAUSE / 8, LONGEST_PAUSE))  # noqa: S311 -- no secret
    finally:
        connection.execute(f"PRAGMA busy_timeout = {int(1000 * patience)}")
