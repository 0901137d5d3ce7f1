"""``annotator rubric``: what the grades mean."""

from __future__ import annotations

import textwrap
from pathlib import Path

import click

from annotator import rubric_files
from annotator.actions.rubrics import set_rubric
from annotator.cli import completion, output
from annotator.cli.group import project_before
from annotator.cli.measures import measures
from annotator.cli.options import back_up, format_option, opened, project_option
from annotator.report.tables import Cell, Format, render
from annotator.text.plural import counted
from annotator.text.safe import one_line
from rubric import Rubric


@click.group("rubric")
@project_before
def command() -> None:
    """Show or change what the grades mean.

    To make your own: annotator rubric show general > mine.toml, edit it (with a name of its own,
    or a higher version), then annotator rubric set mine.toml.
    """


@command.command("list")
@format_option()
def list_presets(form: Format) -> None:
    """List the rubrics that come with the program."""
    rows: list[list[Cell]] = [
        [name, one.version, f"0-{one.top}", str(one.gain), one.threshold, _labels(one)]
        for name, one in rubric_files.presets().items()
    ]
    headers = ["name", "version", "grades", "gain", "relevant from", "labels"]
    output.data(render(headers, rows, form))


@command.command("show")
@project_option
@click.argument("name", required=False, metavar="[NAME|FILE]", shell_complete=completion.presets)
@click.option(
    "--format", "form", type=click.Choice(["toml", "text"]), default="toml", show_default=True,
    help="TOML, which `rubric set` and `init` read, or text.",
)  # fmt: skip
def show(project: Path, name: str | None, form: str) -> None:
    """Print a rubric: the project's, a preset, or a file."""
    if name is None:
        with opened(project) as opened_project:
            rubric = opened_project.rubrics.active().rubric
    else:
        rubric = rubric_files.load(name)
    output.data(rubric_files.to_toml(rubric) if form == "toml" else _text(rubric))


@command.command("set")
@project_option
@click.argument("name", metavar="NAME|FILE", shell_complete=completion.presets)
@click.option("--carry-labels", is_flag=True, help="Labels given under the one before count on.")
def set_command(project: Path, name: str, carry_labels: bool) -> None:
    """Grade by this rubric from now on.

    Labels keep the rubric they were given under. They count on under the new one only with
    --carry-labels; without it nothing is lost, and setting the old one again counts them again.
    """
    rubric = rubric_files.load(name)
    back_up(project)
    with opened(project) as opened_project:
        change = set_rubric(opened_project, rubric, carry_labels=carry_labels)
    if change.before.fingerprint == rubric.fingerprint:
        output.note(f"{project} grades by {_named(rubric)} already; nothing was changed")
        return
    output.note(f"{project} now grades by {_named(rubric)}, before by {_named(change.before)}")
    gone = change.counted_before - change.counted_now
    if gone > 0:
        lost = counted(gone, "label no longer counts", "labels no longer count")
        output.note(
            f"{lost}; all are kept. To carry them over, set the rubric before again and then this "
            "one with --carry-labels"
        )
    elif change.counted_now:
        output.note(counted(change.counted_now, "label counts", "labels count"))


command.add_command(measures)


def _named(rubric: Rubric) -> str:
    return f"{one_line(rubric.name)} v{rubric.version}"


def _labels(rubric: Rubric) -> str:
    return ", ".join(f"{level.grade} {level.label}" for level in rubric.levels)


def _text(rubric: Rubric) -> str:
    """A rubric to be read by people."""
    width = min(output.width(), 100)
    blocks = [
        f"{_named(rubric)}, gain {rubric.gain}, relevant from grade {rubric.threshold}",
        *textwrap.wrap(one_line(rubric.instructions), width),
    ]
    for level in rubric.levels:
        blocks += ["", f"{level.grade}  {one_line(level.label)}"]
        for paragraph in (level.definition, *(f"e.g. {one}" for one in level.examples)):
            blocks.append(
                textwrap.fill(
                    one_line(paragraph), width, initial_indent="   ", subsequent_indent="   "
                )
            )
    return "\n".join(blocks) + "\n"
