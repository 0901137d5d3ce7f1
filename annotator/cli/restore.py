"""``annotator restore``: back to a backup."""

from __future__ import annotations

from pathlib import Path

import click

from annotator.actions.backups import restore
from annotator.cli import output
from annotator.cli.options import project_option


@click.command("restore")
@project_option
@click.argument("backup", type=click.Path(path_type=Path), metavar="BACKUP")
@click.option("--another-project", is_flag=True,
              help="Take BACKUP even if it is of another project.")  # fmt: skip
def command(project: Path, backup: Path, another_project: bool) -> None:
    """Put a copy of a backup in the place of the project.

    BACKUP is checked first. The project that was there is kept beside it under another
    name. Nobody should have the project open meanwhile.
    """
    aside = restore(project, backup, of_another=another_project)
    output.data(str(project))
    if aside:
        output.note(f"what was there before is now {aside}")
