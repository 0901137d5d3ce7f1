"""Every key that a screen offers does something, and the help names exactly those."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import pytest
from textual.actions import parse
from textual.app import ComposeResult
from textual.binding import ActiveBinding
from textual.events import Key
from textual.pilot import Pilot
from textual.screen import Screen
from textual.widgets._footer import FooterKey

from annotator.tui.app import AnnotatorApp
from annotator.tui.guard import MIN_GAP
from annotator.tui.screens.grade import GradeScreen
from annotator.tui.widgets.key_line import KeyLine
from tests.tui.workplaces import events, running, shown, until, workplace

WAYS = {
    "desk": (),
    "finding": ("slash", "f", "enter"),
    "asking": ("n",),
    "queries": ("q",),
    "scores": ("b",),
    "worst queries": ("b", "enter"),
    "history": ("s", "h"),
    "rankings": ("b", "enter", "enter"),
    "comparison": ("b", "c", "down", "enter"),
    "marking": ("m",),
    "rubric": ("r",),
    "verdict": ("v",),
    "need": ("w",),
    "about": ("i",),
    "help": ("question_mark",),
}
LEAVES_THE_PROGRAM = "app.quit"


def offered(pilot: Pilot[None]) -> dict[str, ActiveBinding]:
    """The program's own bindings that work now, by key."""
    active = pilot.app.screen.active_bindings
    return {key: one for key, one in active.items() if one.binding.id is not None}


def ids(pilot: Pilot[None]) -> set[str]:
    return {str(one.binding.id) for one in offered(pilot).values()}


async def go(pilot: Pilot[None], way: tuple[str, ...]) -> None:
    """Get to a screen from wherever one is."""
    while not isinstance(pilot.app.screen, GradeScreen):
        pilot.app.pop_screen()
        await pilot.pause()
    await pilot.press(*way)


async def back(pilot: Pilot[None], there: Screen[Any], keys: object, way: tuple[str, ...]) -> None:
    """Get to a screen with these keys, which is covered, or was left or changed."""
    while there in pilot.app.screen_stack and pilot.app.screen is not there:
        pilot.app.pop_screen()
        await pilot.pause()
    if pilot.app.screen is not there or offered(pilot).keys() != keys:
        await go(pilot, way if isinstance(pilot.app.screen, GradeScreen) else ("escape", *way))


async def test_every_key_offered_does_something(begun: Path) -> None:
    pressed: set[str] = {LEAVES_THE_PROGRAM}  # what the footer shows has a stricter test, below
    async with running(workplace(begun)) as pilot:
        for way in WAYS.values():
            await go(pilot, way)
            there, working = pilot.app.screen, offered(pilot)
            for key, one in working.items():
                where, action, _ = parse(one.binding.action)
                assert hasattr(pilot.app if where == "app" else one.node, f"action_{action}")
                assert one.binding.tooltip
                if str(one.binding.id) not in pressed and not one.binding.show:
                    pressed.add(str(one.binding.id))
                    await pilot.press(key)
                    if offered(pilot).keys() != working.keys():
                        await back(pilot, there, working.keys(), way)
                        there = pilot.app.screen
    assert len(pressed) > 25


def state(pilot: Pilot[None]) -> tuple[object, ...]:
    """All that a key can change: what is shown, where one is, what is said, what comes next."""
    screen = pilot.app.screen
    notices = [one.message for one in pilot.app._notifications]
    scrolled = [str(one.scroll_offset) for one in screen.query("*")]
    return shown(pilot), len(pilot.app.screen_stack), scrolled, notices, offered(pilot).keys()


@pytest.mark.parametrize("screen", [name for name in WAYS if name != "asking"])
async def test_every_key_in_the_footer_changes_what_is_seen(begun: Path, screen: str) -> None:
    async with running(workplace(begun, "bob"), size=(140, 40), board=True) as pilot:
        await go(pilot, WAYS[screen])
        await until(pilot, lambda: footer(pilot))
        await pilot.pause()
        there, keys, working = pilot.app.screen, footer(pilot), offered(pilot).keys()
        assert keys
        for key in keys:
            if pilot.app.screen is not there or footer(pilot) != keys:
                await back(pilot, there, working, WAYS[screen])
                await until(pilot, lambda: footer(pilot) == keys)
                there = pilot.app.screen
            before = state(pilot)
            await pilot.press(key)
            await until(pilot, partial(differs, pilot, before))


def differs(pilot: Pilot[None], before: tuple[object, ...]) -> bool:
    return state(pilot) != before


def footer(pilot: Pilot[None]) -> list[str]:
    """The keys that are shown at the bottom, but for the one that ends it all."""
    return [one.key for one in pilot.app.screen.query(FooterKey) if one.key != "ctrl+q"]


