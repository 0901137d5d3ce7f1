"""``annotator status``: what is judged and what is missing."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from annotator.actions.status import status
from annotator.cli import output
from annotator.cli.options import command_line, format_option, next_steps, opened, project_option
from annotator.report.coverage import coverage
from annotator.report.tables import Format
from annotator.scoring.coverage import Coverage


@click.command("status")
@project_option
@click.option(
    "-k", "cutoffs", multiple=True, default=(3, 10), show_default=True,
    type=click.IntRange(1, 10_000), help="Cutoffs of judged@k (repeat it).",
)  # fmt: skip
@click.option("--per-query", is_flag=True, help="Also every query.")
@format_option()
def command(project: Path, cutoffs: Sequence[int], per_query: bool, form: Format) -> None:
    """Show what is judged and what is missing.

    Judged@k is the share of a system's first k documents that somebody has judged.
    """
    with opened(project) as opened_project:
        found = status(opened_project, cutoffs)
    output.data(coverage(found, form, per_query=per_query))
    tell_missing(project, found)


def tell_missing(path: Path, found: Coverage) -> None:
    """Say what to do about what is missing."""
    if not found.systems:
        output.note(next_steps(path, ("import run FILE...", "one file a system")))
    elif not found.total.pooled:
        output.note(next_steps(path, ("pool", "choose the documents to judge")))
    if found.without_text:
        output.note(
            f"{found.without_text:,} pooled documents have no text to be judged by: "
            + command_line(path, "import documents FILE...")
        )
