"""``annotator doctor``: whether a project file is whole."""

from __future__ import annotations

from pathlib import Path

import click

from annotator.cli import output
from annotator.cli.options import format_option, opened, project_option
from annotator.errors import ExitCode
from annotator.report.tables import Format, to_json
from annotator.sanitise import one_line


@click.command("doctor")
@project_option
@format_option(Format.TABLE, Format.JSON)
def command(project: Path, form: Format) -> int:
    """Look whether a project file is whole.

    The file is only read. The exit status is 1 if something is damaged.
    """
    from annotator.store.checks import check, sqlite_version

    with opened(project) as opened_project:
        checks = check(opened_project.file)
    if form is Format.JSON:
        found = {one.name: list(one.problems) for one in checks}
        output.data(to_json({"checks": found, "sqlite": sqlite_version()}))
    else:
        for one in checks:
            output.data(f"{'ok ' if not one.problems else 'BAD'}  {one.name}")
            output.lines(f"     {one_line(problem, 200)}" for problem in one.problems)
    damaged = any(one.problems for one in checks)
    output.note(
        "something is damaged: restore a backup, and keep this file"
        if damaged
        else f"{project} is whole (SQLite {sqlite_version()})"
    )
    return ExitCode.NO if damaged else ExitCode.DONE
