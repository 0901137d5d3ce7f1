"""``annotator merge``: other projects into this one."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import click

from annotator.actions.imports.project import project_of
from annotator.cli.importing import run_imports, storing_options


@click.command("merge")
@storing_options
@click.argument(
    "files", nargs=-1, required=True, metavar="OTHER.db...", type=click.Path(path_type=Path)
)
@click.option("--keep-mine", is_flag=True,
              help="Where a query or a system differs, keep that of this project.")  # fmt: skip
@click.option("--any-rubric", is_flag=True,
              help="Also take a project that grades by another rubric.")  # fmt: skip
def command(files: Sequence[Path], keep_mine: bool, any_rubric: bool, **how: Any) -> None:
    """Bring together the work of people who graded apart.

    Queries, texts, systems, pool and log of the OTHER projects come into this one; they are only
    read. An entry of the log that is here already is not stored again, so nothing is lost or
    doubled in whatever order projects are merged. Of two labels of one pair the later holds.
    """
    readings = [
        partial(project_of, path=one, keep_mine=keep_mine, any_rubric=any_rubric) for one in files
    ]
    run_imports(readings, **how)
