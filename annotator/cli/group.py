"""A command group that imports a command's module only when that command is asked for."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any, NamedTuple

import click


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

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands from what is known without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, one.says) for name, one in self.lazy.items()])
