"""``annotator status``: what is judged and what is missing."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

import click

from annotator.actions.pool_bias import pool_bias as find_pool_bias
from annotator.actions.status import new_systems, status
from annotator.cli import output
from annotator.cli.options import (
    as_of_option,
    command_line,
    format_option,
    next_steps,
    opened,
    project_option,
)
from annotator.cli.results import note_withheld
from annotator.errors import UsageError
from annotator.report.coverage_text import write_coverage
from annotator.report.next_step import next_step
from annotator.report.pool_bias_text import write_pool_bias
from annotator.report.tables import Format
from annotator.results.coverage import Coverage
from annotator.text.plural import counted
from annotator.text.safe import one_line
from rubric import Measure, RubricError


@click.command("status")
@project_option
@click.option(
    "-k", "cutoffs", multiple=True, default=(3, 10), show_default=True,
    type=click.IntRange(1, 10_000), help="Cutoffs of judged@k (repeat it).",
)  # fmt: skip
@as_of_option("With the labels and the rubric as they were then (UTC); the pool is that of now.")
@click.option("--per-query", is_flag=True, help="Also show every query.")
@click.option("--pool-bias", is_flag=True,
              help="Instead: score each system as if it had not been pooled.")  # fmt: skip
@click.option("--group", "groups", multiple=True, metavar="NAME=A,B",
              help="With --pool-bias: leave these systems out together (repeat it).")  # fmt: skip
@click.option(
    "-m", "measure", metavar="MEASURE", help="The measure of --pool-bias. [default: nDCG@10]"
)
@format_option()
def command(
    project: Path,
    cutoffs: Sequence[int],
    as_of: datetime | None,
    per_query: bool,
    pool_bias: bool,
    groups: Sequence[str],
    measure: str | None,
    form: Format,
) -> None:
    """Show what is judged and what is missing.

    Judged@k is the share of a system's first k documents that somebody has judged. --pool-bias
    shows how wrong an estimate would be for a system that comes after
    judging: each system is scored without the labels of documents that it alone brought.

    \b
    Examples:
      annotator status
      annotator status --pool-bias --group dense=minilm,contriever
    """
    if pool_bias and as_of:
        raise UsageError("--pool-bias goes by the labels of now: leave out --as-of")
    if pool_bias:
        _tell_pool_bias(project, measure or "nDCG@10", groups, form)
        return
    if groups or measure:
        raise UsageError("--group and -m go with --pool-bias")
    with opened(project) as opened_project:
        found = status(opened_project, cutoffs, as_of)
        new = new_systems(opened_project, found)
    output.data(write_coverage(found, form, per_query=per_query, width=output.width()))
    tell_missing(project, found)
    note_withheld(found.basis)
    for system, unjudged in new:
        place = "it can be placed"
        if unjudged:
            place = f"label {counted(unjudged, 'document')} to place it"
        output.note(
            f"{one_line(system)} is not in the pool: {place}; `score` shows what is expected"
            + (f", {command_line(project, 'pool')} takes them in" if unjudged else "")
        )


def _tell_pool_bias(path: Path, measure: str, groups: Sequence[str], form: Format) -> None:
    named: dict[str, list[str]] = {}
    for group in groups:
        name, _, systems = group.partition("=")
        named[name.strip()] = [one.strip() for one in systems.split(",") if one.strip()]
        if not name.strip() or not named[name.strip()]:
            raise UsageError(f"--group {group}: expected a name and systems, such as dense=a,b")
    try:
        chosen = Measure.parse(measure)
    except RubricError as error:
        raise UsageError(str(error)) from error
    with opened(path) as opened_project:
        found = find_pool_bias(opened_project, chosen, named)
    output.data(write_pool_bias(found, form, width=output.width()))


def tell_missing(path: Path, found: Coverage) -> None:
    """Say what to do about what is missing."""
    if not found.systems:
        output.note(next_steps(path, ("import run FILE...", "one file a system")))
    elif not found.total.pooled:
        output.note(next_steps(path, ("pool", "choose the documents to judge")))
    elif found.first_two and (step := next_step(found.first_two, found.total.open, found.depth)):
        output.note(next_steps(path, step))
    tell_textless(path, found.without_text)


def tell_textless(path: Path, count: int) -> None:
    """Say that pooled documents lack a text, if any do."""
    if count:
        have = counted(count, "pooled document has", "pooled documents have")
        todo = command_line(path, "import documents FILE...")
        output.note(f"{have} no text to be judged by: {todo}")
