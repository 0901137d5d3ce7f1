"""``annotator ceiling``: what retrieval lost, and what ranking lost."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import click

from annotator.actions.comparisons import find_ceilings
from annotator.cli import completion, output
from annotator.cli.options import format_option, opened, project_option
from annotator.cli.results import method_option, result
from annotator.cli.run_files import RunFiles, hints_from, run_file_options
from annotator.cli.scoring import fitting, options_from, some_score_options
from annotator.report.ceiling_text import write_ceiling
from annotator.report.tables import Format
from rubric.evaluation.measure import DEEPEST


@click.command("ceiling")
@project_option
@run_file_options
@click.argument("systems", nargs=-1, metavar="[SYSTEM...]", shell_complete=completion.systems)
@click.option("-n", "depth", type=click.IntRange(1, DEEPEST), default=100, show_default=True,
              metavar="N", help="How many candidates could be reranked.")  # fmt: skip
@some_score_options("measures", "gain", "ties", "missing_queries", "assessors", "weights")
@method_option
@format_option()
def command(
    project: Path,
    qrels: Path | None,
    runs: Sequence[Path],
    rubric: str | None,
    systems: Sequence[str],
    depth: int,
    method_file: Path | None,
    form: Format,
    **typed: Any,
) -> None:
    """Show how much retrieval lost, and how much the ranking.

    The ceiling is the best nDCG that reordering a system's first N documents could reach. What is
    missing up to it the ranking put low; what is missing beyond it retrieval never found.

    With --qrels you look at run files, without a project.

    \b
    Examples:
      annotator ceiling bm25 dense -n 50
      annotator ceiling --qrels labels.qrels --run bm25.run dense.run -m nDCG@3,nDCG@10
    """
    hints = hints_from(typed)
    files = [*runs, *([] if qrels is None else map(Path, systems))]
    given = RunFiles.of(qrels, files, rubric, hints)
    if given is not None:
        from annotator.actions.files.tables import ceiling_files

        table = given.make(partial(ceiling_files, n=depth), options_from(**typed))
    else:
        options = options_from(systems=systems, **typed)
        with (
            opened(project) as opened_project,
            fitting(opened_project.rubrics.active().rubric, options),
        ):
            table = find_ceilings(opened_project, options, depth)
    result(write_ceiling(table, form, width=output.width()), table, method_file)
