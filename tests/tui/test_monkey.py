"""Keys without sense end nothing and lose nothing."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path

import pytest
from textual.app import App
from textual.events import Key
from textual.pilot import Pilot

from annotator.tui.widgets.status_line import StatusLine
from tests.tui.workplaces import events, running, until, workplace

CHARACTERS = {"slash": "/", "question_mark": "?", "space": " "}
KEYS = [
    *"0123sxunmqbvhrceiwdtojNaz",
    *("slash", "question_mark", "escape", "enter", "space", "tab", "shift+tab", "ctrl+p"),
    *("up", "down", "left", "right", "pageup", "pagedown", "home", "end", "backspace"),
]
SIZES = [(30, 8), (40, 12), (80, 24), (120, 40)]


async def heard(pilot: Pilot[None]) -> None:
    """Wait until every key was handled, also by what it was passed on to."""
    app = pilot.app
    last = asyncio.Event()
    app.call_later(last.set)
    async with asyncio.timeout(60):
        await last.wait()
    for _ in range(3):  # what is being handled stands in no queue, but comes into one again
        await until(pilot, lambda: not queued(app))
        await pilot.pause(0.02)


def queued(app: App[None]) -> int:
    """How many messages wait to be handled, by whatever."""
    nodes = [node for screen in app.screen_stack for node in (screen, *screen.walk_children())]
    return sum(node.message_queue_size for node in (app, *nodes))


@pytest.mark.parametrize("seed", range(2))
async def test_keys_without_sense_faster_than_screens_come_and_go(
    begun: Path, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng, told, saved = random.Random(seed), [], StatusLine.saved

    def noted(self: StatusLine, *what: str) -> None:
        told.append(what)
        saved(self, *what)

    monkeypatch.setattr(StatusLine, "saved", noted)
    before = len(events(begun))
    async with running(workplace(begun)) as pilot:
        for _ in range(150):
            key = rng.choice(KEYS)
            pilot.app.post_message(Key(key, CHARACTERS.get(key, key if len(key) == 1 else None)))
            if rng.random() < 0.3:
                await pilot.pause()
            if rng.random() < 0.03:
                await pilot.resize_terminal(*rng.choice(SIZES))
        await heard(pilot)
        assert pilot.app.is_running
    assert told
    assert len(events(begun)) == before + len(told), "each that was told as saved is there, once"


@pytest.mark.parametrize(
    "keys",
    [["ctrl+p", "escape"] * 4, ["ctrl+p", "pageup"], ["ctrl+p"] * 4, ["ctrl+p", *["enter"] * 4]],
)
async def test_the_commands_can_be_left_and_paged_through_before_they_are_there(
    begun: Path, keys: list[str]
) -> None:
    async with running(workplace(begun)) as pilot:
        for key in ("ctrl+p", *keys):
            pilot.app.post_message(Key(key, None))
        await heard(pilot)
        assert pilot.app.is_running
