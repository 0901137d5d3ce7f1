"""``annotator backup``: a copy of a project, whole even while others write."""

from __future__ import annotations

from pathlib import Path

import click

from annotator.atomic_write import becoming
from annotator.cli import output
from annotator.cli.options import opened, project_option
from annotator.store import Project


@click.command("backup")
@project_option
@click.argument("file", required=False, type=click.Path(path_type=Path), metavar="[FILE]")
def command(project: Path, file: Path | None) -> None:
    """Copy a project; the copy is complete even while others grade.

    Without FILE the copy stands beside the project, named by the time. The copy is a project
    itself; `annotator restore` goes back to it.
    """
    with opened(project) as opened_project:
        target = file or _beside(opened_project, project)
        with becoming(target, otherwise="name another file") as part:
            opened_project.file.copy_to(part, target)
    output.data(str(target))


def _beside(project: Project, path: Path) -> Path:
    moment = project.clock().strftime("%Y%m%dT%H%M%SZ")
    return path.with_name(f"{path.stem}.{moment}.backup{path.suffix}")
