"""Says what a file may be that is two things: it is not guessed."""

from __future__ import annotations

import shlex
from collections.abc import Mapping

from annotator.errors import InputError
from annotator.formats.input.source import Source
from annotator.formats.reader import Kind
from annotator.text.safe import one_line

SHOWN = 3
OPTIONS = {
    Kind.QUERIES: "--queries",
    Kind.DOCUMENTS: "--documents",
    Kind.RUN: "--run",
    Kind.QRELS: "--qrels",
    Kind.JUDGMENTS: "--qrels",
}
"""What takes a file of each kind where there is no project."""


def command(kind: Kind, source: Source, *options: str) -> str:
    """The command that reads this very file so, to be copied; without a project, the options."""
    if not source.imported:
        return f"{OPTIONS[kind]} with {shlex.join(options)}" if options else OPTIONS[kind]
    return shlex.join(["annotator", "import", str(kind), *options, one_line(source.name)])


def ambiguous(source: Source, why: str, readings: Mapping[str, str]) -> InputError:
    """Make the error: why it is not clear, how the file begins, what it may be and how to say so.

    Parameters
    ----------
    source
        The file.
    why
        What is odd about it.
    readings
        What it may hold, and what to do if that is so.
    """
    lines = [f"  {one_line(line, width=76)}" for line in source.head(SHOWN)]
    listed = [f"if it holds {what}: {how}" for what, how in readings.items()]
    return InputError(
        f"{source.name}: is not clear: {why}",
        ["it begins:", *lines, *listed],
    )
