"""``annotator score``: the scoreboard."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from annotator.cli import output
from annotator.cli.options import format_option, opened, project_option
from annotator.cli.scoring import options_from, score_options, scored
from annotator.errors import UsageError
from annotator.report.distribution import Bars
from annotator.report.scoreboard import scoreboard
from annotator.report.tables import Format


@click.command("score")
@project_option
@score_options
@click.option("--per-query", is_flag=True, help="Also every query of every system.")
@click.option("--histogram", is_flag=True, help="Also how the scores of the queries are spread.")
@format_option()
def command(project: Path, per_query: bool, histogram: bool, form: Format, **typed: Any) -> None:
    r"""Score the systems on the labels there are.

    A score that an unjudged document could change is not shown as one: it has its exact bounds,
    an estimate that is marked ~, and what trec_eval would print.

    \b
    Examples:
      annotator score
      annotator score -m nDCG@10,P@5 -m "nDCG@10(gain=linear)"
      annotator score -m nDCG@10 --histogram
      annotator score --format json --per-query > scores.json
    """
    options = options_from(**typed)
    if histogram and form not in (Format.TABLE, Format.MARKDOWN):
        raise UsageError(f"--histogram is for people; {form} has p10, p25, median and p75")
    bars = (Bars.BLOCKS if output.shows_blocks() else Bars.PLAIN) if histogram else Bars.NONE
    with opened(project) as opened_project:
        table = scored(opened_project, options)
    output.data(scoreboard(table, form, per_query=per_query, bars=bars, width=output.width()))
