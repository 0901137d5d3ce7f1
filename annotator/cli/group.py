"""A command group that imports a command's module only when that command is asked for."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import click
from click.exceptions import NoSuchCommand

_PROJECT = "annotator.project"


def named_project(ctx: click.Context, value: Path | None) -> Path | None:
    """The project named here, else the one named before."""
    if value is not None:
        ctx.meta[_PROJECT] = value
    named: Path | None = ctx.meta.get(_PROJECT)
    return named


project_before = click.option(
    "-p",
    "--project",
    type=click.Path(path_type=Path),
    metavar="FILE",
    expose_value=False,
    callback=lambda ctx, _param, value: named_project(ctx, value),
    help="The project file, here or after the command. [default: $ANNOTATOR_PROJECT, else "
    "judgments.db]",
)


class Lazy(NamedTuple):
    """A command: the module of this package whose ``command`` it is, and its line in the help."""

    module: str
    says: str


class LazyGroup(click.Group):
    """Shows its help without importing any command, and runs one without importing the others."""

    def __init__(self, *args: Any, lazy: Mapping[str, Lazy], **options: Any) -> None:
        super().__init__(*args, **options)
        self.lazy = lazy

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names, in the order in which one needs them."""
        return list(self.lazy)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import one command."""
        if cmd_name not in self.lazy:
            return None
        command = import_module(f"annotator.cli.{self.lazy[cmd_name].module}").command
        return command if isinstance(command, click.Command) else None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command that is asked for; where there is none, name those spelled like it."""
        try:
            return super().resolve_command(ctx, args)
        except NoSuchCommand as error:
            raise NoSuchCommand(error.command_name, possibilities=self.lazy, ctx=ctx) from error

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands from what is known without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, one.says) for name, one in self.lazy.items()])
