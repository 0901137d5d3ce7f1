"""``annotator compare``: which of two systems is better, and what is proved."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from annotator.actions.comparisons import compare_all, compare_two
from annotator.cli import completion, output, progress
from annotator.cli.options import DEFAULT_PROJECT, format_option, next_steps, opened, project_option
from annotator.cli.overview import Counts
from annotator.cli.results import method_option, note_withheld, result
from annotator.cli.rules import by_people, enforce, junit_option
from annotator.cli.run_files import RunFiles, hints_from, run_file_options
from annotator.cli.scoring import fitting, options_from, score_options, tell_likeness
from annotator.errors import UsageError
from annotator.report.comparison_text import write_comparison
from annotator.report.latex import comparisons_table
from annotator.report.matrix import write_matrix
from annotator.report.next_step import is_open, next_of_all, next_of_files, next_step
from annotator.report.tables import STANDARD, Format
from annotator.results.comparisons import NEARLY_LEVEL, ComparisonTable
from annotator.scoring.options import ScoreOptions
from annotator.scoring.rules import better, no_worse
from rubric import Measure, Verdict

ALL_ON = Measure("nDCG", 10)
RESULTS_TAKE = ("pair", "form", "project")
"""What may be typed where two saved results are compared."""


@click.command("compare")
@project_option
@run_file_options
@click.argument("pair", nargs=-1, metavar="[A B]", shell_complete=completion.systems_or_files)
@click.option("--all", "every", is_flag=True,
              help=f"All systems with each other on one measure. [default: {ALL_ON}]")  # fmt: skip
@score_options
@click.option("--per-query", is_flag=True, help="Also show every query.")
@click.option(
    "--margin", type=click.FloatRange(min=0), default=NEARLY_LEVEL, show_default=True,
    help="Systems that are closer are called level.",
)  # fmt: skip
@click.option("--fail-unless", type=click.Choice(["proved", "credible"]),
              help="Exit with 1 unless A is better than B, and as surely as that.")  # fmt: skip
@click.option("--fail-if-worse", is_flag=True,
              help="Exit with 1 if A is worse than B by more than the margin, and with 5 if the "
              "labels do not tell.")  # fmt: skip
@junit_option
@method_option
@format_option(*STANDARD, Format.LATEX)
def command(
    project: Path,
    qrels: Path | None,
    runs: Sequence[Path],
    rubric: str | None,
    pair: Sequence[str],
    every: bool,
    per_query: bool,
    margin: float,
    fail_unless: str | None,
    fail_if_worse: bool,
    junit: Path | None,
    method_file: Path | None,
    form: Format,
    **typed: Any,
) -> None:
    """Compare two systems, or all, and say what is proved.

    Proved means: on these queries one is better however the unjudged documents are graded.
    Credible: a model of grades, learned from the labels, is 97.5% sure of it. Whether it holds for
    other queries is another question, which a test answers.

    With --qrels you compare run files, without a project. Two JSON files that
    `score --format json` wrote are put side by side, with a warning where queries, labels or rules
    are not the same.

    \b
    Examples:
      annotator compare bm25 dense
      annotator compare bm25 dense -m nDCG@10,RR@10 --per-query
      annotator compare new old -m nDCG@10 --fail-unless credible
      annotator compare new old -m nDCG@10 --fail-if-worse --margin 0.02
      annotator compare --all -m P@5
      annotator compare --qrels labels.qrels bm25.run dense.run
      annotator compare monday.json today.json
    """
    if qrels is None and not runs and _are_results(pair):
        _compare_results(Path(pair[0]), Path(pair[1]), form)
        return
    hints = hints_from(typed)
    options = options_from(**typed)
    by_people(options, "--fail-if-worse", asked=fail_if_worse)
    if every:
        _check_all(fail_unless or fail_if_worse, form, per_query=per_query)
        options = _one_measure(options, named=bool(typed["measures"]))
    files = [*runs, *([] if qrels is None else map(Path, pair))]
    given = RunFiles.of(qrels, files, rubric, hints)
    if given is not None:
        from annotator.actions.files.scores import compare_files

        _check_count(files, every=every)
        with progress.pairs() as watch:
            table = given.make(partial(compare_files, watch=watch), options)
    else:
        table = _of_project(project, pair, options, every=every)
    table = table.with_margin(margin)
    result(_written(table, form, every=every, per_query=per_query), table, method_file)
    note_withheld(table.method.expected)
    if form.for_people and not (fail_unless or fail_if_worse):
        _tell_next(None if given else project, table, every=every)
    rulings = [better(one, Verdict(fail_unless)) for one in table.pairs] if fail_unless else []
    rulings += map(no_worse, table.pairs) if fail_if_worse else []
    enforce(rulings, "annotator compare", junit)


def _written(table: ComparisonTable, form: Format, *, every: bool, per_query: bool) -> str:
    if form is Format.LATEX:
        return comparisons_table(table)
    write = write_matrix if every else write_comparison
    return write(table, form, per_query=per_query, width=output.width())


def _tell_next(project: Path | None, table: ComparisonTable, *, every: bool) -> None:
    """Say what to do next, in a project or with files alone."""
    if project is None:
        step = next_of_files(table.pairs)
    else:
        with opened(project) as opened_project:
            counts, depth = Counts.of(opened_project), opened_project.pool.depth()
        left = counts.pooled - counts.judged
        one = next(filter(is_open, table.pairs), table.pairs[0])
        step = next_of_all(table.pairs, left, depth) if every else next_step(one, left, depth)
    if step is not None:
        output.note(next_steps(project or Path(DEFAULT_PROJECT), step))


def _are_results(pair: Sequence[str]) -> bool:
    """Whether two files are named, and not two systems."""
    return len(pair) == 2 and all(one.endswith(".json") and Path(one).is_file() for one in pair)


def _compare_results(before: Path, after: Path, form: Format) -> None:
    """Print what changed between two saved results, and say in what they are not alike."""
    ctx = click.get_current_context()
    typed = [
        f"--{one.replace('_', '-')}"
        for one in ctx.params
        if ctx.get_parameter_source(one) is ParameterSource.COMMANDLINE and one not in RESULTS_TAKE
    ]
    if typed:
        raise UsageError(
            f"two saved results are put side by side as they are: leave out {', '.join(typed)}"
        )
    from annotator.actions.files.saved_results import changes_of_files
    from annotator.report.saved_results_text import write_changes

    found = changes_of_files(before, after)
    output.data(write_changes(found, form))
    for what in found.unlike:
        output.note(f"careful, these results are not of one benchmark: {what}")


def _check_count(runs: Sequence[Path], *, every: bool) -> None:
    if len(runs) < 2 or (len(runs) > 2 and not every):
        raise UsageError(
            f"a comparison is of two runs, not {len(runs)}: "
            "`annotator compare --qrels FILE A.run B.run`, or --all with two or more"
        )


def _of_project(
    project: Path, pair: Sequence[str], options: ScoreOptions, *, every: bool
) -> ComparisonTable:
    if every and pair:
        raise UsageError("--all takes no names; choose systems by --system")
    first, second = ("", "") if every else _two(pair, options)
    with (
        opened(project) as opened_project,
        fitting(opened_project.rubrics.active().rubric, options),
    ):
        if every:
            with progress.pairs() as watch:
                table = compare_all(opened_project, options, watch)
        else:
            table = compare_two(opened_project, first, second, options)
        tell_likeness(opened_project, options)
    return table


def _two(pair: Sequence[str], options: ScoreOptions) -> tuple[str, str]:
    if len(pair) != 2:
        raise UsageError(
            f"a comparison is of two systems, not {len(pair)}: `annotator compare A B`, or --all"
        )
    if options.systems:
        raise UsageError("--system goes with --all; two systems are named by themselves")
    return pair[0], pair[1]


def _check_all(rule: str | bool | None, form: Format, *, per_query: bool) -> None:
    if rule:
        raise UsageError("--fail-unless and --fail-if-worse go with two systems, not with --all")
    if per_query and form.for_people:
        raise UsageError("--per-query goes with two systems, or with --format json, csv or tsv")


def _one_measure(options: ScoreOptions, *, named: bool) -> ScoreOptions:
    if not named:
        return replace(options, measures=(ALL_ON,))
    if len(options.measures) > 1:
        raise UsageError(f"--all is on one measure, not {len(options.measures)}")
    return options
