"""Backups that are made by themselves, and going back to one."""

from __future__ import annotations

import os
import re
import shutil
import time
from collections.abc import Callable
from contextlib import closing
from itertools import count
from pathlib import Path

from annotator import outcome
from annotator.atomic_write import SIDES, becoming, clear, sync
from annotator.errors import AnnotatorError, ProjectError, UsageError
from annotator.store import Project, ProjectFile
from annotator.store.checks import broken, damage
from annotator.store.identity import identity_at, identity_in_wreck
from annotator.store.project import utc_now
from annotator.store.sqlite.connection import as_private_as, settle

KEPT = 3
"""Daily backups that stay, unless somebody wants more or fewer."""

_DAY = 86_400.0  # seconds

_MADE = r"\.(?:(?P<daily>\d{4}-\d\d-\d\d(?:-\d+)?\.daily)|\d{8}T\d{6}Z)\.backup"
"""What the name of a backup that this program names has between those of its project."""


def backups_of(path: Path) -> list[Path]:
    """Every backup of a project that lies beside it, oldest first, those of its own name last.

    A backup is known by the project that is in it, and where that of a damaged file cannot be
    read, by its whole name. Nobody here may have the project open.
    """
    identity = identity_in_wreck(path)
    beside = [one for one in _beside(path) if ".backup" in one.name and one.name != path.name]
    if identity:
        found = [one for one in beside if identity_at(one) == identity]
    else:
        found = [one for one in beside if _named_after(path, one)]
    return sorted(found, key=lambda one: (bool(_named_after(path, one)), one.stat().st_mtime))


def _beside(path: Path) -> list[Path]:
    return [one for one in path.absolute().parent.iterdir() if one.is_file()]


def _named_after(path: Path, backup: Path) -> re.Match[str] | None:
    """Whether this program would give a backup of the project such a name."""
    return re.fullmatch(re.escape(path.stem) + _MADE + re.escape(path.suffix), backup.name)


def _dailies(path: Path, identity: bytes) -> list[Path]:
    """The daily backups of a project, oldest first: by their names, and by what is in them.

    A copy under another name, which is the same project, has its own.
    """
    named = [one for one in _beside(path) if (made := _named_after(path, one)) and made["daily"]]
    found = [one for one in named if identity and identity_at(one) == identity]
    return sorted(found, key=lambda one: one.stat().st_mtime)


def back_up_daily(path: Path, keep: int) -> Path | None:
    """Copy a project beside it, once a day where it changed; the copy, if one was made.

    An older copy is deleted only when the new one is on the disk and found whole. Where no copy
    can be made (a folder that cannot be written, a full disk) there is none.
    """
    if keep < 1 or ".backup" in path.name:
        return None
    clear(path.absolute().parent)
    try:
        with outcome.forgotten():  # the command is there for something else
            return _back_up(path, keep)
    except (AnnotatorError, OSError):
        return None


def why_no_daily(path: Path, keep: int) -> str:
    """Why no daily backup can be made of a project; empty if one can."""
    folder = path.absolute().parent
    if keep < 1:
        return "they are switched off"
    if not os.access(folder, os.W_OK):
        return f"the folder {folder} cannot be written"
    if shutil.disk_usage(folder).free < path.stat().st_size:
        return "the disk has no room for one"
    return ""


def _back_up(path: Path, keep: int) -> Path | None:
    daily = _dailies(path, identity_at(path))
    newest = daily[-1].stat().st_mtime if daily else 0.0
    if path.stat().st_mtime <= newest < time.time() + _DAY:  # later: the clock was set back
        return None
    project = Project.open(path)
    try:
        if not project.judgments.last_event():
            return None
        today = project.clock().strftime("%Y-%m-%d")
        target = _daily(path, today)
        for at in count(2):
            if target in daily:
                return None
            if not target.exists():
                break
            target = _daily(path, f"{today}-{at}")  # the place is another project's
        with becoming(target) as part:
            project.file.copy_to(part, target, gently=True)
            _check_whole(part, path, broken)
    finally:
        project.close()
    for old in [*daily, target][:-keep]:
        old.unlink(missing_ok=True)
    return target


def _daily(path: Path, day: str) -> Path:
    return path.absolute().with_name(f"{path.stem}.{day}.daily.backup{path.suffix}")


def _check_whole(copy: Path, path: Path, look: Callable[[ProjectFile], str]) -> None:
    """Refuse a copy of a file that is damaged; one that is not is on the disk afterwards.

    It has the schema of this release then.
    """
    with closing(ProjectFile.open(copy)) as file:
        if found := look(file):
            raise ProjectError(f"{path}: not whole: {found}")
    with copy.open("rb+") as written:
        os.fsync(written.fileno())


def restore(path: Path, backup: Path, *, of_another: bool = False) -> Path | None:
    """Put a copy of a backup in the place of a project; where the project that was there is now.

    Only with ``of_another`` may it be a backup of another project.

    Raises
    ------
    ProjectError
        If the backup is missing or not whole; nothing is changed then.
    UsageError
        If it is the project itself or of another one, or its place cannot be written to.
    """
    if path.exists() and backup.exists() and backup.samefile(path):
        raise UsageError(f"{backup}: is the project itself")
    if path.is_symlink():
        path = path.resolve()
    if not of_another and path.is_file():
        _check_identity(path, backup)
    aside = _aside(path, utc_now().strftime("%Y%m%dT%H%M%S%fZ"))
    with (
        closing(ProjectFile.open(backup, as_it_is=True)) as source,
        becoming(path, force=True) as part,
    ):
        source.copy_to(part, path)
        _check_whole(part, backup, damage)
        if path.exists():
            as_private_as(path, part)
        kept = _keep(path, aside)
    return aside if kept else None


def _check_identity(path: Path, backup: Path) -> None:
    """Refuse a backup of another project, as far as it can be read which they are of."""
    one, other = identity_in_wreck(path), identity_at(backup)
    if one and other and one != other:
        raise UsageError(
            f"{backup}: is of another project than {path}; nothing was changed; give another "
            "file, or put it there all the same with --another-project"
        )


def _keep(path: Path, aside: Path) -> bool:
    """Keep a project under another name, so that at no moment there is none under its own.

    What lies beside it belongs to the file that was there, and must not meet another one. Nor may
    a crash here part that file from a journal that it needs: so it is settled first.
    """
    if path.exists():
        settle(path)
    there = [side for side in ("", *SIDES) if path.with_name(path.name + side).exists()]
    for side in there:
        one, other = path.with_name(path.name + side), aside.with_name(aside.name + side)
        try:
            os.link(one, other)
        except OSError:  # the file system has no links
            one.rename(other)
    sync(path.parent)  # before the name gets another file
    for side in SIDES:
        path.with_name(path.name + side).unlink(missing_ok=True)
    return "" in there


def _aside(path: Path, moment: str) -> Path:
    return path.with_name(f"{path.stem}.{moment}.replaced{path.suffix}")