async def test_the_line_of_keys_is_composed_anew_only_when_another_key_is_shown(
    small: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    composed: list[KeyLine] = []
    compose = KeyLine.compose

    def watched(line: KeyLine) -> ComposeResult:
        composed.append(line)
        return compose(line)

    monkeypatch.setattr(KeyLine, "compose", watched)
    async with running(workplace(small), size=(140, 50)) as pilot:
        await until(pilot, lambda: footer(pilot))
        before, count = footer(pilot), len(composed)
        for key in ("1", "2"):
            await pilot.press(key)
            pilot.app.screen.refresh_bindings()
            await pilot.pause()
        assert footer(pilot) == before
        assert len(composed) == count
        await go(pilot, WAYS["queries"])
        await until(pilot, lambda: len(composed) > count and footer(pilot) != before)


@pytest.mark.parametrize(
    ("name", "seen"),
    [
        ("grade.note", "Note on this document"),
        ("document.markdown", "Markdown"),
        ("evidence.mark", "evidence: go to its first line"),
        ("app.history", "you have said nothing yet"),
        ("query.whole", "Measurements count."),
        ("app.commands", "Search for commands"),
    ],
)
async def test_what_has_a_key_is_done_by_clicks_on_its_row_of_the_help(
    small: Path, name: str, seen: str
) -> None:
    async with running(workplace(small), size=(140, 50)) as pilot:
        await until(pilot, lambda: "question_mark" in footer(pilot))
        (help_key,) = [one for one in pilot.app.screen.query(FooterKey) if one.key_display == "?"]
        await pilot.click(help_key)
        await until(pilot, lambda: f" {name} " in shown(pilot))
        lines = shown(pilot).splitlines()
        (row,) = [at for at, line in enumerate(lines) if line.split()[-1:] == [name]]
        await pilot.click(offset=(5, row))
        await pilot.click(offset=(5, row))
        await until(pilot, lambda: seen in shown(pilot))


async def test_the_help_names_the_keys_that_work_and_their_ids_whole(small: Path) -> None:
    async with running(workplace(small), size=(80, 50)) as pilot:
        for screen in ("desk", "finding", "queries", "scores", "rubric"):
            await go(pilot, WAYS[screen])
            working = ids(pilot)
            await pilot.press("question_mark")
            above_footer = shown(pilot).splitlines()[3:-1]
            rows = [line.split() for line in above_footer if len(line.split()) > 2]
            assert {row[-1] for row in rows} == working
            assert len(rows) == len(working)


async def hold(pilot: Pilot[None], way: tuple[str, ...], key: str) -> None:
    """Get to a screen, and send a key faster than screens come and go."""
    await go(pilot, way)
    for _ in range(4):
        pilot.app.post_message(Key(key, None))
    await pilot.pause()


async def test_a_held_key_leaves_or_opens_a_screen_once(small: Path) -> None:
    async with running(workplace(small)) as pilot:
        for screen in ("queries", "worst queries", "help"):
            for key in ("enter", "escape"):
                await hold(pilot, WAYS[screen], key)
                kinds = [type(one) for one in pilot.app.screen_stack]
                assert len(kinds) == len(set(kinds))
                assert kinds[0] is GradeScreen
        await hold(pilot, ("n", "w"), "enter")
        assert len(events(small)) == 1


async def test_no_grade_is_given_from_another_screen(small: Path) -> None:
    async with running(workplace(small)) as pilot:
        for screen in ("queries", "scores", "rubric", "help"):
            await go(pilot, WAYS[screen])
            await pilot.press("1", "s")
        await go(pilot, WAYS["help"])
        await pilot.press("enter")  # the row of a grade is the first
        assert events(small) == []


async def test_ctrl_q_leaves_from_anywhere(small: Path) -> None:
    async with running(workplace(small)) as pilot:
        await pilot.press("n", "ctrl+q")
        await until(pilot, lambda: not pilot.app.is_running)


async def test_a_key_that_was_waiting_while_help_was_open_grades_nothing(demo: Path) -> None:
    work = workplace(demo)
    app = AnnotatorApp(work)
    async with app.run_test() as pilot:
        await pilot.pause(MIN_GAP * 2)
        await pilot.press("question_mark")
        await pilot.pause(MIN_GAP * 2)
        waiting = Key("3", "3")  # it stands in the queue behind the key that closes the help
        await app.screen.run_action("leave")
        await pilot.pause(MIN_GAP * 2)  # on a slow machine, that long
        app.post_message(waiting)
        await pilot.pause()
        assert work.session.totals.judged == 793
        await pilot.press("3")
        assert work.session.totals.judged == 794
