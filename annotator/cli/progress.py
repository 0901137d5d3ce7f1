"""How far an import or a comparison of all systems is: on a terminal only."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

from annotator.cli import output
from annotator.formats.hints import Watch
from annotator.text.numbers import countdown
from annotator.text.plural import counted
from annotator.text.safe import one_line

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


@contextmanager
def pairs() -> Iterator[Watch | None]:
    """Something to tell how many pairs of systems of how many are compared, likewise."""
    if not output.has_status():
        yield None
        return
    started = due = time.monotonic()

    def watch(done: int, total: int | None) -> None:
        nonlocal due
        if (now := time.monotonic()) < due:
            return
        if done == 0:
            output.status(f"{counted(total or 0, 'pair')} of systems to compare")
            due = now + FIRST_AFTER
            return
        due = now + EVERY
        rate = done / max(now - started, 1e-9)
        of_all = f"{done:,} of {counted(total or 0, 'pair')}  {rate:,.0f} a second"
        output.status(f"{of_all}  {left((total or 0) - done, rate)}")

    try:
        yield watch
    finally:
        output.clear_status()


def left(more: int, rate: float) -> str:
    """How long the rest may still take."""
    return f"{countdown(max(more, 0) / max(rate, 1e-9))} left"


def said(done: int, total: int | None, seconds: float) -> str:
    """The progress in words: how much, how fast, how long it may still take."""
    rate = done / max(seconds, 1e-9)
    words = f"{done / 1e6:,.0f} MB  {rate / 1e6:,.1f} MB/s"
    if not total:
        return words
    return f"{min(done / total, 1):.0%}  {words}  {left(total - done, max(rate, 1.0))}"
