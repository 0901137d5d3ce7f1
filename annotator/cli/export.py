"""``annotator export``: labels, scores, texts and runs out again."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

import click

from annotator.actions.exports import export_documents, export_pairs, export_queries, export_run
from annotator.actions.history import heads
from annotator.actions.imports.log import export_judgments
from annotator.actions.imports.qrels import export_losses, export_qrels
from annotator.actions.scoring import assessor_numbers
from annotator.atomic_write import write_lines
from annotator.cli import completion, output
from annotator.cli.group import project_before
from annotator.cli.options import as_of_option, opened, project_option
from annotator.cli.results import keep_method, method_option
from annotator.cli.scoring import options_from, score_options, scored
from annotator.errors import UsageError
from annotator.formats import tasks
from annotator.formats.qrels.writer import WRITERS
from annotator.formats.runs import writer as run_written
from annotator.report.scoreboard_text import write_scoreboard
from annotator.report.tables import Format
from annotator.text.plural import counted

SUFFIXES = {
    ".json": Format.JSON,
    ".csv": Format.CSV,
    ".tsv": Format.TSV,
    ".md": Format.MARKDOWN,
}

file_argument = click.argument("file", type=click.Path(path_type=Path), metavar="FILE")
force_option = click.option("--force", is_flag=True, help="Replace a file that is there already.")


@click.group("export")
@project_before
def command() -> None:
    """Write labels, scores, texts or runs to a file.

    A file is written as a whole or not at all, and none is replaced without --force.
    """


@command.command("qrels")
@project_option
@file_argument
@force_option
@click.option("--assessor", "assessors", multiple=True, metavar="NAME",
              shell_complete=completion.assessors,
              help="Only labels of these assessors (repeat it).")  # fmt: skip
@click.option("--as", "form", type=click.Choice(sorted(WRITERS)), default="trec",
              show_default=True,
              help="The format; csv is for spreadsheets, quepid for Quepid.")  # fmt: skip
@click.option("--unjudged", type=click.IntRange(-(10**9), 10**9), metavar="GRADE",
              help="Also write pooled pairs without a label, as this: -1 in TREC.")  # fmt: skip
@as_of_option("The labels as they were then (UTC): a date, with all of that day, or a moment.")
def qrels(
    project: Path,
    file: Path,
    force: bool,
    assessors: Sequence[str],
    form: str,
    unjudged: int | None,
    as_of: datetime | None,
) -> None:
    """Write the labels that hold as qrels; - is stdout.

    Who gave a label, when, and under which rubric is lost: `annotator export judgments` keeps it.
    """
    if unjudged is not None and unjudged >= 0:
        raise UsageError("--unjudged takes a grade below 0: any other would be read as a judgment")
    with opened(project) as opened_project:
        numbers = assessor_numbers(opened_project, tuple(assessors) or None)
        which: dict[str, Any] = {"assessors": numbers, "unjudged": unjudged, "as_of": as_of}
        lines = export_qrels(opened_project, form=form, **which)
        _write(file, lines, force, "label" if form == "trec" and unjudged is None else "line")
        for loss in export_losses(opened_project, **which):
            output.note(loss)


@command.command("judgments")
@project_option
@file_argument
@force_option
def judgments(project: Path, file: Path, force: bool) -> None:
    """Write the whole judgment log as JSON lines; - is stdout.

    `annotator import judgments` brings it back without loss.
    """
    with opened(project) as opened_project:
        ends = heads(opened_project)
        _write(file, export_judgments(opened_project), force, "line")
    output.note("heads of the log (kept elsewhere, `doctor --head` compares them):")
    for end in ends:
        output.note(f"  {end}")


@command.command("queries")
@project_option
@file_argument
@force_option
def queries(project: Path, file: Path, force: bool) -> None:
    """Write the queries as JSON lines; - is stdout."""
    with opened(project) as opened_project:
        _write(file, export_queries(opened_project), force, "query", "queries")


@command.command("documents")
@project_option
@file_argument
@force_option
def documents(project: Path, file: Path, force: bool) -> None:
    """Write the stored texts as JSON lines, with url and metadata; - is stdout.

    `annotator import documents` brings them back without loss.
    """
    with opened(project) as opened_project:
        _write(file, export_documents(opened_project), force, "document")


@command.command("pairs")
@project_option
@file_argument
@force_option
@click.option("--as", "form", type=click.Choice(sorted(tasks.WRITERS)), default="jsonl",
              show_default=True, help="The format: csv is for spreadsheets.")  # fmt: skip
@click.option("--assessor", metavar="NAME", shell_complete=completion.assessors,
              help="Pairs that this assessor has not judged, whoever else has.")  # fmt: skip
def pairs(project: Path, file: Path, force: bool, form: str, assessor: str | None) -> None:
    """Write the pooled pairs that nobody has judged, to be judged elsewhere; - is stdout.

    With query, text and rubric, and without a word of who returned them. `annotator import
    judgments` brings the answers in.
    """
    with opened(project) as opened_project:
        _write(file, export_pairs(opened_project, form, assessor), force, "line")


@command.command("run")
@project_option
@click.argument("system", shell_complete=completion.systems)
@file_argument
@force_option
@click.option("--as", "form", type=click.Choice(sorted(run_written.WRITERS)), default="trec",
              show_default=True, help="The format; jsonl holds ids with blanks.")  # fmt: skip
def run(project: Path, system: str, file: Path, force: bool, form: str) -> None:
    """Write what SYSTEM returned; - is stdout.

    `annotator import run` brings it back: the ranks are those shown here, whatever the file that
    it came from had.
    """
    with opened(project) as opened_project:
        _write(file, export_run(opened_project, system, form), force, "row")


@command.command("scores")
@project_option
@file_argument
@force_option
@score_options
@click.option("--per-query", is_flag=True, help="Also show every query of every system.")
@method_option
def scores(
    project: Path,
    file: Path,
    force: bool,
    per_query: bool,
    method_file: Path | None,
    **typed: Any,
) -> None:
    """Write the scoreboard as .json, .csv, .tsv or .md."""
    form = SUFFIXES.get(file.suffix.lower())
    if form is None:
        raise UsageError(
            f"{file}: scores are written to a file named {', '.join(SUFFIXES)}; for stdout use "
            "`annotator score --format …`"
        )
    options = options_from(**typed)
    with opened(project) as opened_project:
        table = scored(opened_project, options)
    text = write_scoreboard(table, form, per_query=per_query)
    _write(file, text.removesuffix("\n").split("\n"), force, "line")
    keep_method(table, method_file)


def _write(file: Path, lines: Iterable[str], force: bool, *what: str) -> None:
    if str(file) == "-":
        output.lines(lines)
        return
    count = write_lines(file, lines, force=force)
    output.note(f"wrote {file}: {counted(count, *what)}")
