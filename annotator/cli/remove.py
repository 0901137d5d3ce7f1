"""``annotator remove``: queries, systems and labels out of a project, and back."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import click

from annotator.actions.imports.report import Found
from annotator.actions.imports.weights import remove_weights
from annotator.actions.removals import (
    removals,
    remove_labels,
    remove_queries,
    remove_systems,
    undo_removal,
)
from annotator.cli import completion, output
from annotator.cli.group import project_before
from annotator.cli.options import back_up, format_option, instant_option, opened, project_option
from annotator.errors import UsageError
from annotator.report.tables import Cell, Format, facts, render
from annotator.text.safe import one_line

dry_run_option = click.option(
    "--dry-run", is_flag=True, help="Say what would happen; change nothing."
)


@click.group("remove")
@project_before
def command() -> None:
    """Take queries, systems or labels out of the project, and put them back.

    Nothing is deleted: the log keeps every entry, `remove list` shows what is out, and `remove
    undo` puts it back.
    """


@command.command("query")
@project_option
@dry_run_option
@click.argument(
    "queries", nargs=-1, required=True, metavar="ID...", shell_complete=completion.queries
)
def query(project: Path, queries: tuple[str, ...], dry_run: bool) -> None:
    """Take queries out of pool, scores, coverage and exports."""
    _back_up(project, dry_run)
    with opened(project) as target:
        _say(remove_queries(target, queries, dry_run=dry_run), dry_run)


@command.command("system")
@project_option
@dry_run_option
@click.argument(
    "systems", nargs=-1, required=True, metavar="NAME...", shell_complete=completion.systems
)
def system(project: Path, systems: tuple[str, ...], dry_run: bool) -> None:
    """Take systems out of scores and pool; pooled documents with labels stay."""
    _back_up(project, dry_run)
    with opened(project) as target:
        _say(remove_systems(target, systems, dry_run=dry_run), dry_run)


@command.command("labels")
@project_option
@dry_run_option
@click.option(
    "--assessor", metavar="NAME", shell_complete=completion.assessors, help="Only of this assessor."
)
@click.option(
    "--query", metavar="ID", shell_complete=completion.queries, help="Only of this query."
)
@instant_option("--since", "Only given from then on (UTC).", whole_day=False)
@instant_option("--until", "Only given up to then (UTC).", whole_day=True)
def labels(
    project: Path,
    assessor: str | None,
    query: str | None,
    since: datetime | None,
    until: datetime | None,
    dry_run: bool,
) -> None:
    """Withdraw labels, each by a new entry of the log."""
    if (assessor, query, since, until) == (None, None, None, None):
        raise UsageError("say which labels: --assessor, --query, --since or --until")
    _back_up(project, dry_run)
    with opened(project) as target:
        found = remove_labels(
            target, assessor=assessor, query=query, since=since, until=until, dry_run=dry_run
        )
    _say(found, dry_run)


@command.command("weights")
@project_option
def weights(project: Path) -> None:
    """Let all queries count alike again.

    `annotator import weights FILE` brings weights back.
    """
    back_up(project)
    with opened(project) as target:
        had = remove_weights(target)
    output.note("all queries count alike" if had else "no weights are kept: nothing changed")


@command.command("list")
@project_option
@format_option()
def listed(project: Path, form: Format) -> None:
    """Show what is out of the project."""
    with opened(project) as target:
        rows: list[list[Cell]] = [[one.id, one.kind, one.said, one.at] for one in removals(target)]
    output.data(render(["removal", "kind", "what", "at"], rows, form))


@command.command("undo")
@project_option
@dry_run_option
@click.argument("removal", required=False, type=int, metavar="[REMOVAL]")
def undo(project: Path, removal: int | None, dry_run: bool) -> None:
    """Put back what the last removal took out, or the one of this number."""
    _back_up(project, dry_run)
    with opened(project) as target:
        _say(undo_removal(target, removal, dry_run=dry_run), dry_run)


def _back_up(project: Path, dry_run: bool) -> None:
    if not dry_run:
        back_up(project)


def _say(found: Found, dry_run: bool) -> None:
    said = [(fact, f"{count:,}" if isinstance(count, int) else count)
            for fact, count in found.facts.items()]  # fmt: skip
    output.data(f"{found.kind}\n{facts(said)}".rstrip("\n"))
    for warning in found.warnings:
        output.note(one_line(warning))
    if dry_run:
        output.note("dry run: nothing was changed")
    elif found.kind == "removed":
        output.note("`annotator remove undo` puts it back")
