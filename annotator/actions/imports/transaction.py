"""Files into a project: first all of them are read, then all are stored in one transaction.

Reading writes to temporary tables only and holds no lock, so others go on judging however long it
takes; and where it is left off, the project is as it was.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import TypeAlias

from annotator.actions.imports.report import Found
from annotator.errors import InputError
from annotator.store import Project
from annotator.store.staging.area import Staging

Storing: TypeAlias = Callable[[], Found]
"""Stores what was read, inside the project's `writing`; what it found."""

Reading: TypeAlias = Callable[[Project, Staging], Storing]
"""Reads one file outside of it, and knows how to store that."""


@contextmanager
def all_or_nothing(project: Project, *, dry_run: bool) -> Iterator[None]:
    """Hold the write lock; what is written inside is taken back after a dry run."""
    with suppress(_DryRunError), project.file.writing():
        yield
        if dry_run:
            raise _DryRunError


class _DryRunError(Exception):
    """Ends a dry run: what was written is taken back."""


def import_all(
    project: Project, readings: Iterable[Reading], *, dry_run: bool = False
) -> list[Found]:
    """Read files, then store all that they hold; or with ``dry_run`` only tell what that would do.

    Raises
    ------
    InputError
        If a line of one is bad; nothing is stored then.
    UsageError
        If one does not fit the project; nothing is stored then.
    """
    found: list[Found] = []
    try:
        with project.staging() as staged:
            storings = [read(project, staged) for read in readings]
            staged.look_up()
            with all_or_nothing(project, dry_run=dry_run):
                found += [store() for store in storings]
    except InputError as fault:
        raise InputError(f"{fault.message}; nothing was imported", fault.details) from None
    return found


def import_one(project: Project, reading: Reading) -> Found:
    """Read one file and store it, as `import_all` does."""
    return import_all(project, [reading])[0]
