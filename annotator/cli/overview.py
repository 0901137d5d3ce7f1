"""``annotator`` without a command: what is in this folder, and what to do next."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from annotator.cli import output
from annotator.cli.group import named_project
from annotator.cli.options import DEFAULT_PROJECT, command_line, next_steps, opened
from annotator.text.numbers import part
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
            counts = Counts.of(project)
        output.data(one_line(f"{path}: {counts.line()}"))
        output.data(next_steps(path, *counts.steps(), ("--help", "every command")))
    else:
        output.data(f"There is no project here by the name of {one_line(str(path))}.")
        if not others:
            output.data(next_steps(path, *NOTHING))
    for other in others:
        output.data(one_line(f"also here: {command_line(other)}"))


class Counts(NamedTuple):
    """What a project holds."""

    queries: int
    systems: int
    pooled: int
    judged: int

    @classmethod
    def of(cls, project: Project) -> Counts:
        """Count; labels count whoever gave them."""
        versions = ",".join(map(str, sorted(project.rubrics.counted())))
        ((_, _, _, _, judged, _),) = project.pool.said(0, versions, each_query=False)
        queries, systems = project.queries.count(), len(project.systems.all())
        return cls(queries, systems, project.pool.size(), judged)

    def line(self) -> str:
        """They in a few words."""
        said = [counted(self.queries, "query", "queries"), counted(self.systems, "system")]
        if self.pooled:
            pairs, share = counted(self.pooled, "pooled pair"), part(self.judged, self.pooled)
            said.append(f"{self.judged:,} of {pairs} judged ({share})")
        return ", ".join(said)

    def steps(self) -> list[Step]:
        """What comes next, by what is there."""
        if not self.queries:
            return [("import queries FILE", "what was asked")]
        if not self.systems:
            return [("import run FILE...", "what each system returned: one file a system")]
        if not self.pooled:
            return [("pool", "choose the documents to judge")]
        left = [("grade", "judge what is left")] if self.judged < self.pooled else []
        scores = ("score", "every system's scores so far")
        return [*left, scores, ("compare A B", "which of two is better")]
