"""Runs a command of the program in this process."""

from __future__ import annotations

import io
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import NamedTuple

from annotator.cli import main


class Result(NamedTuple):
    """What a command left behind."""

    code: int
    out: str
    err: str


def run_command(path: Path, *words: str) -> Result:
    """Run a command on a project in this process."""
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        code = main(["-p", str(path), *words])
    return Result(code, out.getvalue(), err.getvalue())
