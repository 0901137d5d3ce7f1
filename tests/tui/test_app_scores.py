"""The scoreboard: sorted by any column, by any measure, with what has no room told below it."""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path

from textual.pilot import Pilot

from annotator.tui.screens.scores import ScoresScreen
from tests.projects import begin
from tests.tui.workplaces import (
    column,
    opened,
    read_board,
    running,
    settled,
    shown,
    until,
    words,
    workplace,
)


async def test_the_systems_are_sorted_by_each_column(demo: Path) -> None:
    async with running(workplace(demo), size=(120, 40), board=True) as pilot:
        await pilot.press("b")
        systems = read_board(demo)[0].table()
        for sign, value in [
            ("bounds▾", "lower"),
            ("judged▾", "judged"),
            ("p10▾", "p10"),
            ("median▾", "median"),
        ]:
            await pilot.press("s")
            scored = [(-getattr(one.measures[-1].summary, value), one.system) for one in systems]
            assert column(shown(pilot), sign) == [name for _, name in sorted(scored)]
        await pilot.press("s")
        assert column(shown(pilot), "system▴") == sorted(one.system for one in systems)
        await pilot.press("s")
        assert "nDCG@10▾" in shown(pilot)


async def test_a_click_on_a_heading_sorts_by_its_column(demo: Path) -> None:
    async with running(workplace(demo), board=True) as pilot:
        await pilot.press("b")
        for heading in ("bounds", "judged", "p10", "median", "system", "nDCG@10"):
            line = shown(pilot).splitlines()[2]
            await pilot.click("#scores", offset=(line.index(heading) + 1, 0))
            await pilot.pause()
            assert re.search(rf"{heading}[▾▴]", shown(pilot))


async def test_measures_and_cutoffs_can_be_chosen_and_stay_live(small: Path) -> None:
    async with running(workplace(small), size=(120, 40), board=True) as pilot:
        await pilot.press("b", "e", "end", *[*" P@2 AP"], "enter")
        assert "Scores · AP" in shown(pilot)
        await pilot.press("m", "m", "m")
        assert "Scores · P@2" in shown(pilot)
        assert "unjudged" in shown(pilot)
        await pilot.press("escape", *"33333", "b")
        assert "Scores · P@2" in shown(pilot)
        await settled(pilot)
        assert "unjudged" not in shown(pilot).split("Method")[0].split("gain")[0]


async def test_measures_and_order_stay_when_the_scoreboard_is_left_and_read_again(
    small: Path,
) -> None:
    async with running(workplace(small), size=(120, 40), board=True) as pilot:
        await pilot.press("b", "e", "end", *" AP", "enter", "m", "s", "s", "escape")
        other = begin(opened(small), "ben", "q2")
        assert other.card is not None
        other.grade(other.card.pair, 3)
        await pilot.press("1", "b")
        await settled(pilot)
        assert "labels of ana, ben " in words(pilot)
        assert "Scores · nDCG@3" in shown(pilot)
        assert "judged▾" in shown(pilot)
        await pilot.press("m", "m")
        assert "Scores · AP" in shown(pilot)


async def test_a_measure_that_is_none_is_told(small: Path) -> None:
    async with running(workplace(small), size=(120, 40), board=True) as pilot:
        await pilot.press("b", "e", "end", *" bogus", "enter")
        await pilot.pause()
        assert "bogus" in words(pilot)
        assert isinstance(pilot.app.screen, ScoresScreen)
        assert "Scores · nDCG@10" in shown(pilot)


def detailed(pilot: Pilot[None], flags: str) -> bool:
    """Whether a line names the system under the cursor with its interval and these flags."""
    name = shown(pilot).partition(">")[2].split(maxsplit=1)[0]
    lines = shown(pilot).splitlines()
    return any("●" in line and f"{name} · {flags}" in line for line in lines)


async def test_what_has_no_room_in_the_columns_is_said_of_the_row_under_the_cursor(
    demo: Path,
) -> None:
    async with running(workplace(demo), board=True) as pilot:
        await pilot.press("b")
        for flags in ("74 unjudged, 1 undefined", "1 undefined, ideal open"):
            await until(pilot, partial(detailed, pilot, flags))
            await pilot.press("down")
        await pilot.press("enter", "down")
        qid = shown(pilot).split(">")[1].split()[0]
        texts = [one.text for one in opened(demo).queries.all().values() if one.qid == qid]
        assert " ".join(texts[0].split()) in words(pilot)
