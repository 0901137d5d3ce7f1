"""What a command has stored or written so far, for whoever stops it and wants to know.

It is kept for the process: a command is one.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_stored: list[Path] = []


def note(path: Path) -> None:
    """Remember that what was done to a file is there for good."""
    if path not in _stored:
        _stored.append(path)


def begin() -> None:
    """Know of nothing: a command begins."""
    _stored.clear()


def stored() -> list[Path]:
    """The files of which something is there for good."""
    return list(_stored)


@contextmanager
def forgotten() -> Iterator[None]:
    """Remember nothing of what is done inside: it is not what the command is for."""
    before = stored()
    try:
        yield
    finally:
        _stored[:] = before
