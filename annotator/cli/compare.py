"""``annotator compare``: which of two systems is better, and what is proved."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from annotator.actions.comparing import compare_all, compare_two
from annotator.cli import output
from annotator.cli.options import format_option, opened, project_option
from annotator.cli.scoring import fitting, options_from, score_options
from annotator.errors import UsageError
from annotator.report.comparison import comparison
from annotator.report.matrix import matrix
from annotator.report.tables import Format
from annotator.scoring.options import ScoreOptions
from rubric import Measure

ALL_ON = Measure("nDCG", 10)


@click.command("compare")
@project_option
@click.argument("pair", nargs=-1, metavar="[A B]")
@click.option("--all", "every", is_flag=True,
              help=f"All systems with each other on one measure. [default: {ALL_ON}]")  # fmt: skip
@score_options
@click.option("--per-query", is_flag=True, help="Also every query.")
@format_option()
def command(
    project: Path, pair: Sequence[str], every: bool, per_query: bool, form: Format, **typed: Any
) -> None:
    r"""Compare two systems, or all, and say what is proved.

    Proved means: on these queries one is better however the unjudged documents are graded. What
    holds for other queries is a different question, and is answered beside it by a test.

    \b
    Examples:
      annotator compare bm25 dense
      annotator compare bm25 dense -m nDCG@10,RR@10 --per-query
      annotator compare --all -m P@5
    """
    options = options_from(**typed)
    if not every:
        first, second = _two(pair, options)
        with (
            opened(project) as opened_project,
            fitting(opened_project.rubrics.active().rubric, options),
        ):
            table = compare_two(opened_project, first, second, options)
        output.data(comparison(table, form, per_query=per_query, width=output.width()))
        return
    options = _one_measure(pair, options, named=bool(typed["measures"]))
    if per_query and form in (Format.TABLE, Format.MARKDOWN):
        raise UsageError("--per-query goes with two systems, or with --format json, csv or tsv")
    with (
        opened(project) as opened_project,
        fitting(opened_project.rubrics.active().rubric, options),
    ):
        table = compare_all(opened_project, options)
    output.data(matrix(table, form, per_query=per_query, width=output.width()))


def _two(pair: Sequence[str], options: ScoreOptions) -> tuple[str, str]:
    if len(pair) != 2:
        raise UsageError(
            f"a comparison is of two systems, not {len(pair)}: `annotator compare A B`, or --all"
        )
    if options.systems:
        raise UsageError("--system goes with --all; two systems are named by themselves")
    return pair[0], pair[1]


def _one_measure(pair: Sequence[str], options: ScoreOptions, *, named: bool) -> ScoreOptions:
    if pair:
        raise UsageError("--all takes no names; choose systems by --system")
    if not named:
        return replace(options, measures=(ALL_ON,))
    if len(options.measures) > 1:
        raise UsageError(f"--all is on one measure, not {len(options.measures)}")
    return options
