"""``annotator score``: the scoreboard."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from annotator.cli import output
from annotator.cli.options import format_option, opened, project_option
from annotator.cli.scoring import options_from, score_options, scored
from annotator.report.scoreboard import scoreboard
from annotator.report.tables import Format


@click.command("score")
@project_option
@score_options
@click.option("--per-query", is_flag=True, help="Also every query of every system.")
@format_option()
def command(project: Path, per_query: bool, form: Format, **typed: Any) -> None:
    r"""Score the systems on the labels there are.

    A score that an unjudged document could change is not shown as one: it has its exact bounds,
    an estimate that is marked ~, and what trec_eval would print.

    \b
    Examples:
      annotator score
      annotator score -m nDCG@10,P@5 -m "nDCG@10(gain=linear)"
      annotator score --format json --per-query > scores.json
    """
    options = options_from(**typed)
    with opened(project) as opened_project:
        table = scored(opened_project, options)
    output.data(scoreboard(table, form, per_query=per_query, width=output.width()))
