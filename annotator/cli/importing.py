"""``annotator import``: files into the project, all of them or none."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import TypeAlias

import click

from annotator.actions.collections import beir_imports, dataset_imports
from annotator.actions.found import Found
from annotator.actions.importing import import_documents, import_queries, import_run
from annotator.actions.journal import import_judgments
from annotator.actions.labelling import import_qrels
from annotator.cli import output, progress
from annotator.cli.group import project_before
from annotator.cli.options import Command, format_option, opened, project_option
from annotator.errors import UsageError
from annotator.formats import Hints
from annotator.records import AssessorKind
from annotator.report.tables import Format, facts, to_json
from annotator.sanitise import one_line
from annotator.store import Project

Importer: TypeAlias = Callable[[Project], Found]


@click.group("import")
@project_before
def command() -> None:
    """Bring in queries, runs, documents and labels.

    The format of a file is recognised by its content; --as names it. It may be compressed (.gz,
    .bz2, .xz, .zst), and - is standard input. Of the files of one command either all are taken or
    none.
    """


def _storing(command: Command) -> Command:
    """Add what every import takes that stores something."""
    for option in (
        project_option,
        click.option("--dry-run", is_flag=True, help="Say what would happen; store nothing."),
        format_option(Format.TABLE, Format.JSON),
    ):
        command = option(command)
    return command


def _importing(command: Command) -> Command:
    """Add what every import of files takes."""
    for option in (
        _storing,
        click.argument(
            "files", nargs=-1, required=True, metavar="FILE...", type=click.Path(path_type=Path)
        ),
        click.option("--as", "form_name", default="", metavar="FORMAT",
                     help="Read it as this format, not as what it looks like."),
        click.option("--encoding", default="", metavar="NAME",
                     help="What the text is written in, such as latin-1. [default: UTF-8]"),
        click.option("--columns", default="", metavar="FIELD=HEADING,...",
                     help="Which columns (CSV, TSV) or keys (JSON lines) hold what: query, docid, "
                     "grade, assessor, rank, score, title, text, url."),
    ):  # fmt: skip
        command = option(command)
    return command


@command.command("queries")
@_importing
def queries(
    project: Path, files: Sequence[Path], dry_run: bool, form: Format, **typed: str
) -> None:
    """Bring in queries: TREC topics, TSV, CSV or JSON."""
    _each(project, files, import_queries, dry_run, form, typed)


@command.command("documents")
@_importing
@click.option("--all", "everything", is_flag=True, help="Also texts that no pooled pair needs.")
def documents(
    project: Path,
    files: Sequence[Path],
    everything: bool,
    dry_run: bool,
    form: Format,
    **typed: str,
) -> None:
    """Bring in the texts of the pooled documents: JSON lines, CSV, TREC SGML or HTML."""
    _each(project, files, partial(import_documents, everything=everything), dry_run, form, typed)


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
    **typed: str,
) -> None:
    """Bring in what systems returned: TREC runs, CSV or JSON, one file a system."""
    if name is not None and len(files) > 1:
        raise UsageError(f"--name names one system, and {len(files)} files are given")
    importer = partial(import_run, name=name, replace=replace)
    _each(project, files, importer, dry_run, form, typed)


@command.command("qrels")
@_importing
@click.option(
    "--assessor", help="Whose judgments they are. [default: as the file says, or its name]"
)
@click.option("--model", is_flag=True, help="They are a program's, not people's.")
@click.option("--grades", default="", metavar="VALUE:GRADE,...",
              help="What each grade of the file is in the rubric: 0:0,0.5:1,1:3.")  # fmt: skip
def qrels(
    project: Path,
    files: Sequence[Path],
    assessor: str | None,
    model: bool,
    dry_run: bool,
    form: Format,
    **typed: str,
) -> None:
    """Bring in grades made elsewhere: TREC, BEIR, Quepid and others."""
    kind = AssessorKind.MODEL if model else AssessorKind.IMPORTED
    _each(project, files, partial(import_qrels, assessor=assessor, kind=kind), dry_run, form, typed)


@command.command("judgments")
@_importing
def judgments(
    project: Path, files: Sequence[Path], dry_run: bool, form: Format, **typed: str
) -> None:
    """Bring in a judgment log that was exported."""
    _each(project, files, import_judgments, dry_run, form, typed)


@command.command("beir")
@_storing
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--split", default="", help="Whose qrels. [default: test, else the only ones there]")
def beir(project: Path, folder: Path, split: str, dry_run: bool, form: Format) -> None:
    """Bring in a BEIR folder: queries with qrels, and the texts of their documents."""
    _run(project, beir_imports(folder, split), dry_run, form)


@command.command("ir-datasets")
@_storing
@click.argument("dataset")
@click.option("--documents/--no-documents", "texts", default=True, help="Also the texts.")
def ir_datasets(project: Path, dataset: str, texts: bool, dry_run: bool, form: Format) -> None:
    """Bring in a data set of the ir_datasets library by its id."""
    _run(project, dataset_imports(dataset, texts=texts), dry_run, form)


def _each(
    project: Path,
    files: Sequence[Path],
    importer: Callable[..., Found],
    dry_run: bool,
    form: Format,
    typed: Mapping[str, str],
) -> None:
    """Import each file as the options say."""
    hints = Hints.parse(
        form=typed["form_name"],
        encoding=typed["encoding"],
        columns=typed["columns"],
        grades=typed.get("grades", ""),
    )

    def watched(file: Path) -> Importer:
        def imported(opened_project: Project) -> Found:
            with progress.shown(file.name) as watch:
                return importer(opened_project, path=file, hints=replace(hints, watch=watch))

        return imported

    _run(project, map(watched, files), dry_run, form)


class _DryRunError(Exception):
    """Ends a dry run: what was written is taken back."""


def _run(path: Path, imports: Iterable[Importer], dry_run: bool, form: Format) -> None:
    found: list[Found] = []
    with opened(path) as project, suppress(_DryRunError), project.file.writing():
        found += [one(project) for one in imports]
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
