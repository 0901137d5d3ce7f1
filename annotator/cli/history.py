"""``annotator history``: the judgment log."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import click

from annotator.actions.history import Entry, heads, history
from annotator.cli import completion, output
from annotator.cli.options import format_option, instant_option, opened, project_option
from annotator.report.tables import Cell, Format, render


@click.command("history")
@project_option
@click.option(
    "--query", metavar="ID", shell_complete=completion.queries, help="Only of this query."
)
@click.option("--document", metavar="ID", help="Only of this document.")
@click.option(
    "--assessor", metavar="NAME", shell_complete=completion.assessors, help="Only of this assessor."
)
@instant_option("--since", "Only from then on (UTC): a date, or a date and time.", whole_day=False)
@instant_option(
    "--until", "Only up to then: a date, with all of that day, or a date and time.", whole_day=True
)
@click.option("-n", "latest", type=click.IntRange(1, 10**9), metavar="N",
              help="Only the latest N.")  # fmt: skip
@click.option("--head", is_flag=True, help="Only the heads of the log, for `doctor --head`.")
@format_option()
def command(
    project: Path,
    query: str | None,
    document: str | None,
    assessor: str | None,
    since: datetime | None,
    until: datetime | None,
    latest: int | None,
    head: bool,
    form: Format,
) -> None:
    """Show who graded what, when, under which rubric, and what it replaced.

    Nothing is ever taken out of this log: undo and regrade are entries of their own. Its
    heads, one for each assessor, kept where others cannot change them, prove later that nothing was
    changed or cut off since.
    """
    with opened(project) as opened_project:
        if head:
            output.lines(heads(opened_project))
            return
        entries = history(
            opened_project, query=query, document=document, assessor=assessor, since=since,
            until=until, latest=latest,
        )  # fmt: skip
    rows: list[list[Cell]] = [
        ["yes" if cell is True else "no" if cell is False else cell for cell in entry]
        for entry in entries
    ]
    output.data(render(list(Entry._fields), rows, form))
