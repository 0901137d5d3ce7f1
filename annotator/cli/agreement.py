"""``annotator agreement``: how far assessors agree."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from annotator.cli import output
from annotator.cli.options import FILE_OPTIONS, Command, format_option, grades_option
from annotator.cli.results import method_option, result
from annotator.cli.run_files import FILE, hints_from
from annotator.report.agreement import agreement
from annotator.report.tables import Format
from rubric.evaluation.measure import HIGHEST


def _file_options(command: Command) -> Command:
    for option in reversed((*FILE_OPTIONS, grades_option)):
        command = option(command)
    return command


@click.command("agreement")
@click.option(
    "--qrels", "files", type=FILE, multiple=True, metavar="FILE",
    help="Compare the assessors of these qrels (repeat it). An assessor is a name in a file's "
    "column of assessors, else the file.",
)  # fmt: skip
@click.argument("more", nargs=-1, type=FILE, metavar="")
@click.option("--rubric", metavar="NAME|FILE", help="What the grades of the files mean.")
@_file_options
@click.option(
    "--threshold", type=click.IntRange(1, HIGHEST), metavar="GRADE",
    help="The least grade that counts as relevant. [default: the rubric's]",
)  # fmt: skip
@click.option("--seed", default=0, show_default=True, help="Of the intervals.")
@method_option
@format_option()
def command(
    files: Sequence[Path],
    more: Sequence[Path],
    rubric: str | None,
    threshold: int | None,
    seed: int,
    method_file: Path | None,
    form: Format,
    **typed: Any,
) -> None:
    """How far assessors agree, and who is stricter.

    For every two assessors and all together, on the pairs that both graded: equal grades, grades
    at most one apart, kappa, alpha, and whose grades are higher, each with a 95% interval over
    queries. None of them is a mark that one passes.

    \b
    Examples:
      annotator agreement --qrels ann.qrels ben.qrels
      annotator agreement --qrels ratings.csv --columns assessor=rater --threshold 2
    """
    from annotator import rubric_files
    from annotator.actions.files.agreement import agreement_of_files

    chosen = None if rubric is None else rubric_files.load(rubric)
    table = agreement_of_files(
        [*files, *more], chosen, hints_from(typed), threshold=threshold, seed=seed
    )
    result(agreement(table, form, width=output.width()), table, method_file)
