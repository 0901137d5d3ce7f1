"""``annotator companions``: near-duplicates and catalog coverage."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import click

from annotator.actions.catalogs import DeclaredCatalog, find_companions
from annotator.cli import output
from annotator.cli.options import format_option, opened, project_option
from annotator.cli.results import method_option, result
from annotator.cli.run_files import (
    FILE,
    RunFiles,
    documents_option,
    hints_from,
    run_file_options,
)
from annotator.cli.scoring import options_from, some_score_options
from annotator.report.companions_text import write_companions
from annotator.report.tables import Format
from rubric.evaluation.measure import DEEPEST


@click.command("companions")
@project_option
@run_file_options
@documents_option
@click.argument("more", nargs=-1, type=FILE, metavar="")
@click.option(
    "-k", "cutoffs", multiple=True, default=(10,), show_default=True,
    type=click.IntRange(1, DEEPEST), help="How far down to look (repeat it).",
)  # fmt: skip
@click.option(
    "--catalog", metavar="N|FILE",
    help="What coverage is measured against: a number of documents, or a file of ids or documents. "
    "[default: every document that any imported file named and the project kept]",
)  # fmt: skip
@some_score_options("systems")
@method_option
@format_option()
def command(
    project: Path,
    qrels: Path | None,
    runs: Sequence[Path],
    rubric: str | None,
    documents_file: Path | None,
    more: Sequence[Path],
    cutoffs: Sequence[int],
    catalog: str | None,
    method_file: Path | None,
    form: Format,
    **typed: Any,
) -> None:
    """Count near-duplicates in the top k, and how much of the catalog is shown.

    A relevance measure pays for the same passage twice, and does not see that a system shows
    everyone the same few documents. Texts are compared as far as the project holds them.

    With --qrels you look at run files, without a project; --documents names
    their texts.

    \b
    Examples:
      annotator companions -k 3 -k 10 --catalog corpus.jsonl
      annotator companions --qrels labels.qrels --run a.run b.run --documents corpus.jsonl
    """
    hints = hints_from(typed)
    options = options_from(**typed)
    declared = None if catalog is None else DeclaredCatalog(catalog)
    given = RunFiles.of(qrels, [*runs, *more], rubric, hints, documents=documents_file)
    if given is not None:
        from annotator.actions.files.tables import companions_of_files

        count = partial(
            companions_of_files, cutoffs=cutoffs, declared=declared, documents=given.documents
        )
        table = given.make(count, options)
    else:
        with opened(project) as opened_project:
            table = find_companions(opened_project, cutoffs, options.systems, declared)
    result(write_companions(table, form, width=output.width()), table, method_file)
