"""The command palette: everything that has a key on the screen, to be found by words."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from functools import partial
from typing import Any

from textual.app import App
from textual.binding import ActiveBinding
from textual.command import CommandPalette, DiscoveryHit, Hit, Hits, Provider

from annotator.tui.screens.once import OnceLeft

Command = Callable[[], Awaitable[None]]


class Commands(CommandPalette, OnceLeft[None]):
    """The list of commands; a held key chooses one."""


class ScreenCommands(Provider):
    """What can be done on the screen that the palette was opened on, made from its bindings."""

    async def discover(self) -> Hits:
        """All there is, before anything is typed."""
        for says, key, command in self._commands():
            yield DiscoveryHit(says, command, help=key)

    async def search(self, query: str) -> Hits:
        """What fits the words typed."""
        matcher = self.matcher(query)
        for says, key, command in self._commands():
            if (score := matcher.match(says)) > 0:
                yield Hit(score, matcher.highlight(says), command, help=key)

    def _commands(self) -> Iterator[tuple[str, str, Command]]:
        named: set[str] = set()
        for active in self.screen.active_bindings.values():
            binding = active.binding
            if binding.id and binding.id not in named and binding.action != "command_palette":
                named.add(binding.id)
                key = f"key: {self.app.get_key_display(binding)}"
                yield binding.tooltip, key, partial(self._run, active)

    async def _run(self, active: ActiveBinding) -> None:
        await self.app.run_action(active.binding.action, active.node)


async def do_by_id(app: App[Any], name: str | None) -> None:
    """Do what the binding of this id stands for on the screen, if there is one."""
    for active in app.screen.active_bindings.values():
        if name and active.binding.id == name:
            await app.run_action(active.binding.action, active.node)
            return
