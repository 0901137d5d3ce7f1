"""How far the import of a file is: on a terminal only, and gone when it is done."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

from annotator.cli import output
from annotator.formats.hints import Watch
from annotator.sanitise import one_line

FIRST_AFTER = 1.0  # seconds: what is done sooner shows nothing
EVERY = 0.2


@contextmanager
def shown(name: str) -> Iterator[Watch | None]:
    """Something to tell how many bytes of how many are read; None where nobody would see it."""
    if not output.has_status():
        yield None
        return
    started = time.monotonic()
    due = started + FIRST_AFTER

    def watch(done: int, total: int | None) -> None:
        nonlocal due
        if (now := time.monotonic()) >= due:
            due = now + EVERY
            output.status(f"{one_line(name, 30)}  {said(done, total, now - started)}")

    try:
        yield watch
    except BaseException:
        output.clear_status()
        raise
    if due > started + FIRST_AFTER:  # of what follows nobody knows how long it takes
        output.status(f"{one_line(name, 30)}  read; comparing and storing it")


def said(done: int, total: int | None, seconds: float) -> str:
    """The progress in words: how much, how fast, how long it may still take."""
    rate = done / max(seconds, 1e-9)
    words = f"{done / 1e6:,.0f} MB  {rate / 1e6:,.1f} MB/s"
    if not total:
        return words
    left = max(total - done, 0) / max(rate, 1.0)
    minutes, rest = divmod(round(left), 60)
    return f"{min(done / total, 1):.0%}  {words}  {minutes}:{rest:02} left"
