"""Backups that are made by themselves, and going back to one."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from annotator.errors import AnnotatorError, ProjectError, UsageError
from annotator.files import SIDES, becoming, clear, sync
from annotator.store import Project, ProjectFile
from annotator.store.checks import broken, damage
from annotator.store.connecting import as_private_as, settle
from annotator.store.project import utc_now

KEPT = 3
"""Daily backups that stay, unless the settings say otherwise."""

_DAY = 86_400.0  # seconds

_DAILY = ".daily.backup"


def kept(settings: int | None = None) -> int:
    """How many daily backups to keep: by $ANNOTATOR_BACKUPS, else by the settings, else three."""
    said = os.environ.get("ANNOTATOR_BACKUPS", "")
    if said.isdecimal():
        return int(said)
    return KEPT if settings is None else settings


def backups_of(path: Path) -> list[Path]:
    """Every backup beside a project, oldest first."""
    found = [
        one for one in path.absolute().parent.iterdir() if one.name.startswith(f"{path.stem}.")
    ]
    found = [one for one in found if ".backup" in one.name and one.name != path.name]
    return sorted((one for one in found if one.is_file()), key=lambda one: one.stat().st_mtime)


def back_up_daily(path: Path, keep: int) -> Path | None:
    """Copy a project beside it, once a day where it changed; the copy, if one was made.

    An older copy is deleted only when the new one is on the disk and found whole. Where no copy
    can be made (a folder that cannot be written, a full disk) there is none.
    """
    if keep < 1 or ".backup" in path.name:
        return None
    clear(path.absolute().parent)
    try:
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
    daily = [one for one in backups_of(path) if _DAILY in one.name]
    newest = daily[-1].stat().st_mtime if daily else 0.0
    if path.stat().st_mtime <= newest < time.time() + _DAY:  # later: the clock was set back
        return None
    project = Project.open(path)
    try:
        if not project.judgments.last_event():
            return None
        today = project.clock().strftime("%Y-%m-%d")
        target = path.with_name(f"{path.stem}.{today}{_DAILY}{path.suffix}")
        if target.exists():
            return None
        with becoming(target) as part:
            project.file.copy_to(part, target, gently=True)
            _check_whole(part, path, broken)
    finally:
        project.close()
    for old in [*daily, target][:-keep]:
        old.unlink(missing_ok=True)
    return target


def _check_whole(copy: Path, path: Path, look: Callable[[ProjectFile], str]) -> None:
    """Refuse a copy of a file that is damaged; one that is not is on the disk afterwards.

    It has the schema of this release then.
    """
    with closing(ProjectFile.open(copy)) as file:
        if found := look(file):
            raise ProjectError(f"{path}: not whole: {found}")
    with copy.open("rb+") as written:
        os.fsync(written.fileno())


def restore(path: Path, backup: Path) -> Path | None:
    """Put a copy of a backup in the place of a project; where the project that was there is now.

    Raises
    ------
    ProjectError
        If the backup is missing or not whole; nothing is changed then.
    UsageError
        If it is the project itself, or its place cannot be written to.
    """
    if path.exists() and backup.exists() and backup.samefile(path):
        raise UsageError(f"{backup}: is the project itself")
    if path.is_symlink():
        path = path.resolve()
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
