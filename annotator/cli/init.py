"""``annotator init``: a new project."""

from __future__ import annotations

from pathlib import Path

import click

from annotator import rubric_files
from annotator.cli import completion, output
from annotator.cli.options import next_steps, project_option
from annotator.store import Project


@click.command("init")
@click.argument("file", required=False, type=click.Path(path_type=Path), metavar="[FILE]")
@project_option
@click.option(
    "--rubric",
    "name",
    default=rubric_files.DEFAULT,
    show_default=True,
    metavar="NAME|FILE",
    shell_complete=completion.presets,
    help="What to grade by: a preset (`annotator rubric list`) or a TOML file.",
)
def command(file: Path | None, project: Path, name: str) -> None:
    """Make a new project.

    A project is one file: FILE, or what -p names. It holds queries, runs, the pool, texts and every
    judgment, and the rubric that says what the grades mean.
    """
    rubric, project = rubric_files.load(name), file or project
    Project.create(project, rubric).close()
    output.note(
        f"made {project}: grades 0 to {rubric.top} under the rubric {rubric.name} "
        f"v{rubric.version}\n"
        + next_steps(
            project,
            ("import queries FILE", "what was asked"),
            ("import run FILE...", "what each system returned: one file a system"),
            ("pool", "choose the documents to judge"),
            ("import documents FILE...", "their texts"),
            ("grade", "judge them"),
        )
    )
