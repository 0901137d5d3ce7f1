"""``annotator report``: one page to hand in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from annotator.atomic_write import becoming, write_lines
from annotator.cli import output, progress
from annotator.cli.options import opened, project_option
from annotator.cli.run_files import (
    RunFiles,
    documents_option,
    hints_from,
    queries_option,
    run_file_options,
)
from annotator.cli.scoring import fitting, options_from, some_score_options
from annotator.errors import ExitCode, InputError, UsageError
from annotator.report.figures.pictures import Picture, picture
from annotator.report.page.page import figures_of, write_report
from annotator.report.page.reading import asked_for, changes
from annotator.report.tables import Format
from annotator.results.comparisons import NEARLY_LEVEL
from annotator.results.reports import Choice, Report
from annotator.text.plural import counted

if TYPE_CHECKING:
    from annotator.scoring.options import ScoreOptions

SUFFIXES = {".html": Format.HTML, ".htm": Format.HTML, ".md": Format.MARKDOWN, ".json": Format.JSON}
MEASURES = ("nDCG@10", "nDCG@3")
MOST_CHANGES = 5
ELSEWHERE = ("project", "file", "figures", "kind", "verify", "force")
"""What is typed and does not change what a report says."""


@click.command("report")
@project_option
@click.argument("file", type=click.Path(path_type=Path), metavar="OUT.html")
@click.argument("names", nargs=-1, metavar="[A B ...]")
@some_score_options(
    "measures", "gain", "threshold", "ties", "empty_ideal", "missing_queries", "unlisted",
    "weights", "as_of", "assessors", "models",
)  # fmt: skip
@run_file_options
@queries_option
@documents_option
@click.option(
    "--margin", type=click.FloatRange(min=0), default=NEARLY_LEVEL, show_default=True,
    help="Systems that are closer are called level.",
)  # fmt: skip
@click.option("--figures", type=click.Path(path_type=Path, file_okay=False), metavar="FOLDER",
              help="Also write each figure there.")  # fmt: skip
@click.option("--figures-as", "kind", type=click.Choice([str(one) for one in Picture]),
              default=str(Picture.SVG), show_default=True,
              callback=lambda _ctx, _param, value: Picture(value),
              help="The kind of these files.")  # fmt: skip
@click.option("--verify", is_flag=True,
              help="Instead: say whether the project still gives this page's numbers.")  # fmt: skip
@click.option("--force", is_flag=True, help="Replace files that are there already.")
def command(project: Path, file: Path, verify: bool, **typed: Any) -> None:
    """Write a report to hand in: one page, with figures.

    The page needs no network and no script. It begins with the answer in plain words. Then come
    scores, queries, comparisons, labels, the rubric, and a paragraph on the method for a paper.
    Without names it is on all systems; with names on these, and A is compared with each of the
    others query by query. The first measure is the one that figures show.

    OUT.md is the same in Markdown, without figures; OUT.json has all numbers; - is stdout. The
    same project and options give the same bytes.

    With --qrels it is run files that are reported on, and no project is needed.

    \b
    Examples:
      annotator report report.html
      annotator report report.html new old -m nDCG@10 --figures figures
      annotator report report.html --verify
      annotator report report.html --qrels labels.qrels --run a.run b.run
    """
    if verify:
        _verify(project, file)
        return
    figures, kind, force = (typed.pop(one) for one in ("figures", "kind", "force"))
    if figures is None and kind is not Picture.SVG:
        raise UsageError("--figures-as says how to write figures: add --figures FOLDER")
    form = SUFFIXES.get(file.suffix.lower(), Format.HTML if str(file) == "-" else None)
    if form is None:
        raise UsageError(f"{file}: a report is written to a file named {', '.join(SUFFIXES)}")
    report = _made(project, **typed)
    text = write_report(report, form, _asked())
    if figures is not None:
        _write_figures(figures, report, kind, force=force)
    lines = text.removesuffix("\n").split("\n")
    if str(file) == "-":
        output.lines(lines)
        return
    write_lines(file, lines, force=force)
    output.note(f"wrote {file}: {len(text.encode()) / 1024:,.0f} KiB")


def _asked() -> dict[str, object]:
    """What was typed and shapes the report: by it the page can be made again."""
    ctx = click.get_current_context()
    typed = {
        name: value
        for name, value in ctx.params.items()
        if ctx.get_parameter_source(name) is not ParameterSource.DEFAULT and name not in ELSEWHERE
    }
    return {name: _plain(value) for name, value in typed.items()}


def _plain(value: object) -> object:
    if isinstance(value, (list, tuple)):
        return [_plain(one) for one in value]
    return value if isinstance(value, (int, float)) else str(value)


def _made(
    project: Path,
    *,
    names: Sequence[str],
    qrels: Path | None,
    runs: Sequence[Path],
    rubric: str | None,
    queries_file: Path | None,
    documents_file: Path | None,
    margin: float,
    measures: Sequence[str],
    **typed: Any,
) -> Report:
    """Make the report on a project, or on files."""
    hints = hints_from(typed)
    options = options_from(measures=measures or MEASURES, **typed)
    files = [*runs, *([] if qrels is None else map(Path, names))]
    given = RunFiles.of(qrels, files, rubric, hints, queries_file, documents_file)
    if given is not None:
        return _of_files(given, options, margin)
    from annotator.actions.reports import report_on

    choice = Choice(tuple(dict.fromkeys(names)), margin)
    with (
        opened(project) as opened_project,
        fitting(opened_project.rubrics.active(options.as_of).rubric, options),
        progress.pairs() as watch,
    ):
        return report_on(opened_project, options, choice, watch)


def _of_files(given: RunFiles, options: ScoreOptions, margin: float) -> Report:
    from functools import partial

    from annotator.actions.files.reports import report_on_files

    make = partial(
        report_on_files,
        choice=Choice((), margin),
        queries=given.queries,
        documents=given.documents,
    )
    return given.make(make, options)


def _write_figures(folder: Path, report: Report, kind: Picture, *, force: bool) -> None:
    """Write every figure to a file of its own."""
    pictures = {one.key: picture(one, kind) for one in figures_of(report)}
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"{folder}: cannot be made: {error.strerror}") from error
    for key, content in pictures.items():
        with becoming(folder / f"{key}.{kind}", force=force) as part:
            part.write_bytes(content)
    output.note(f"wrote {counted(len(pictures), 'figure')} to {folder}")


def _verify(project: Path, file: Path) -> None:
    """Make the page again, and leave with 1 unless it says the same."""
    ctx = click.get_current_context()
    typed = [name for name in _asked() if name != "verify"]
    if typed:
        raise UsageError(
            f"--verify takes its options from the page: leave out --{typed[0].replace('_', '-')}"
        )
    before = _read(file)
    with _again(ctx, file, asked_for(before, file.name)) as again:
        params = {**again.params}
        for name in ELSEWHERE:
            params.pop(name)
        after = write_report(_made(project, **params), Format.HTML, _asked())
    gone, new = changes(before, after)
    if not gone and not new:
        output.note(f"{file}: the project still gives these numbers")
        return
    output.note(
        f"{file}: the project no longer gives these numbers; {counted(len(gone), 'line')} of the "
        "page would change, such as:"
    )
    for sign, lines in (("-", gone), ("+", new)):
        for line in lines[:MOST_CHANGES]:
            output.note(f"  {sign} {line}")
    ctx.exit(ExitCode.NO)


def _again(ctx: click.Context, file: Path, asked: Mapping[str, Any]) -> click.Context:
    """The command as it was when the page was made."""
    try:
        made = command.make_context("report", [str(file)], parent=ctx.parent, default_map=asked)
    except (click.ClickException, TypeError, ValueError) as error:
        raise InputError(f"{file}: its options cannot be read: {error}") from error
    return made


def _read(file: Path) -> str:
    try:
        return file.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{file}: cannot be read as a report: {error}") from error
