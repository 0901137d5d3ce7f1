"""What went wrong only after it was stored."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from annotator.errors import ProjectError


class SavedError(ProjectError):
    """What was said is stored; what comes after it could not be read."""


@contextmanager
def saved() -> Iterator[None]:
    """Whatever fails from here on, it is stored."""
    try:
        yield
    except ProjectError as error:
        raise SavedError(f"saved, but what is next cannot be read: {error.message}") from error
