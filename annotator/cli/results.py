"""Results, and the method behind them as a file of its own, to which CSV rows refer."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Protocol

import click

from annotator.atomic_write import write_lines
from annotator.cli import output
from annotator.report.tables import to_json
from annotator.report.withheld import why_withheld
from annotator.results.method import Basis
from rubric.model.evidence import Withheld

method_option = click.option(
    "--method", "method_file", type=click.Path(path_type=Path), metavar="FILE",
    help="Also write to this file, as JSON, how the numbers were made. Rows of CSV and TSV name it "
    "by its fingerprint.",
)  # fmt: skip


class Made(Protocol):
    """A result that knows how it was made."""

    def line(self) -> str:
        """The method in one line."""

    def made(self) -> dict[str, Any]:
        """The JSON form of the method, with its fingerprint."""


def result(text: str, table: Made, method_file: Path | None) -> None:
    """Write the method, if asked to, and print a result.

    Raises
    ------
    UsageError
        If the file cannot be written, or is there and holds something else than a method.
    """
    keep_method(table, method_file)
    output.data(text)


def note_withheld(basis: Basis | None) -> None:
    """Say where nothing is expected although there are labels, and what to do."""
    if basis is not None and basis.withheld not in (None, Withheld.NO_LABELS):
        output.note(" ".join(why_withheld(basis)))


def keep_method(table: Made, file: Path | None) -> None:
    """Write the method if there is a file for it; what is raised is that of :func:`result`."""
    if file is not None:
        text = to_json(table.made() | {"in_words": table.line()})
        write_lines(file, text.splitlines(), force=_holds_method(file))


def _holds_method(file: Path) -> bool:
    """Whether a file is an earlier one of these, which may go."""
    try:
        return "in_words" in json.loads(file.read_text("utf-8"))
    except (OSError, ValueError, TypeError):
        return False
