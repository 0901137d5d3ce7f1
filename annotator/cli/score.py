"""``annotator score``: the scoreboard."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import click

from annotator.cli import completion, output
from annotator.cli.options import format_option, opened, project_option
from annotator.cli.results import method_option, note_withheld, result
from annotator.cli.rules import Limits, by_people, enforce, high_enough, junit_option, limits
from annotator.cli.run_files import (
    FILE,
    RunFiles,
    documents_option,
    hints_from,
    queries_option,
    run_file_options,
)
from annotator.cli.scoring import fitting, options_from, score_options, scored
from annotator.errors import UsageError
from annotator.report.distribution import Bars
from annotator.report.explanation_text import write_explanation
from annotator.report.latex import scores_table
from annotator.report.scoreboard_text import write_scoreboard
from annotator.report.tables import STANDARD, Format
from annotator.results.comparisons import ComparisonTable
from annotator.results.explanations import ExplanationTable
from annotator.results.scores import ScoreTable
from annotator.scoring.options import ScoreOptions


@click.command("score")
@project_option
@score_options
@run_file_options
@queries_option
@documents_option
@click.option("--first", type=click.IntRange(1), metavar="N",
              help="With --qrels: only the first N of each ranking count, as with trec_eval -M. Of "
              "what `annotator pack` wrote only these are read, for N up to 100.")  # fmt: skip
@click.argument("more", nargs=-1, type=FILE, metavar="")
@click.option("--per-query", is_flag=True, help="Also show every query of every system.")
@click.option("--worst", type=click.IntRange(0, 10**9), metavar="N",
              help="List the N worst queries of each system, with their texts. [default: a few; "
              "20 in JSON and CSV]")  # fmt: skip
@click.option("--explain", "query", metavar="QUERY", shell_complete=completion.queries,
              help="Show instead what each rank adds to this query's scores, and where the loss "
              "is; systems may follow.")  # fmt: skip
@click.option("--fail-under", "least", multiple=True, callback=limits, metavar="MEASURE=VALUE",
              help="Exit with 1 if a system is below that by what is known, and with 5 if the "
              "labels do not tell (repeat it).")  # fmt: skip
@junit_option
@click.option("--histogram", is_flag=True, help="Also show how the queries' scores are spread.")
@method_option
@format_option(*STANDARD, Format.LATEX)
def command(
    project: Path,
    qrels: Path | None,
    runs: tuple[Path, ...],
    more: tuple[Path, ...],
    rubric: str | None,
    queries_file: Path | None,
    documents_file: Path | None,
    first: int | None,
    per_query: bool,
    worst: int | None,
    query: str | None,
    histogram: bool,
    least: Limits,
    junit: Path | None,
    method_file: Path | None,
    form: Format,
    **typed: Any,
) -> None:
    """Score the systems on the labels there are.

    With --qrels and --run you score files, without a project. Where an unjudged document could
    change a score you see its exact bounds, an estimate marked ~, and what trec_eval would print.

    \b
    Examples:
      annotator score
      annotator score -m nDCG@10,P@5 -m "nDCG@10(gain=linear)"
      annotator score -m nDCG@10 --histogram --worst 20
      annotator score --system new --fail-under nDCG@10=0.45 --junit rules.xml
      annotator score --explain 190 bm25_lucene -m nDCG@10
      annotator score --format json --per-query > scores.json
      annotator score --qrels labels.qrels --run bm25.run dense.run --like trec_eval -m AP,nDCG@10
    """
    hints = hints_from(typed)
    options = _with_limits(options_from(**typed), least, named=bool(typed["measures"]))
    by_people(options, "--fail-under", asked=bool(least))
    if histogram and not form.for_people:
        raise UsageError(f"--histogram is for people; {form} has p10, p25, median and p75")
    if first is not None and qrels is None:
        raise UsageError("--first is for run files: it goes with --qrels FILE")
    options = replace(options, first=first)
    files = [*runs, *more]
    if qrels is None and query is not None:
        files = list(runs)
        options = replace(options, systems=(*(options.systems or ()), *map(str, more)) or None)
    given = RunFiles.of(qrels, files, rubric, hints, queries_file, documents_file)
    if query is not None:
        if least or junit:
            raise UsageError("--fail-under and --junit are of all queries, --explain is of one")
        if per_query or histogram or worst is not None:
            raise UsageError(
                "--explain is of one query; --per-query, --worst and --histogram are of all"
            )
        told = _explain(project, given, query, options)
        result(write_explanation(told, form, width=output.width()), told, method_file)
        return
    bars = (Bars.BLOCKS if output.shows_blocks() else Bars.PLAIN) if histogram else Bars.NONE
    if given is not None:
        from annotator.actions.files.scores import score_files

        table = given.make(partial(score_files, queries=given.queries), options)
    else:
        with opened(project) as opened_project:
            table = scored(opened_project, options)
    shown: dict[str, Any] = {"per_query": per_query, "bars": bars, "worst": worst}
    if form is Format.LATEX:
        text = scores_table(table, _comparisons(project, given, options, table))
    else:
        text = write_scoreboard(table, form, width=output.width(), **shown)
    result(text, table, method_file)
    note_withheld(table.method.expected)
    enforce(high_enough(table, least), "annotator score", junit)


def _comparisons(
    project: Path, given: RunFiles | None, options: ScoreOptions, table: ScoreTable
) -> dict[str, ComparisonTable]:
    """Every two systems on each measure: a table in a paper says which are surely worse."""
    if len(table.systems) < 2:
        return {}
    each = {str(one): replace(options, measures=(one,)) for one in options.measures}
    if given is not None:
        from annotator.actions.files.scores import compare_files

        return {name: given.make(compare_files, one) for name, one in each.items()}
    from annotator.actions.comparisons import compare_all

    with opened(project) as opened_project:
        return {name: compare_all(opened_project, one) for name, one in each.items()}


def _with_limits(options: ScoreOptions, least: Limits, *, named: bool) -> ScoreOptions:
    """Score by the measures that have a limit too; by these alone where none is named."""
    measures = (*(options.measures if named or not least else ()), *least)
    return replace(options, measures=tuple(dict.fromkeys(measures)))


def _explain(
    project: Path, given: RunFiles | None, query: str, options: ScoreOptions
) -> ExplanationTable:
    if given is not None:
        from annotator.actions.files.tables import explain_files

        explain = partial(
            explain_files, qid=query, queries=given.queries, documents=given.documents
        )
        return given.make(explain, options)
    from annotator.actions.explanations import explain_query

    with (
        opened(project) as opened_project,
        fitting(opened_project.rubrics.active(options.as_of).rubric, options),
    ):
        return explain_query(opened_project, query, options)
