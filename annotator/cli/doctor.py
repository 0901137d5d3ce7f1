"""``annotator doctor``: whether a project file is whole, and saving what is left of one."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import click

from annotator.actions.backups import backups_of, why_no_daily
from annotator.cli import output
from annotator.cli.options import (
    backups_kept,
    command_line,
    format_option,
    opened,
    project_option,
)
from annotator.errors import DamagedError, ExitCode, ProjectError, UsageError
from annotator.report.tables import Format, to_json
from annotator.text.safe import one_line

TWINS_SHOWN = 20


@click.command("doctor")
@project_option
@click.option("--rescue", type=click.Path(path_type=Path), metavar="NEW",
              help="Make a new project of what can still be read of this one.")  # fmt: skip
@click.option(
    "--head", metavar="HEADS", help="Check that the log still holds all up to these heads."
)
@format_option(Format.TABLE, Format.JSON)
def command(project: Path, rescue: Path | None, head: str | None, form: Format) -> int:
    """Check a project file, or save what is left of a damaged one.

    The file is only read. The exit status is 1 if something is damaged. Heads that were kept
    elsewhere (`annotator history --head` prints them) show with --head whether anything up to them
    was changed or cut off since.
    """
    if rescue is not None:
        return _rescue(project, rescue)
    try:
        return _look(project, head, form)
    except DamagedError:
        _advise(project, "if this was a project it is damaged")
        raise


def _look(project: Path, head: str | None, form: Format) -> int:
    from annotator.store.checks import check, check_heads, sqlite_version

    with opened(project) as opened_project:
        checks = check(opened_project.file)
        damaged = any(one.problems for one in checks)
        twins = [] if damaged else opened_project.documents.twins_told_apart()
        if head is not None:
            checks.append(check_heads(opened_project.file, _heads(head)))
    damaged = any(one.problems for one in checks)
    if form is Format.JSON:
        found = {one.name: list(one.problems) for one in checks}
        output.data(to_json({"checks": found, "sqlite": sqlite_version()}))
    else:
        for one in checks:
            output.data(f"{'ok ' if not one.problems else 'BAD'}  {one.name}")
            output.lines(f"     {one_line(problem, 200)}" for problem in one.problems)
    if damaged:
        _advise(project)
        return ExitCode.NO
    kept = ", ".join(one.name for one in backups_of(project)) or "none"
    for qid, docids in twins[:TWINS_SHOWN]:
        output.note(
            f"query {one_line(qid, 40)}: one text has different grades as "
            f"{one_line(', '.join(docids), 100)}"
        )
    if twins[TWINS_SHOWN:]:
        output.note(f"… and {len(twins) - TWINS_SHOWN:,} more such texts")
    output.note(f"{project} is whole (SQLite {sqlite_version()}); backups beside it: {kept}")
    if why := why_no_daily(project, backups_kept()):
        output.note(f"no daily backups are made of it: {one_line(why)}")
    return ExitCode.DONE


def _heads(text: str) -> list[str]:
    """The heads in what `annotator history --head` printed."""
    given = [re.match(r"[0-9]{1,18}:([0-9a-fA-F]{64})(\s|$)", line) for line in text.splitlines()]
    if not given or not all(given):
        raise UsageError('--head: give it as `annotator history --head` prints it: "N:HEAD NAME"')
    return [one[1].lower() for one in given if one]


def _advise(project: Path, said: str = "something is damaged") -> None:
    output.note(f"{said}; keep this file as it is, and")
    _advise_backup(project)
    output.note(f"  save what can be read: {command_line(project, 'doctor --rescue NEW.db')}")


def _advise_backup(project: Path) -> None:
    if kept := backups_of(project):
        again = command_line(project, "restore", shlex.quote(one_line(str(kept[-1]))))
        output.note(f"  go back to the newest backup: {again}")


def _rescue(project: Path, target: Path) -> int:
    from annotator.rubric_files import presets
    from annotator.store.recovery.rescue import rescue

    try:
        done = rescue(project, target, presets().values())
    except ProjectError:
        if not target.exists():
            _advise_backup(project)
        raise
    output.data(f"made {target} of what can be read of {project}:")
    output.lines(f"  {count:,} {table}" for table, count in done.counts.items())
    for sentence in done.lost:
        output.note(f"lost: {one_line(sentence, 500)}")
    return ExitCode.NO if done.lost else ExitCode.DONE
