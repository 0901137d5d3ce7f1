"""``annotator companions``: near-duplicates and catalog coverage."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from annotator.actions.companions import find_companions
from annotator.cli import output
from annotator.cli.options import format_option, opened, project_option
from annotator.cli.results import method_option, result
from annotator.cli.scoring import some_score_options
from annotator.report.companions import companions
from annotator.report.tables import Format
from rubric.measures import DEEPEST


@click.command("companions")
@project_option
@click.option(
    "-k", "cutoffs", multiple=True, default=(10,), show_default=True,
    type=click.IntRange(1, DEEPEST), help="How far down to look (repeat it).",
)  # fmt: skip
@some_score_options("systems")
@method_option
@format_option()
def command(
    project: Path,
    cutoffs: Sequence[int],
    systems: Sequence[str],
    method_file: Path | None,
    form: Format,
) -> None:
    """Near-duplicates in the top k, and catalog coverage.

    A relevance measure pays for the same passage twice, and does not see that a system shows
    everyone the same few documents. Texts are compared as far as the project holds them; the
    catalog is every document that any imported file named and the project kept.
    """
    with opened(project) as opened_project:
        table = find_companions(opened_project, cutoffs, tuple(dict.fromkeys(systems)) or None)
    result(companions(table, form, width=output.width()), table, method_file)
