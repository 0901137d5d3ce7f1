"""The command palette: everything that has a key on the screen, to be found by words."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from functools import partial
from typing import Any

from textual.app import App
from textual.binding import ActiveBinding
from textual.command import CommandPalette, DiscoveryHit, Hit, Hits, Provider

from annotator.tui.screens.base import BaseScreen

SYNONYMS = {
    "grade.undo": "take back revert",
    "grade.later": "later put aside postpone defer",
    "grade.cannot": "cannot impossible broken reason not judgeable",
    "grade.note": "comment remark",
    "grade.back": "previous before left",
    "grade.forward": "following after right",
    "grade.next-query": "skip topic",
    "grade.previous-query": "topic",
    "grade.only-open": "skip judged unjudged filter browse",
    "grade.need": "description narrative hide",
    "query.whole": "description narrative topic need",
    "document.about": "metadata fields id url author date",
    "document.markdown": "formatting",
    "evidence.mark": "passage highlight lines reason",
    "grade.models": "llm language gpt machine labels",
    "evidence.drop": "cancel",
    "find.start": "search look for words",
    "app.queries": "list progress coverage topics",
    "app.scores": "scoreboard results board ndcg compare rankings",
    "app.verdict": "stop decide winner better",
    "app.history": "earlier last judgments grades regrade change",
    "app.rubric": "scale levels meaning definition instructions guidelines",
    "app.help": "keys shortcuts",
    "app.quit": "leave exit close",
    "app.suspend": "shell background pause",
    "app.redraw": "refresh repaint clear",
    "scores.compare": "difference versus two",
    "scores.measure": "metric next",
    "scores.measures": "metrics cutoffs choose",
}
"""Other words for what bindings do, by their ids."""
Command = Callable[[], Awaitable[None]]


class Commands(CommandPalette, BaseScreen[None]):
    """The list of commands; a held key chooses one."""


class ScreenCommands(Provider):
    """What can be done on the screen that the palette was opened on, made from its bindings."""

    async def discover(self) -> Hits:
        """All there is, before anything is typed."""
        for says, _, key, command in self._commands():
            yield DiscoveryHit(says, command, help=key)

    async def search(self, query: str) -> Hits:
        """What fits the words typed: all of them as they stand first, then their letters."""
        matcher, words = self.matcher(query), query.casefold().split()
        for says, found_by, key, command in self._commands():
            name, known = says.partition(":")[0].casefold(), found_by.casefold()
            if all(word in known for word in words):
                first = any(known_word.startswith(words[0]) for known_word in name.split())
                yield Hit(3.0 if name == query.casefold() else 2.0 + first / 2, says, command,
                          help=key)  # fmt: skip
            elif (score := matcher.match(says)) > 0:
                yield Hit(min(score, 1.0), matcher.highlight(says), command, help=key)

    def _commands(self) -> Iterator[tuple[str, str, str, Command]]:
        """Of each command: what it says, all words it is found by, its key, and how it is run."""
        named: set[str] = set()
        for active in self.screen.active_bindings.values():
            binding = active.binding
            if binding.id and binding.id not in named and binding.action != "command_palette":
                named.add(binding.id)
                says = f"{binding.description}: {binding.tooltip}"
                found_by = " ".join((says, binding.id, SYNONYMS.get(binding.id, "")))
                key = f"key: {self.app.get_key_display(binding)}"
                yield says, found_by, key, partial(self._run, active)

    async def _run(self, active: ActiveBinding) -> None:
        await self.app.run_action(active.binding.action, active.node)


async def do_by_id(app: App[Any], name: str | None) -> None:
    """Do what the binding of this id stands for on the screen, if there is one."""
    for active in app.screen.active_bindings.values():
        if name and active.binding.id == name:
            await app.run_action(active.binding.action, active.node)
            return
