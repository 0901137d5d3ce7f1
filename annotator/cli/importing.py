"""``annotator import``: files into the project, all of them or none."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TypeAlias

import click

from annotator.actions.found import Found
from annotator.actions.importing import import_documents, import_queries, import_run
from annotator.actions.journal import import_judgments
from annotator.actions.labelling import import_qrels
from annotator.cli import output
from annotator.cli.group import project_before
from annotator.cli.options import Command, format_option, opened, project_option
from annotator.errors import UsageError
from annotator.report.tables import Format, facts, to_json
from annotator.sanitise import one_line
from annotator.store import Project

Importer: TypeAlias = Callable[[Project, Path], Found]


@click.group("import")
@project_before
def command() -> None:
    """Bring in queries, runs, documents and labels.

    The format of a file is recognised by its content; it may be compressed (.gz, .zst). Of the
    files of one command either all are taken or none.
    """


def _importing(command: Command) -> Command:
    """Add what every import takes."""
    for option in (
        project_option,
        click.argument(
            "files", nargs=-1, required=True, metavar="FILE...", type=click.Path(path_type=Path)
        ),
        click.option("--dry-run", is_flag=True, help="Say what would happen; store nothing."),
        format_option(Format.TABLE, Format.JSON),
    ):
        command = option(command)
    return command


@command.command("queries")
@_importing
def queries(project: Path, files: Sequence[Path], dry_run: bool, form: Format) -> None:
    """Bring in queries: TREC topics, TSV or JSON lines."""
    _run(project, files, import_queries, dry_run, form)


@command.command("documents")
@_importing
@click.option("--all", "everything", is_flag=True, help="Also texts that no pooled pair needs.")
def documents(
    project: Path, files: Sequence[Path], everything: bool, dry_run: bool, form: Format
) -> None:
    """Bring in the texts of the pooled documents: JSON lines."""
    _run(project, files, partial(import_documents, everything=everything), dry_run, form)


@command.command("run")
@_importing
@click.option("--name", help="The system's name. [default: the file's name]")
@click.option("--replace", is_flag=True, help="Put it in the place of the run of this name.")
def run(
    project: Path,
    files: Sequence[Path],
    name: str | None,
    replace: bool,
    dry_run: bool,
    form: Format,
) -> None:
    """Bring in what systems returned: TREC runs, one file a system."""
    if name is not None and len(files) > 1:
        raise UsageError(f"--name names one system, and {len(files)} files are given")
    _run(project, files, partial(import_run, name=name, replace=replace), dry_run, form)


@command.command("qrels")
@_importing
@click.option("--assessor", help="Whose judgments they are. [default: the file's name]")
def qrels(
    project: Path, files: Sequence[Path], assessor: str | None, dry_run: bool, form: Format
) -> None:
    """Bring in grades made elsewhere: TREC or BEIR qrels."""
    _run(project, files, partial(import_qrels, assessor=assessor), dry_run, form)


@command.command("judgments")
@_importing
def judgments(project: Path, files: Sequence[Path], dry_run: bool, form: Format) -> None:
    """Bring in a judgment log that was exported."""
    _run(project, files, import_judgments, dry_run, form)


class _DryRunError(Exception):
    """Ends a dry run: what was written is taken back."""


def _run(
    path: Path, files: Sequence[Path], importer: Importer, dry_run: bool, form: Format
) -> None:
    found: list[Found] = []
    with opened(path) as project, suppress(_DryRunError), project.file.writing():
        found += [importer(project, file) for file in files]
        if dry_run:
            raise _DryRunError
    if form is Format.JSON:
        output.data(to_json({"dry_run": dry_run, "files": [asdict(one) for one in found]}))
    else:
        output.data("\n".join(map(_block, found)))
    if dry_run:
        output.note("dry run: nothing was stored")


def _block(found: Found) -> str:
    """One file's findings: facts aligned, warnings below."""
    said = [
        (fact, f"{count:,}" if isinstance(count, int) else count)
        for fact, count in found.facts.items()
    ]
    warnings = "".join(f"  ! {one_line(warning)}\n" for warning in found.warnings)
    return f"{one_line(found.source)} ({found.kind})\n{facts(said)}{warnings}"
