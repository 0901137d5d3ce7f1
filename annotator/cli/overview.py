"""``annotator`` without a command: what is in this folder, and what to do next."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from annotator.cli import output
from annotator.cli.group import named_project
from annotator.cli.options import DEFAULT_PROJECT, command_line, next_steps, opened
from annotator.text.percentages import part
from annotator.text.plural import counted
from annotator.text.safe import one_line

if TYPE_CHECKING:
    from annotator.store import Project

Step = tuple[str, str]

NOTHING = (
    ("demo", "see it at work on real data"),
    ("init", "start a project in this folder"),
    ("score --qrels LABELS --run RUN...", "score files, without a project"),
    ("--help", "every command"),
)


def overview(ctx: click.Context) -> None:
    """Say what is in this folder, and what to do next."""
    from annotator.store.sqlite.location import projects_in

    path = named_project(ctx, None) or Path(os.environ.get("ANNOTATOR_PROJECT") or DEFAULT_PROJECT)
    others = [one for one in projects_in(Path()) if one.absolute() != path.absolute()]
    if path.exists():
        with opened(path) as project:
            output.data(one_line(f"{path}: {_state(project)}"))
            output.data(next_steps(path, *_steps(project), ("--help", "every command")))
    else:
        output.data(f"There is no project here by the name of {one_line(str(path))}.")
        if not others:
            output.data(next_steps(path, *NOTHING))
    for other in others:
        output.data(one_line(f"also here: {command_line(other)}"))


def _state(project: Project) -> str:
    """What a project holds, in a sentence."""
    systems, queries = len(project.systems.all()), project.queries.count()
    pooled, judged = project.pool.size(), _judged(project)
    said = [counted(queries, "query", "queries"), counted(systems, "system")]
    if pooled:
        said.append(
            f"{judged:,} of {counted(pooled, 'pooled pair')} judged ({part(judged, pooled)})"
        )
    return ", ".join(said)


def _judged(project: Project) -> int:
    versions = ",".join(map(str, sorted(project.rubrics.counted())))
    ((_, judged, *_),) = project.pool.said(0, versions, each_query=False)
    return judged or 0


def _steps(project: Project) -> list[Step]:
    """What comes next, by what is there."""
    if not project.queries.count():
        return [("import queries FILE", "what was asked")]
    if not project.systems.all():
        return [("import run FILE...", "what each system returned: one file a system")]
    pooled = project.pool.size()
    if not pooled:
        return [("pool", "choose the documents to judge")]
    steps = [("score", "every system's scores so far"), ("compare A B", "which of two is better")]
    if _judged(project) < pooled:
        return [("grade", "judge what is left"), *steps]
    return steps
