"""``annotator demo``: the program at work on data that comes with it."""

from __future__ import annotations

from pathlib import Path

import click

from annotator.actions.demo import NEW, open_or_build, write_files
from annotator.actions.status import status
from annotator.cli import output
from annotator.cli.grade import assessor_option, judge
from annotator.cli.group import named_project
from annotator.cli.options import next_steps
from annotator.cli.scoring import scored
from annotator.report.coverage_text import write_coverage
from annotator.report.scoreboard_text import write_scoreboard
from annotator.report.tables import Format
from annotator.scoring.options import ScoreOptions
from annotator.store import Project
from annotator.text.plural import counted

DEFAULT_FILE = Path("demo.db")


@click.command("demo")
@click.argument("file", required=False, type=click.Path(path_type=Path), metavar="[FILE]")
@click.option("-p", "--project", type=click.Path(path_type=Path), metavar="FILE",
              help="Another way to give FILE. [default: demo.db]")  # fmt: skip
@click.option("--files", type=click.Path(path_type=Path), metavar="DIR",
              help="Only write the files it is made from, to import them by hand.")  # fmt: skip
@assessor_option
@click.pass_context
def command(
    ctx: click.Context, file: Path | None, project: Path | None, files: Path | None, assessor: str
) -> None:
    """Try the program on real data that comes with it.

    Forty questions of the Cranfield collection and five systems: four are pooled and judged, the
    fifth is new. Makes FILE, or goes on with it where it is there. In a terminal the screens
    open; elsewhere the coverage and the scoreboard are printed.
    """
    path = file or named_project(ctx, project) or DEFAULT_FILE
    if files is not None:
        _write(files)
        return
    new = not path.exists()
    demo = open_or_build(path)
    try:
        output.note(f"made {path}" if new else f"going on with {path}, which is there already")
        if output.has_terminal():
            judge(demo, path, assessor)
        else:
            _print(demo, path)
    finally:
        demo.close()


def _write(folder: Path) -> None:
    for written in write_files(folder):
        output.data(str(written))
    output.note(
        f"next: annotator init, then import queries, runs, qrels and documents from {folder}; "
        "PROVENANCE.md says where the data comes from"
    )


def _print(demo: Project, path: Path) -> None:
    found = status(demo)
    output.data(write_coverage(found, Format.TABLE) + "\n")
    table = scored(demo, ScoreOptions())
    output.data(write_scoreboard(table, Format.TABLE, width=output.width()))
    if found.total.open and any(one.system == NEW for one in found.systems):
        unjudged = counted(found.total.open, "document it found is", "documents it found are")
        output.note(
            f"\n{NEW} is new: {unjudged} not judged. Judge what is left, and see whether it is "
            "better."
        )
    output.note(
        next_steps(
            path,
            ("grade", "judge what is left, in a terminal"),
            ("score --per-query", "query by query"),
            ("status", "what is judged"),
            ("export qrels FILE", "the labels, for other programs"),
        )
    )
