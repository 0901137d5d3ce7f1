"""``annotator disagreement``: what disagreement does to the answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from annotator.actions.agreement import disagreement_of_project
from annotator.cli import completion, output
from annotator.cli.compare import ALL_ON
from annotator.cli.options import format_option, opened, project_option
from annotator.cli.results import method_option, result
from annotator.cli.scoring import fitting, options_from, some_score_options
from annotator.errors import UsageError
from annotator.report.disagreement_text import write_disagreement
from annotator.report.tables import Format


@click.command("disagreement")
@project_option
@click.argument("systems", nargs=-1, metavar="[SYSTEM...]", shell_complete=completion.systems)
@some_score_options(
    "measures", "gain", "threshold", "ties", "missing_queries", "assessors", "weights"
)
@click.option(
    "--seed", type=click.IntRange(0, 2**63 - 1), default=0, show_default=True,
    metavar="N", help="Starts the random draws.",
)  # fmt: skip
@method_option
@format_option()
def command(
    project: Path,
    systems: Sequence[str],
    seed: int,
    method_file: Path | None,
    form: Format,
    **typed: Any,
) -> None:
    """Show what disagreement of assessors does to the scores.

    Systems by each assessor's labels alone, by the strictest and the most generous grades, and
    whether the order of two systems holds whichever assessor is right.

    \b
    Examples:
      annotator disagreement
      annotator disagreement bm25 dense -m P@5
      annotator disagreement --assessor ann --assessor ben
    """
    options = options_from(systems=systems, **typed)
    if not typed["measures"]:
        options = replace(options, measures=(ALL_ON,))
    if len(options.measures) > 1:
        raise UsageError(f"disagreement is on one measure, not {len(options.measures)}")
    with (
        opened(project) as opened_project,
        fitting(opened_project.rubrics.active().rubric, options),
    ):
        found = disagreement_of_project(opened_project, options, seed=seed)
    result(write_disagreement(found, form, width=output.width()), found, method_file)
