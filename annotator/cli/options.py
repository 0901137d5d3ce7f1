"""The options that several commands share."""

from __future__ import annotations

import gc
import os
import re
import shlex
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, time
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any, TypeVar

import click

from annotator.cli import output
from annotator.cli.group import named_project
from annotator.errors import AnnotatorError, UsageError
from annotator.report.tables import STANDARD, Format
from annotator.text.safe import one_line

if TYPE_CHECKING:
    from annotator.store import Project

DEFAULT_PROJECT = "judgments.db"
_BACKUP = "backup"
"""The name of the thread that makes the daily backup."""
STARTING = 1_000_000
"""New objects until garbage is looked for while the app starts."""

Command = TypeVar("Command", bound=Callable[..., Any])


def _project(ctx: click.Context, _: click.Parameter, value: Path | None) -> Path:
    default = os.environ.get("ANNOTATOR_PROJECT") or DEFAULT_PROJECT
    return named_project(ctx, value) or Path(default)


project_option = click.option(
    "-p",
    "--project",
    type=click.Path(path_type=Path),
    metavar="FILE",
    callback=_project,
    help="The project file. [default: $ANNOTATOR_PROJECT, else judgments.db]",
)


FILE_OPTIONS = (
    click.option("--as", "form_name", default="", metavar="FORMAT",
                 help="Read the file as this format, whatever it looks like."),
    click.option("--encoding", default="", metavar="NAME",
                 help="The encoding of the text, such as latin-1. [default: UTF-8]"),
    click.option("--columns", default="", metavar="FIELD=HEADING,...",
                 help="Which columns (CSV, TSV) or keys (JSON lines) hold what: query, docid, "
                 "grade, assessor, at, seconds, rank, score, title, text, url, description, "
                 "narrative."),
)  # fmt: skip
"""What a person may say of a file that its content does not say."""

grades_option = click.option(
    "--grades",
    default="",
    metavar="VALUE:GRADE,...",
    help="What each grade of the qrels is in the rubric: 0:0,0.5:1,1:3.",
)


def format_option(*forms: Format) -> Callable[[Command], Command]:
    """``--format`` with these forms, the first by default; the usual where none is given."""
    forms = forms or STANDARD
    return click.option(
        "--format",
        "form",
        type=click.Choice([str(form) for form in forms]),
        default=str(forms[0]),
        show_default=True,
        callback=lambda _ctx, _param, value: Format(value),
        help="How to print the result.",
    )


def instant(name: str, typed: str, *, whole_day: bool) -> datetime:
    """A time in UTC where none is said; a date alone is its end, or its beginning.

    Raises
    ------
    UsageError
        If it is neither a date nor a date and time.
    """
    try:
        moment = datetime.fromisoformat(typed)
    except ValueError:
        raise UsageError(
            f"{name}: {one_line(typed)} is no date such as 2026-03-01 or 2026-03-01T14:30"
        ) from None
    if whole_day and re.fullmatch(r"[\dW-]+", typed):
        moment = datetime.combine(moment, time.max)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def instant_option(name: str, says: str, *, whole_day: bool) -> Callable[[Command], Command]:
    """Add an option that takes such a time."""

    def read(_ctx: click.Context, _param: click.Parameter, typed: str | None) -> datetime | None:
        return None if typed is None else instant(name, typed, whole_day=whole_day)

    return click.option(name, metavar="DATE", callback=read, help=says)


def as_of_option(says: str) -> Callable[[Command], Command]:
    """``--as-of``: a moment in the past, or the end of a day."""
    return instant_option("--as-of", says, whole_day=True)


@contextmanager
def opened(path: Path) -> Iterator[Project]:
    """Open a project and close it in the end.

    Raises
    ------
    ProjectError
        As :meth:`Project.open` does, and where what is done with a damaged project fails.
    """
    from annotator.store import Project  # SQLite takes longer to load than all the rest
    from annotator.store.sqlite.location import network_file_system

    project = Project.open(path, tell=output.note)
    if kind := network_file_system(path):
        output.note(
            f"{path} is on a network file system ({kind}), where two programs can damage it and a "
            "crash can lose grades: keep it on a local disk"
        )
    try:
        yield project
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        from annotator.store.checks import damage
        from annotator.store.sqlite.errors import damaged

        if found := damage(project.file):
            raise damaged(path, found) from error
        raise
    finally:
        project.close()


def back_up(path: Path) -> None:
    """Make the daily backup of a project that is about to be written to, if there is none yet."""
    from annotator.actions.backups import back_up_daily

    back_up_daily(path, backups_kept())


def backups_kept() -> int:
    """How many daily backups the person wants: by the environment, the settings, or as usual.

    Raises
    ------
    UsageError
        If the environment names no such number.
    """
    from annotator.actions.backups import KEPT
    from annotator.settings import read_settings, settings_path

    wanted = _backups_in_environment()
    if wanted is None:
        with suppress(AnnotatorError):  # the screens tell of it
            wanted = read_settings(settings_path()).backups
    return KEPT if wanted is None else wanted


def _backups_in_environment() -> int | None:
    said = os.environ.get("ANNOTATOR_BACKUPS", "")
    if said and not re.fullmatch("[0-9]{1,4}", said):
        raise UsageError(
            f"ANNOTATOR_BACKUPS is {one_line(said, 40)}: it takes how many daily backups are kept, "
            "0 to 9999"
        )
    return int(said) if said else None


def start_quickly(path: Path) -> Callable[[], None]:
    """Leave what can wait until the first document is on screen; to be called then.

    What a start makes stays: to look for garbage in it takes a twentieth of it.

    Raises
    ------
    UsageError
        As :func:`backups_kept` does.
    """
    _backups_in_environment()  # report a bad value before the screens open
    usual = gc.get_threshold()
    gc.set_threshold(STARTING)

    def started() -> None:
        gc.freeze()
        gc.set_threshold(*usual)
        back_up_in_background(path)

    return started


def back_up_in_background(path: Path) -> None:
    """The same while the screens open, which do not wait for it."""
    Thread(target=back_up, args=(path,), name=_BACKUP).start()


def wait_for_backup() -> None:
    """Let a backup end that was begun in the background: at the exit it could import nothing."""
    for thread in threading.enumerate():
        if thread.name == _BACKUP:
            thread.join()


def command_line(path: Path, *words: str) -> str:
    """A command on this project as one would type it."""
    default = os.environ.get("ANNOTATOR_PROJECT") or DEFAULT_PROJECT
    which = [] if path == Path(default) else ["-p", str(path)]
    return " ".join([shlex.join(["annotator", *which]), *words])


def next_steps(path: Path, *steps: tuple[str, str]) -> str:
    """What to type next: commands and what each does, aligned."""
    commands = [command_line(path, step) for step, _ in steps]
    longest = max(map(len, commands))
    said = [
        f"{command.ljust(longest)}  {what}".rstrip()
        for command, (_, what) in zip(commands, steps, strict=True)
    ]
    return "next: " + "\n      ".join(said)
