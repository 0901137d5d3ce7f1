"""``annotator score``: the scoreboard."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from annotator.cli import output
from annotator.cli.options import format_option, opened, project_option
from annotator.cli.scoring import fitting, options_from, score_options, scored
from annotator.errors import UsageError
from annotator.report.distribution import Bars
from annotator.report.scoreboard import scoreboard
from annotator.report.tables import Format

if TYPE_CHECKING:
    from annotator.scoring.options import ScoreOptions
    from annotator.scoring.table import ScoreTable

FILE = click.Path(path_type=Path)


@click.command("score")
@project_option
@score_options
@click.option("--qrels", type=FILE, metavar="FILE", help="Score run files against these qrels.")
@click.option("--run", "runs", type=FILE, multiple=True, metavar="FILE", help="A run file.")
@click.option("--rubric", metavar="NAME|FILE", help="With --qrels: what its grades mean.")
@click.argument("more", nargs=-1, type=FILE, metavar="")
@click.option("--per-query", is_flag=True, help="Also every query of every system.")
@click.option("--histogram", is_flag=True, help="Also how the scores of the queries are spread.")
@format_option()
def command(
    project: Path,
    qrels: Path | None,
    runs: tuple[Path, ...],
    more: tuple[Path, ...],
    rubric: str | None,
    per_query: bool,
    histogram: bool,
    form: Format,
    **typed: Any,
) -> None:
    r"""Score the systems on the labels there are.

    With --qrels and --run it is files that are scored, and no project is needed. A score that an
    unjudged document could change is not shown as one: it has its exact bounds, an estimate that
    is marked ~, and what trec_eval would print.

    \b
    Examples:
      annotator score
      annotator score -m nDCG@10,P@5 -m "nDCG@10(gain=linear)"
      annotator score -m nDCG@10 --histogram
      annotator score --format json --per-query > scores.json
      annotator score --qrels labels.qrels --run bm25.run dense.run --like trec_eval -m AP,nDCG@10
    """
    options = options_from(**typed)
    if histogram and form not in (Format.TABLE, Format.MARKDOWN):
        raise UsageError(f"--histogram is for people; {form} has p10, p25, median and p75")
    bars = (Bars.BLOCKS if output.shows_blocks() else Bars.PLAIN) if histogram else Bars.NONE
    if qrels is not None:
        table = _scored_files(qrels, [*runs, *more], options, rubric)
    elif runs or more or rubric:
        raise UsageError("run files are scored with --qrels FILE beside them")
    else:
        with opened(project) as opened_project:
            table = scored(opened_project, options)
    output.data(scoreboard(table, form, per_query=per_query, bars=bars, width=output.width()))


def _scored_files(
    qrels: Path, runs: list[Path], options: ScoreOptions, rubric: str | None
) -> ScoreTable:
    from annotator import rubrics
    from annotator.actions.filescoring import score_files

    if not runs:
        raise UsageError("--qrels needs at least one --run FILE to score")
    if options.systems or options.assessors:
        raise UsageError("--system and --assessor choose from a project; files have neither")
    chosen = None if rubric is None else rubrics.load(rubric)
    with fitting(chosen, options):
        table, said = score_files(qrels, _named(runs), options, chosen)
    for oddity in said:
        output.note(oddity)
    return table


def _named(runs: list[Path]) -> list[tuple[str, Path]]:
    """Each run by its file's name, or its whole path where names repeat."""
    from annotator.formats.naming import system_name

    names = [system_name(run) for run in runs]
    return [
        (name if names.count(name) == 1 else str(run), run)
        for name, run in zip(names, runs, strict=True)
    ]
