"""Run files and qrels in place of a project, for the commands that can do without one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

import click

from annotator.cli import completion, output
from annotator.cli.options import FILE_OPTIONS, Command, grades_option
from annotator.cli.scoring import fitting
from annotator.errors import UsageError
from annotator.scoring.options import ScoreOptions
from rubric import Rubric

if TYPE_CHECKING:
    from annotator.formats import Hints

FILE = click.Path(path_type=Path)

Table = TypeVar("Table")
Make: TypeAlias = Callable[
    ["Path", "Sequence[tuple[str, Path]]", ScoreOptions, "Rubric | None", "Hints | None"],
    tuple[Table, list[str]],
]
"""Scores qrels and run files in place of a project, and reports what is odd about them."""


def run_file_options(command: Command) -> Command:
    """Add --qrels, --run and --rubric, and what may be said of the files."""
    options = (
        click.option(
            "--qrels",
            type=FILE,
            metavar="FILE",
            help="Take labels from these qrels, without a project.",
        ),
        click.option(
            "--run",
            "runs",
            type=FILE,
            multiple=True,
            metavar="FILE",
            help="A run file; more may follow it.",
        ),
        click.option(
            "--rubric",
            metavar="NAME|FILE",
            shell_complete=completion.presets,
            help="With --qrels: what the grades mean.",
        ),
        *FILE_OPTIONS,
        grades_option,
    )
    for option in reversed(options):
        command = option(command)
    return command


queries_option = click.option(
    "--queries", "queries_file", type=FILE, metavar="FILE",
    help="With --qrels: the texts of the queries.",
)  # fmt: skip
documents_option = click.option(
    "--documents", "documents_file", type=FILE, metavar="FILE",
    help="With --qrels: the texts of the documents.",
)  # fmt: skip


def hints_from(typed: dict[str, Any]) -> Hints | None:
    """Take the options that say how to read files out of those typed; None if there are none.

    Raises
    ------
    UsageError
        If it is not of its form.
    """
    said = {name: typed.pop(name) for name in ("form_name", "encoding", "columns", "grades")}
    if not any(said.values()):
        return None
    from annotator.formats import Hints

    return Hints.parse(form=said.pop("form_name"), **said)


@dataclass(frozen=True)
class RunFiles:
    """Qrels and run files in place of a project, and how to read them."""

    qrels: Path
    runs: Sequence[Path]
    rubric: str | None
    hints: Hints | None
    queries: Path | None = None
    documents: Path | None = None

    @classmethod
    def of(
        cls,
        qrels: Path | None,
        runs: Sequence[Path],
        rubric: str | None,
        hints: Hints | None,
        queries: Path | None = None,
        documents: Path | None = None,
    ) -> RunFiles | None:
        """The files as typed; None if none are.

        Raises
        ------
        UsageError
            If runs, or options on how to read them, come without qrels, or qrels without runs.
        """
        if qrels is None:
            if runs or rubric or hints or queries or documents:
                raise UsageError("run files, and options on how to read them, go with --qrels FILE")
            return None
        if not runs:
            raise UsageError("--qrels needs at least one --run FILE")
        return cls(qrels, runs, rubric, hints, queries, documents)

    def make(self, make: Make[Table], options: ScoreOptions) -> Table:
        """Make something of them; tell what is odd about them.

        Raises
        ------
        UsageError
            If the options are for a project, or measures and options do not fit the rubric.
        """
        from annotator import rubric_files
        from annotator.formats.naming import names_of

        if options.systems or options.assessors or options.as_of or options.models:
            raise UsageError(
                "--system, --assessor, --as-of and --models choose from a project; files have none"
            )
        chosen = None if self.rubric is None else rubric_files.load(self.rubric)
        with fitting(chosen, options):
            named = list(zip(names_of(self.runs), self.runs, strict=True))
            table, notes = make(self.qrels, named, options, chosen, self.hints)
        for note in notes:
            output.note(note)
        return table
