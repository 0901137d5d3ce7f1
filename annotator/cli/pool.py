"""``annotator pool``: which documents are to be judged."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import click

from annotator.actions.pool import make_pool
from annotator.cli import completion, output
from annotator.cli.options import (
    back_up,
    format_option,
    next_steps,
    opened,
    project_option,
)
from annotator.cli.status import tell_textless
from annotator.report.tables import Format, facts, to_json
from annotator.text.plural import counted
from annotator.text.safe import one_line


@click.command("pool")
@project_option
@click.option(
    "--depth", default=10, show_default=True, type=click.IntRange(1, 1_000_000), metavar="N",
    help="How many documents of each ranking.",
)  # fmt: skip
@click.option(
    "--system",
    "systems",
    multiple=True,
    metavar="NAME",
    shell_complete=completion.systems,
    help="Only these systems (repeat it).",
)
@click.option(
    "--seed", type=click.IntRange(0, 2**63 - 1), metavar="N",
    help="Starts the random order in which you see a query's documents. [default: 0]",
)  # fmt: skip
@format_option(Format.TABLE, Format.JSON)
def command(
    project: Path, depth: int, systems: Sequence[str], seed: int | None, form: Format
) -> None:
    """Choose the documents that are to be judged.

    The pool is the union of the first documents of every system. Run it again after a new system
    or with a greater depth: only what is missing is added.
    """
    back_up(project)
    with opened(project) as opened_project:
        had_pool = bool(opened_project.pool.makings())
        made = make_pool(opened_project, depth, systems=list(systems) or None, seed=seed or 0)
        kept = had_pool and seed is not None and opened_project.pool.seed() != seed
    if form is Format.JSON:
        output.data(to_json(asdict(made)))
    else:
        said = [
            ("systems", ", ".join(made.systems)),
            ("depth", f"{made.depth:,}"),
            ("pairs added", f"{made.added:,}"),
            ("pairs pooled", f"{made.pooled:,}"),
            ("left to judge", f"{made.unjudged:,}"),
            ("documents without text", f"{made.without_text:,}"),
        ]
        output.data(facts(said, indent=""))
    if kept:
        output.note(
            "the order of presentation stays that of the first pool; --seed changes nothing"
        )
    if made.strangers:
        shares = "shares" if len(made.strangers) == 1 else "share"
        output.note(
            f"{', '.join(map(one_line, made.strangers))} {shares} no document with any other "
            "system: are the ids those of another collection, or written in another way?"
        )
    tell_textless(project, made.without_text)
    if made.unjudged:
        output.note(next_steps(project, ("grade", counted(made.unjudged, "judgment"))))
