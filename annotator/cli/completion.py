"""What a shell completes: names from the project in this folder, presets and measures.

Nothing is said and nothing changed whatever goes wrong: then there is just nothing to complete.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import click
from click.shell_completion import CompletionItem

if TYPE_CHECKING:
    from annotator.store import Project

MOST = 500
USUAL_CUTOFF = 10

Completion: TypeAlias = Callable[[click.Context, click.Parameter, str], list[CompletionItem]]


def _of_project(names: Callable[[Project], Iterable[str]]) -> Completion:
    """Completes names that a project has."""

    def complete(ctx: click.Context, _param: click.Parameter, begun: str) -> list[CompletionItem]:
        path = ctx.params.get("project")
        if not isinstance(path, Path) or not path.is_file():
            return []
        with suppress(Exception):
            from annotator.store import Project

            project = Project.open(path)
            try:
                return _items(names(project), begun)
            finally:
                project.close()
        return []

    return complete


def _items(names: Iterable[str], begun: str) -> list[CompletionItem]:
    """The names that begin so, without those that a shell would take apart or obey."""
    fit = (name for name in names if name.startswith(begun) and shlex.quote(name) == name)
    return [CompletionItem(name) for name in islice(fit, MOST)]


def _files(begun: str) -> list[CompletionItem]:
    """Files, which go with no names: bash takes the names back where it is to complete files."""
    return [CompletionItem(begun, type="file")]


systems = _of_project(lambda project: [one.name for one in project.systems.all()])
queries = _of_project(lambda project: project.queries.ids())
assessors = _of_project(lambda project: project.judgments.assessors())


def systems_or_files(
    ctx: click.Context, param: click.Parameter, begun: str
) -> list[CompletionItem]:
    """What the project's systems are called; files where none is called so."""
    return systems(ctx, param, begun) or _files(begun)


def presets(_ctx: click.Context, _param: click.Parameter, begun: str) -> list[CompletionItem]:
    """The rubrics that ship with the program; files where none is called so."""
    from annotator.rubric_files import presets as known

    return _items(known(), begun) or _files(begun)


def measures(_ctx: click.Context, _param: click.Parameter, begun: str) -> list[CompletionItem]:
    """The measures at the usual cutoff; of a list with commas the last."""
    from rubric import KINDS, Cutoff

    before, comma, last = begun.rpartition(",")
    names: Sequence[str] = [
        kind.name if kind.cutoff is Cutoff.NONE else f"{kind.name}@{USUAL_CUTOFF}"
        for kind in KINDS.values()
    ]
    return [CompletionItem(f"{before}{comma}{name}") for name in names if name.startswith(last)]
