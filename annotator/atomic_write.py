"""Writing a file so that it is there as a whole or not at all."""

from __future__ import annotations

import os
import re
import secrets
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from annotator import outcome
from annotator.errors import UsageError

SIDES = ("-journal", "-wal", "-shm")
"""What SQLite adds to a file's name for what belongs to it."""

_DATABASE = b"SQLite format 3\0"

_PART = re.compile(rf"\..+\.[0-9a-f]{{8}}\.annotator\.part(?:{'|'.join(SIDES)})?")


@contextmanager
def as_a_whole(path: Path, *, replace: bool = False) -> Iterator[Path]:
    """A place beside ``path`` to write to, which takes its name when the block is done.

    The place has a hidden name of its own. What a killed process left in the folder is taken away
    first. A block that leaves nothing in the place makes no file.

    Raises
    ------
    FileExistsError
        If something is there already, and it is not to be replaced.
    OSError
        If it cannot be written.
    """
    clear(path.parent)
    if not replace and os.path.lexists(path):
        raise FileExistsError(path)
    part = path.with_name(f".{path.name}.{secrets.token_hex(4)}.annotator.part")
    with _folder_locked(path.parent, alone=False):
        made = None
        try:
            yield part
            if part.exists():
                made = part.stat().st_ino
                _name(part, path, replace=replace)
                sync(path.parent)
        finally:
            if made is not None and _number(path) == made:
                outcome.note(path)
            for side in ("", *SIDES):
                part.with_name(part.name + side).unlink(missing_ok=True)


@contextmanager
def becoming(
    path: Path, *, force: bool = False, otherwise: str = "--force replaces it"
) -> Iterator[Path]:
    """The same with a sentence where it fails; ``otherwise``: what to do if something is there.

    Raises
    ------
    UsageError
        If something is there already and ``force`` is not set, or it cannot be written.
    """
    if not path.parent.is_dir():
        raise UsageError(f"{path}: there is no folder {path.parent}")
    if force and os.path.lexists(path) and not path.is_file():
        raise UsageError(f"{path}: is no file that could be replaced")
    try:
        with as_a_whole(path, replace=force) as part:
            yield part
    except FileExistsError:
        raise UsageError(f"{path}: is there already and was left as it is; {otherwise}") from None
    except OSError as error:
        if isinstance(error, BrokenPipeError):
            raise
        raise UsageError(f"{path}: cannot be written: {error.strerror}") from error


def write_lines(path: Path, lines: Iterable[str], *, force: bool = False) -> int:
    """Write lines of UTF-8; how many.

    Raises
    ------
    UsageError
        As :func:`becoming` does; or if a database is there, or the file is a part of one.
    """
    if force:
        _check_is_no_database(path)
    count = 0
    with becoming(path, force=force) as part, part.open("x", encoding="utf-8", newline="\n") as out:
        for line in lines:
            out.write(f"{line}\n")
            count += 1
        out.flush()
        os.fsync(out.fileno())
    return count


def _check_is_no_database(path: Path) -> None:
    """Refuse to put a text in the place of a project, of a backup, or of what SQLite keeps."""
    for side in ("", *SIDES):
        one = Path(str(path).removesuffix(side))
        with suppress(OSError), one.open("rb") as file:
            if file.read(len(_DATABASE)) == _DATABASE:
                raise UsageError(
                    f"{path}: is a database, or belongs to one, such as a project and its backups; "
                    "it is never replaced by a text: name another file"
                )


def is_place(path: Path) -> bool:
    """Whether a file is one that is being written, and has another name when it is whole."""
    return _PART.fullmatch(path.name) is not None


def clear(folder: Path) -> None:
    """Take away what processes that no longer run have begun to write in a folder.

    Whoever writes there holds a lock on the folder, which ends with the process, in another
    container too: where anybody does, all is left for the next time.
    """
    with suppress(OSError), _folder_locked(folder, alone=True) as is_mine:
        for one in folder.iterdir() if is_mine else ():
            if is_place(one):
                with suppress(OSError):
                    one.unlink()


@contextmanager
def _folder_locked(folder: Path, *, alone: bool) -> Iterator[bool]:
    """Hold a lock on a folder, with all who write there or ``alone``; whether it is held.

    Where a file system has no such locks there is none, and nobody is ever alone.
    """
    if os.name != "posix":
        yield alone  # nobody can delete there what another process has open
        return
    import fcntl

    try:
        opened = os.open(folder, os.O_RDONLY)
    except OSError:  # it may be written to and not be read
        yield False
        return
    try:
        try:
            fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB if alone else fcntl.LOCK_SH)
        except OSError:
            yield False
        else:
            yield True
    finally:
        os.close(opened)


def _number(path: Path) -> int | None:
    with suppress(OSError):
        return path.stat().st_ino
    return None


def _name(part: Path, path: Path, *, replace: bool) -> None:
    """Give a file its name; without ``replace`` none that was made meanwhile is lost."""
    if not replace:
        try:
            os.link(part, path)
        except FileExistsError:
            raise
        except OSError:  # the file system has no links
            if os.path.lexists(path):
                raise FileExistsError(path) from None
        else:
            part.unlink()
            return
    part.replace(path)


def sync(folder: Path) -> None:
    """See to it that names outlive a crash of the machine, where folders can be synced."""
    if os.name == "posix":
        opened = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(opened)
        finally:
            os.close(opened)
