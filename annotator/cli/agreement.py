"""``annotator agreement``: how far assessors agree."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from annotator.actions.agreement import agreement_of_project
from annotator.actions.model_audits import audit_models
from annotator.cli import completion, output
from annotator.cli.options import (
    FILE_OPTIONS,
    Command,
    as_of_option,
    format_option,
    grades_option,
    opened,
    project_option,
)
from annotator.cli.results import method_option, result
from annotator.cli.run_files import FILE, hints_from
from annotator.errors import UsageError
from annotator.report.agreement_text import write_agreement
from annotator.report.model_audit_text import write_audit
from annotator.report.tables import Format
from rubric.evaluation.measure import HIGHEST

if TYPE_CHECKING:
    from annotator.formats import Hints
    from annotator.results.agreement import AgreementTable


def _file_options(command: Command) -> Command:
    for option in reversed((*FILE_OPTIONS, grades_option)):
        command = option(command)
    return command


@click.command("agreement")
@project_option
@click.option(
    "--qrels", "files", type=FILE, multiple=True, metavar="FILE",
    help="Without a project: the assessors of these qrels (repeat it). An assessor is a name in a "
    "file's column of assessors, else the file.",
)  # fmt: skip
@click.argument("more", nargs=-1, type=FILE, metavar="")
@click.option(
    "--rubric",
    metavar="NAME|FILE",
    shell_complete=completion.presets,
    help="With --qrels: what the grades mean.",
)
@click.option(
    "--assessor",
    "assessors",
    multiple=True,
    metavar="NAME",
    shell_complete=completion.assessors,
    help="Only these assessors of the project (repeat it).",
)
@click.option(
    "--models", is_flag=True,
    help="How far the language models agree with people, and what they miss. --assessor names "
    "models then.",
)  # fmt: skip
@as_of_option("With the labels and the rubric as they were then (UTC).")
@_file_options
@click.option(
    "--threshold", type=click.IntRange(1, HIGHEST), metavar="GRADE",
    help="The least grade that counts as relevant. [default: the rubric's]",
)  # fmt: skip
@click.option(
    "--seed", type=click.IntRange(0, 2**63 - 1), default=0, show_default=True,
    metavar="N", help="Starts the random draws of the intervals.",
)  # fmt: skip
@method_option
@format_option()
def command(
    project: Path,
    files: Sequence[Path],
    more: Sequence[Path],
    rubric: str | None,
    assessors: Sequence[str],
    models: bool,
    as_of: datetime | None,
    threshold: int | None,
    seed: int,
    method_file: Path | None,
    form: Format,
    **typed: Any,
) -> None:
    """Show how far assessors agree, and who is stricter.

    For every two assessors and all together, on the pairs that both graded: equal grades, grades
    at most one apart, kappa, alpha, and whose grades are higher, each with a 95% interval over
    queries. None of these values is a pass mark.

    \b
    Examples:
      annotator agreement --assessor ann --assessor ben
      annotator agreement --models
      annotator agreement --qrels ann.qrels ben.qrels
      annotator agreement --qrels ratings.csv --columns assessor=rater --threshold 2
    """
    paths, hints = [*files, *more], hints_from(typed)
    if models:
        if paths or rubric or hints or as_of:
            raise UsageError("--models is of a project as it is now, without files or --as-of")
        with opened(project) as opened_project:
            audit = audit_models(opened_project, assessors, threshold=threshold, seed=seed)
        result(write_audit(audit, form, width=output.width()), audit, method_file)
        return
    if paths:
        if assessors or as_of:
            raise UsageError("--assessor and --as-of choose from a project; files have neither")
        table = _of_files(paths, rubric, hints, threshold, seed)
    else:
        if rubric or hints:
            raise UsageError("--rubric, and options on how to read files, go with --qrels FILE")
        with opened(project) as opened_project:
            table = agreement_of_project(
                opened_project, assessors, as_of, threshold=threshold, seed=seed
            )
    result(write_agreement(table, form, width=output.width()), table, method_file)


def _of_files(
    paths: Sequence[Path], rubric: str | None, hints: Hints | None, threshold: int | None, seed: int
) -> AgreementTable:
    from annotator import rubric_files
    from annotator.actions.files.agreement import agreement_of_files

    chosen = None if rubric is None else rubric_files.load(rubric)
    return agreement_of_files(paths, chosen, hints, threshold=threshold, seed=seed)
