"""``annotator plan``: how far it is to what one wants to know."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from annotator.actions.plans import plan
from annotator.cli import completion, output
from annotator.cli.grade import assessor_option
from annotator.cli.judging_order import chosen_measure, measure_option
from annotator.cli.options import format_option, opened, project_option
from annotator.report.plan_text import write_plan
from annotator.report.tables import Format


@click.command("plan")
@project_option
@click.argument("systems", nargs=-1, metavar="[A B]", shell_complete=completion.systems)
@click.option(
    "-k", "cutoff", default=10, show_default=True, type=click.IntRange(1, 10_000),
    help="Depth of full coverage.",
)  # fmt: skip
@measure_option
@assessor_option
@format_option()
def command(
    project: Path,
    systems: Sequence[str],
    cutoff: int,
    measure: str | None,
    assessor: str,
    form: Format,
) -> None:
    """Say how many labels and hours each goal is likely to take from here.

    The labels to full coverage at depth k are counted. Those to a verdict are estimated: on two
    systems that you name as `compare` does it, on the best system by drawing likely grades from the
    grade model. Hours are at your own pace.

    \b
    Examples:
      annotator plan
      annotator plan bm25 dense -m P@5
    """
    with opened(project) as opened_project:
        chosen = chosen_measure(measure)
        made = plan(opened_project, systems, assessor=assessor, k=cutoff, measure=chosen)
    output.data(write_plan(made, form, width=output.width()))
