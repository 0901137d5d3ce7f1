"""Run files and qrels in place of a project, for the commands that can do without one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeAlias, TypeVar

import click

from annotator.cli import output
from annotator.cli.options import Command
from annotator.cli.scoring import fitting
from annotator.errors import UsageError
from annotator.scoring.options import ScoreOptions
from rubric import Rubric

FILE = click.Path(path_type=Path)

Table = TypeVar("Table")
Made: TypeAlias = tuple[Table, list[str]]
"""What is made of the files, and what is odd about them."""


def run_file_options(command: Command) -> Command:
    """Add --qrels, --run and --rubric."""
    options = (
        click.option("--qrels", type=FILE, metavar="FILE", help="Run files against these qrels."),
        click.option("--run", "runs", type=FILE, multiple=True, metavar="FILE", help="A run file."),
        click.option("--rubric", metavar="NAME|FILE", help="With --qrels: what its grades mean."),
    )
    for option in reversed(options):
        command = option(command)
    return command


def of_files(
    make: Callable[[Path, Sequence[tuple[str, Path]], ScoreOptions, Rubric | None], Made[Table]],
    qrels: Path,
    runs: Sequence[Path],
    options: ScoreOptions,
    rubric: str | None,
) -> Table:
    """Make something of named run files and qrels; tell what is odd about them.

    Raises
    ------
    UsageError
        If the options are for a project, or measures and options do not fit the rubric.
    """
    from annotator import rubrics

    if options.systems or options.assessors or options.as_of:
        raise UsageError(
            "--system, --assessor and --as-of choose from a project; files have neither"
        )
    chosen = None if rubric is None else rubrics.load(rubric)
    with fitting(chosen, options):
        table, said = make(qrels, _named(runs), options, chosen)
    for oddity in said:
        output.note(oddity)
    return table


def _named(runs: Sequence[Path]) -> list[tuple[str, Path]]:
    """Each run by its file's name, or its whole path where names repeat."""
    from annotator.formats.naming import system_name

    names = [system_name(run) for run in runs]
    return [
        (name if names.count(name) == 1 else str(run), run)
        for name, run in zip(names, runs, strict=True)
    ]
