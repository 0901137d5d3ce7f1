"""Writing a file so that it is there as a whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from annotator.errors import UsageError


@contextmanager
def becoming(path: Path, *, force: bool = False) -> Iterator[Path]:
    """A place beside ``path`` to write to, which takes its name when the block is done.

    Raises
    ------
    UsageError
        If something is there already and ``force`` is not set, or it cannot be written.
    """
    _check(path, force)
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        yield part
        _check(path, force)
        part.replace(path)
        _sync(path.parent)
    except OSError as error:
        if isinstance(error, BrokenPipeError):
            raise
        raise UsageError(f"{path}: cannot be written: {error.strerror}") from error
    finally:
        part.unlink(missing_ok=True)


def write_lines(path: Path, lines: Iterable[str], *, force: bool = False) -> int:
    """Write lines of UTF-8; how many.

    Raises
    ------
    UsageError
        As :func:`becoming` does.
    """
    count = 0
    with becoming(path, force=force) as part, part.open("x", encoding="utf-8", newline="\n") as out:
        for line in lines:
            out.write(f"{line}\n")
            count += 1
        out.flush()
        os.fsync(out.fileno())
    return count


def _sync(folder: Path) -> None:
    """See to it that a name outlives a crash of the machine, where folders can be synced."""
    if os.name == "posix":
        opened = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(opened)
        finally:
            os.close(opened)


def _check(path: Path, force: bool) -> None:
    if not path.parent.is_dir():
        raise UsageError(f"{path}: there is no folder {path.parent}")
    if path.is_symlink() or path.exists():
        if not force:
            raise UsageError(f"{path}: is there already and was left as it is; --force replaces it")
        if not path.is_file():
            raise UsageError(f"{path}: is no file that could be replaced")
