"""A copy of a file of an earlier schema, made beside it before it is brought up to date."""

from __future__ import annotations

import filecmp
from collections.abc import Callable
from itertools import count
from pathlib import Path

from annotator.atomic_write import as_a_whole, is_place
from annotator.errors import ProjectError


def keep(path: Path, version: int, copy: Callable[[Path, Path], None]) -> None:
    """Copy a file beside it, unless there is such a copy; another one stays as it is.

    One that is itself being made of another file needs no copy.

    ``copy`` gets the place to write to, and the name that the copy will have.

    Raises
    ------
    ProjectError
        If the copy cannot be made.
    """
    if is_place(path):
        return
    kept: list[Path] = []
    for at in count(1):
        more = f"-{at}" if at > 1 else ""
        target = path.with_name(f"{path.name}.schema-{version}{more}.backup")
        if not target.exists():
            break
        kept.append(target)
    try:
        with as_a_whole(target) as part:
            copy(part, target)
            if any(filecmp.cmp(part, one, shallow=False) for one in kept):
                part.unlink()
    except OSError as error:
        raise ProjectError(
            f"{path}: the backup that an update begins with cannot be made: {error.strerror}; "
            "nothing was changed"
        ) from error
