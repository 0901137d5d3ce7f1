"""``annotator diff``: two rankings of one query side by side."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import click

from annotator.cli import completion, output
from annotator.cli.options import format_option, opened, project_option
from annotator.cli.run_files import (
    RunFiles,
    documents_option,
    hints_from,
    queries_option,
    run_file_options,
)
from annotator.cli.scoring import options_from, some_score_options
from annotator.errors import UsageError
from annotator.report.moves_text import write_moves
from annotator.report.page.page import write_alone
from annotator.report.tables import STANDARD, Format
from annotator.text.safe import one_line
from rubric.evaluation.measure import DEEPEST


@click.command("diff")
@project_option
@run_file_options
@queries_option
@documents_option
@click.argument("pair", nargs=-1, metavar="A B", shell_complete=completion.systems_or_files)
@click.option(
    "--query",
    "qid",
    required=True,
    metavar="QUERY",
    shell_complete=completion.queries,
    help="The query to look at.",
)
@click.option("-k", "depth", type=click.IntRange(1, DEEPEST), default=10, show_default=True,
              metavar="K", help="How far down to look.")  # fmt: skip
@some_score_options("assessors", "as_of")
@format_option(*STANDARD, Format.HTML)
def command(
    project: Path,
    qrels: Path | None,
    runs: Sequence[Path],
    rubric: str | None,
    queries_file: Path | None,
    documents_file: Path | None,
    pair: Sequence[str],
    qid: str,
    depth: int,
    form: Format,
    **typed: Any,
) -> None:
    """Show what moved between two rankings of a query.

    It is what B moves up and down compared with A, what is new and what is gone. Each document
    stands with its grade; what nobody judged is called unjudged.

    With --qrels you compare two run files, without a project.

    \b
    Examples:
      annotator diff bm25 dense --query 190
      annotator diff bm25 dense --query 190 --format html > 190.html
      annotator diff --qrels labels.qrels bm25.run dense.run --query 190 --documents corpus.jsonl
    """
    hints = hints_from(typed)
    options = options_from(**typed)
    files = [*runs, *([] if qrels is None else map(Path, pair))]
    given = RunFiles.of(qrels, files, rubric, hints, queries_file, documents_file)
    named = files if given is not None else pair
    if len(named) != 2:
        raise UsageError(
            f"two rankings are put side by side, not {len(named)}: `annotator diff A B --query ID`"
        )
    if given is not None:
        from annotator.actions.files.tables import moves_of_files

        move = partial(
            moves_of_files,
            qid=qid,
            k=depth,
            queries=given.queries,
            documents=given.documents,
        )
        table = given.make(move, options)
    else:
        from annotator.actions.moves import moves_of

        with opened(project) as opened_project:
            [table] = moves_of(opened_project, (pair[0], pair[1]), [qid], options, depth)
    text = write_moves(table, form, width=output.width())
    if form is Format.HTML:
        heading = one_line(f"{table.first} and {table.second} on query {table.query}")
        text = write_alone(heading, text, table.line(), table.tool)
    output.data(text)
