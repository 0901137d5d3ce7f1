"""The help: there for every command, and quick."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator

import click
import pytest

from annotator import __version__
from annotator.cli import COMMANDS, group
from tests.cli.conftest import Run
from tests.projects import ROOT, finished, start_python


def commands(start: click.Group = group, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    context = click.Context(start)
    for name in start.list_commands(context):
        command = start.get_command(context, name)
        yield (*path, name)
        if isinstance(command, click.Group):
            yield from commands(command, (*path, name))


@pytest.mark.parametrize("words", list(commands()), ids=" ".join)
def test_every_command_has_help(run: Run, words: tuple[str, ...]) -> None:
    result = run(*words, "--help")
    assert (result.code, result.err) == (0, "")
    assert result.out.startswith(f"Usage: annotator {' '.join(words)}")
    assert max(map(len, result.out.splitlines())) <= 100
    assert "\\" not in result.out, "its examples stand one a line"


@pytest.mark.parametrize("name", COMMANDS)
def test_the_list_of_commands_says_what_the_command_says(name: str) -> None:
    command = group.get_command(click.Context(group), name)
    assert command is not None
    assert (command.help or "").splitlines()[0] == COMMANDS[name].says


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        (["scor"], "'score'"),
        (["comapre"], "'compare'"),
        (["import", "qrel"], "qrels"),
        (["score", "--qrel", "x"], "--qrels"),
    ],
)
def test_what_is_misspelt_is_answered_with_what_was_meant(
    run: Run, typed: list[str], meant: str
) -> None:
    result = run(*typed)
    assert (result.code, result.out) == (2, "")
    assert "did you mean" in result.err.lower()
    assert meant in result.err


def test_what_is_like_no_command_is_refused_without_a_guess(run: Run) -> None:
    result = run("xyzzy")
    assert result.code == 2
    assert "did you mean" not in result.err.lower()


def test_the_version_is_printed(run: Run) -> None:
    assert run("--version") == (0, f"annotator {__version__}\n", "")


@pytest.mark.parametrize("words", [["--help"], ["--version"], ["score", "--help"]])
def test_help_loads_no_screens(words: list[str]) -> None:
    script = f"import sys; from annotator.cli import main; main({words}); print(*sys.modules)"
    loaded = finished(start_python(script)).split()
    assert not {"textual", "rich"} & set(loaded)
    if words[0] != "score":
        assert not {"numpy", "sqlite_utils"} & set(loaded)


def test_the_module_runs_as_a_program() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "annotator", "rubric", "measures"], capture_output=True, text=True,
        check=True, env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    assert "nDCG[@k]" in done.stdout
