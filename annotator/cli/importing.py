"""``annotator import``: files into the project, all of them or none."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import click

from annotator.actions.imports.collections import beir_imports, dataset_imports
from annotator.actions.imports.model_labels import judgments_or_model_labels_of
from annotator.actions.imports.qrels import qrels_of
from annotator.actions.imports.report import Found, take_shared
from annotator.actions.imports.runs import run_of
from annotator.actions.imports.texts import documents_of, queries_of
from annotator.actions.imports.transaction import Reading, Storing, import_all
from annotator.actions.imports.weights import weights_of
from annotator.cli import output, progress
from annotator.cli.group import project_before
from annotator.cli.options import (
    FILE_OPTIONS,
    Command,
    back_up,
    format_option,
    grades_option,
    opened,
    project_option,
)
from annotator.errors import InputError, UsageError
from annotator.formats import Hints
from annotator.formats.model_labels import Asked
from annotator.formats.naming import system_name
from annotator.report.tables import Format, facts, to_json
from annotator.store import Project
from annotator.store.staging.area import Staging
from annotator.text.safe import one_line


@click.group("import")
@project_before
def command() -> None:
    """Bring in queries, runs, documents and labels.

    The format of a file is recognised by its content; --as names it. It may be compressed (.gz,
    .bz2, .xz, .zst), and - is standard input. All files of one command are taken, or none.
    """


def storing_options(command: Command) -> Command:
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
        storing_options,
        click.argument(
            "files", nargs=-1, required=True, metavar="FILE...", type=click.Path(path_type=Path)
        ),
        *FILE_OPTIONS,
    ):
        command = option(command)
    return command


@command.command("queries")
@_importing
@click.option(
    "--keep-first", is_flag=True, help="Where an id comes with several texts, take the first."
)
def queries(keep_first: bool, **typed: Any) -> None:
    """Bring in queries: TREC topics, TSV, CSV or JSON."""
    _each(partial(queries_of, keep_first=keep_first), **typed)


@command.command("weights")
@_importing
def weights(**typed: Any) -> None:
    """Bring in how much each query counts.

    A line has a query id and a number; or it is a table or JSON lines with a weight.
    Scores of the project use them from then on; `--weights none` shows scores without. A queries
    file with a column or key `weight` brings its weights by itself. Another import takes their
    place; `annotator remove weights` lets all queries count alike again.
    """
    if len(typed["files"]) > 1:
        raise UsageError("one file holds the weights of all queries")
    _each(weights_of, **typed)


@command.command("documents")
@_importing
@click.option(
    "--all", "everything", is_flag=True, help="Also store texts that no pooled pair needs."
)
@click.option(
    "--replace", "over", is_flag=True, help="Take other texts than are stored; labels stay."
)
@click.option(
    "--fields",
    metavar="NAME,...",
    help="Show only these further fields. [default: all but those that may tell of ranks, scores, "
    "systems or labels]",
)
@click.option("--hide", default="", metavar="NAME,...", help="Never show these further fields.")
def documents(everything: bool, over: bool, **typed: Any) -> None:
    """Bring in the texts of the pooled documents: JSON lines, CSV, TREC SGML or HTML."""
    _each(partial(documents_of, everything=everything, replace=over), **typed)


@command.command("run")
@_importing
@click.option("--name", help="The system's name. [default: the file's name]")
@click.option(
    "--replace", "over", is_flag=True, help="Replace the run of this name; judgments stay."
)
def run(name: str | None, over: bool, **typed: Any) -> None:
    """Bring in what systems returned: TREC runs, CSV or JSON, one file a system."""
    if name is not None and len(typed["files"]) > 1:
        raise UsageError(f"--name names one system, and {len(typed['files'])} files are given")
    named: dict[str, Path] = {}
    for file in typed["files"]:
        if (other := named.setdefault(system_name(file), file)) != file:
            raise UsageError(
                f"{other} and {file} would both be the system {system_name(file)}: import one of "
                "them by itself, with a --name"
            )
    _each(partial(run_of, name=name, replace=over), **typed)


@command.command("qrels")
@_importing
@click.option("--assessor", help="Who gave the grades. [default: as the file says, or its name]")
@grades_option
def qrels(assessor: str | None, **typed: Any) -> None:
    """Bring in grades made elsewhere: TREC, BEIR, Quepid and others.

    Grades that a language model gave are no judgments: see `annotator import judgments --model`.
    """
    _each(partial(qrels_of, assessor=assessor), **typed)


@command.command("judgments")
@_importing
@grades_option
@click.option("--model", default="", metavar="NAME", help="A language model gave these labels.")
@click.option(
    "--prompt", type=click.Path(path_type=Path), metavar="FILE",
    help="With --model: the prompt it was asked by; its hash is stored.",
)  # fmt: skip
@click.option("--model-version", default="", metavar="TEXT", help="With --model: which version.")
@click.option(
    "--temperature", type=click.FloatRange(0, 100), metavar="T", help="With --model: as it was set."
)
@click.option(
    "--assessor", default="", metavar="NAME",
    help="With --model: what its labels are called. [default: the model's name]",
)  # fmt: skip
def judgments(
    model: str,
    prompt: Path | None,
    model_version: str,
    temperature: float | None,
    assessor: str,
    **typed: Any,
) -> None:
    """Bring in a judgment log that was exported, or labels with who gave them and when.

    With --model and --prompt they are the labels of a language model, in any format of qrels, or
    JSON lines that name `model` and `prompt_hash` themselves. They are kept as evidence: no score,
    coverage or test counts them. An answer that is no grade stays a failure.
    """
    if bool(model) != (prompt is not None):
        raise UsageError(
            "labels of a model are taken with both: --model NAME --prompt FILE; the hash of the "
            "prompt is what tells two ways of asking apart"
        )
    if (model_version or temperature is not None or assessor) and not model:
        raise UsageError("--model-version, --temperature and --assessor go with --model NAME")
    asked = Asked(model, _hash_of(prompt) if prompt else "", model_version, temperature)
    _each(partial(judgments_or_model_labels_of, asked=asked, name=assessor), **typed)


def _hash_of(prompt: Path) -> str:
    try:
        return hashlib.sha256(prompt.read_bytes()).hexdigest()
    except OSError as error:
        raise InputError(f"{prompt}: cannot be read: {error.strerror or error}") from None


@command.command("beir")
@storing_options
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--split", default="", help="Whose qrels. [default: test, else the only ones there]")
def beir(folder: Path, split: str, **how: Any) -> None:
    """Bring in a BEIR folder: queries with qrels, and the texts of their documents."""
    run_imports(beir_imports(folder, split), **how)


@command.command("ir-datasets")
@storing_options
@click.argument("dataset")
@click.option("--documents/--no-documents", "texts", default=True, help="Also bring in the texts.")
def ir_datasets(dataset: str, texts: bool, **how: Any) -> None:
    """Bring in a data set of the ir_datasets library by its id."""
    run_imports(dataset_imports(dataset, texts=texts), **how)


def _each(
    read: Callable[..., Storing],
    *,
    files: Sequence[Path],
    form_name: str,
    encoding: str,
    columns: str,
    grades: str = "",
    fields: str | None = None,
    hide: str = "",
    **how: Any,
) -> None:
    """Import each file as the options say."""
    hints = Hints.parse(
        form=form_name,
        encoding=encoding,
        columns=columns,
        grades=grades,
        fields=fields,
        hide=hide,
    )

    def reading(file: Path) -> Reading:
        def watched(project: Project, staged: Staging) -> Storing:
            with progress.shown(file.name) as watch:
                return read(project, staged, path=file, hints=replace(hints, watch=watch))

        return watched

    run_imports(map(reading, files), **how)


def run_imports(readings: Iterable[Reading], *, project: Path, dry_run: bool, form: Format) -> None:
    """Import what was read into the project after a backup, and print what was found."""
    if not dry_run:
        back_up(project)
    try:
        with opened(project) as target:
            found = import_all(target, readings, dry_run=dry_run)
    finally:
        output.clear_status()
    if form is Format.JSON:
        output.data(to_json({"dry_run": dry_run, "files": [one.to_dict() for one in found]}))
    else:
        shared = take_shared(found)
        said = "".join(f"! {one_line(warning)}\n" for warning in shared)
        output.data("\n".join([*map(_block, found), *([said] if said else [])]))
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
