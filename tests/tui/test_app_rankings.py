"""The scoreboard's further ways: sorting, measures, rankings side by side, two systems compared."""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path

import pytest
from textual.pilot import Pilot

from annotator.scoring.comparisons import compared
from annotator.tui.bars import FULL, difference
from annotator.tui.screens.compare import CompareScreen
from annotator.tui.screens.grade import GradeScreen
from annotator.tui.screens.rankings import RankingsScreen
from annotator.tui.screens.scores import ScoresScreen
from annotator.tui.widgets.grade_bar import GradeKey
from annotator.tui.widgets.rankings_view import RankingsView
from annotator.tui.widgets.rows_view import RowsView
from annotator.tui.widgets.status_line import StatusLine
from tests.tui.workplaces import (
    events,
    labels,
    make_small,
    opened,
    read_board,
    running,
    settled,
    shown,
    until,
    words,
    workplace,
)

RUNS = {
    "alpha": {"q1": ["d1", "d2"], "q2": ["d4", "d5"]},
    "beta": {"q1": ["d3", "d1", "d9"], "q2": ["d5"]},
}
TO_RANKINGS = ("b", "enter", "enter")


def column(text: str, heading: str) -> list[str]:
    """The first words of the rows below the line that has this heading."""
    lines = text.splitlines()
    at = next(at for at, line in enumerate(lines) if heading in line)
    return [line.lstrip(" >").split()[0] for line in lines[at + 1 : at + 6]]


async def test_the_systems_are_sorted_by_each_column(demo: Path) -> None:
    async with running(workplace(demo), size=(120, 40)) as pilot:
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


async def test_measures_and_cutoffs_can_be_chosen_and_stay_live(small: Path) -> None:
    async with running(workplace(small), size=(120, 40)) as pilot:
        await pilot.press("b", "e", "end", *[*" P@2 AP"], "enter")
        assert "Scores · AP" in shown(pilot)
        await pilot.press("m", "m", "m")
        assert "Scores · P@2" in shown(pilot)
        assert "unjudged" in shown(pilot)
        await pilot.press("escape", *"33333", "b", "m", "m", "m")
        assert "Scores · nDCG@10" in shown(pilot) or "Scores · P@2" in shown(pilot)
        await settled(pilot)
        assert "unjudged" not in shown(pilot).split("Method")[0].split("gain")[0]


async def test_a_measure_that_is_none_is_told(small: Path) -> None:
    async with running(workplace(small), size=(120, 40)) as pilot:
        await pilot.press("b", "e", "end", *" bogus", "enter")
        await pilot.pause()
        assert "bogus" in words(pilot)
        assert isinstance(pilot.app.screen, ScoresScreen)
        assert "Scores · nDCG@10" in shown(pilot)


async def test_rankings_show_each_place_with_its_grade_and_take_grades(tmp_path: Path) -> None:
    small = make_small(tmp_path / "demo.db", runs=RUNS, depth=2)
    work = workplace(small)
    async with running(work, size=(100, 30)) as pilot:
        desk = work.session.card
        await pilot.press(*TO_RANKINGS)
        assert isinstance(pilot.app.screen, RankingsScreen)
        rows = [line.split() for line in shown(pilot).splitlines()[2:6]]
        assert rows == [
            ["rank", "alpha", "beta"],
            ["1", "?", "d1", "?", "d3"],
            ["2", "?", "d2", "?", "d1"],
            ["3", "?", "d9"],
        ]
        await pilot.press("2")
        assert "1 2 d1 ? d3 2 ? d2 2 d1 3" in words(pilot)
        status = pilot.app.screen.query_one(StatusLine)
        assert "✓ saved 2 Relevant, not blind" in str(status.render())
        await pilot.press("3")
        assert "judged already" in str(status.render())
        await pilot.press("right", "end", "0")
        assert labels(small) == {("q1", "d1"): 2, ("q1", "d9"): 0}
        assert [event.blind for event in events(small)] == [False, False]
        assert work.session.card is not None
        assert desk is not None
        assert work.session.card.pair == desk.pair
        await pilot.press("left", "9")
        assert len(events(small)) == 2
        await pilot.press("enter")
        assert isinstance(pilot.app.screen, GradeScreen)
        assert "query q1" in shown(pilot)


async def test_the_scores_know_what_was_graded_in_a_ranking(small: Path) -> None:
    async with running(workplace(small), size=(120, 30)) as pilot:
        await pilot.press(*TO_RANKINGS, "3", "escape", "escape", "escape", "b")
        live = shown(pilot)
        assert "1 of 5 pooled pairs judged" in words(pilot)
    async with running(workplace(small), size=(120, 30)) as pilot:
        await pilot.press("b")
        assert shown(pilot) == live


async def test_the_desk_knows_what_was_graded_in_a_ranking(small: Path) -> None:
    work = workplace(small)
    async with running(work, size=(120, 30)) as pilot:
        await pilot.press(*TO_RANKINGS, "3", "down", "3", "down", "3", *["escape"] * 3)
        assert isinstance(pilot.app.screen, GradeScreen)
        assert "3 of 5 judged" in shown(pilot).splitlines()[0]
        assert work.session.card is not None
        assert work.session.card.grade == 3
        (given,) = pilot.app.screen.query(".-given").results(GradeKey)
        assert given.grade == 3


async def test_a_key_before_the_document_could_be_read_grades_nothing_in_a_ranking(
    small: Path,
) -> None:
    async with running(workplace(small), size=(100, 30), min_gap=60) as pilot:
        await pilot.press("b", "enter", "enter", "2")
        assert events(small) == []


@pytest.mark.parametrize("width", [40, 60])
async def test_rankings_that_do_not_fit_move_with_the_cursor(tmp_path: Path, width: int) -> None:
    runs = {f"system{number}": {"q1": ["d1", "d2", "d3"]} for number in range(8)}
    small = make_small(tmp_path / "demo.db", runs=runs)
    async with running(workplace(small), size=(width, 20)) as pilot:
        await pilot.press(*TO_RANKINGS, *["right"] * 7)
        assert "system7" in shown(pilot)
        assert "system0" not in shown(pilot)
        await pilot.press(*["left"] * 9)
        assert "system0" in shown(pilot)
        await pilot.click(RankingsView, offset=(22, 2))
        assert pilot.app.screen.query_one(RankingsView).place == (1, 1)


@pytest.mark.parametrize("width", [60, 80, 120])
async def test_the_bars_of_a_comparison_begin_at_one_axis_and_point_as_the_sign_says(
    demo: Path, width: int
) -> None:
    async with running(workplace(demo), size=(width, 30)) as pilot:
        await pilot.press("b", "c", "down", "enter")
        rows = [line for line in shown(pilot).splitlines() if "│" in line and "~" in line]
        (axis,) = {row.index("│") for row in rows}
        signs = ["-" in row.split()[1] for row in rows]
        assert [row[axis - 1] == FULL for row in rows] == signs
        assert [row[axis + 1] == FULL for row in rows] == [not one for one in signs]
        assert {True, False} == set(signs)


def detailed(pilot: Pilot[None], flags: str) -> bool:
    """Whether a line names the system under the cursor with its interval and these flags."""
    name = shown(pilot).partition(">")[2].split(maxsplit=1)[0]
    lines = shown(pilot).splitlines()
    return any("●" in line and f"{name} · {flags}" in line for line in lines)


async def test_what_has_no_room_in_the_columns_is_said_of_the_row_under_the_cursor(
    demo: Path,
) -> None:
    async with running(workplace(demo)) as pilot:
        await pilot.press("b")
        for flags in ("74 unjudged, 1 undefined", "1 undefined, ideal open"):
            await until(pilot, partial(detailed, pilot, flags))
            await pilot.press("down")
        await pilot.press("enter", "down")
        qid = shown(pilot).split(">")[1].split()[0]
        texts = [one.text for one in opened(demo).queries.all().values() if one.qid == qid]
        assert " ".join(texts[0].split()) in words(pilot)


async def test_a_click_on_a_heading_sorts_by_its_column(demo: Path) -> None:
    async with running(workplace(demo)) as pilot:
        await pilot.press("b")
        for heading in ("bounds", "judged", "p10", "median", "system", "nDCG@10"):
            line = shown(pilot).splitlines()[2]
            await pilot.click("#scores", offset=(line.index(heading) + 1, 0))
            await pilot.pause()
            assert re.search(rf"{heading}[▾▴]", shown(pilot))


async def test_columns_of_rankings_are_as_wide_as_there_is_room(demo: Path) -> None:
    async with running(workplace(demo)) as pilot:
        await pilot.press("b", "enter", "enter")
        assert "bm25plus_nost…" in shown(pilot)
        assert "lsa_200" not in shown(pilot)
        assert shown(pilot).splitlines()[2].rstrip().endswith("▸")
        await pilot.press(*["right"] * 4)
        assert "lsa_200" in shown(pilot)
        assert shown(pilot).splitlines()[2].startswith("◂")
        await pilot.resize_terminal(120, 30)
        await pilot.pause()
        assert "bm25plus_nostem" in shown(pilot)
        assert not {"◂", "▸"} & set(shown(pilot))


async def test_two_systems_are_compared_query_by_query(demo: Path) -> None:
    async with running(workplace(demo), size=(120, 40)) as pilot:
        await pilot.press("b", "c")
        await until(pilot, lambda: "compare " in shown(pilot).splitlines()[0])
        await pilot.press("down", "enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, CompareScreen))
        board, _ = read_board(demo)
        board.estimate()
        names = shown(pilot).splitlines()[0].split(" · ")[1].split(" - ")
        first, second = (board.systems.index(name.strip()) for name in names)
        found = compared(board, first, second, board.measures[-1], seed=0)
        sized = sorted(found.queries, key=lambda one: -abs(one.estimate or 0))
        assert column(shown(pilot), "largest first") == [one.query for one in sized[:5]]
        assert f"{found.result.wins} won, {found.result.losses} lost" in shown(pilot)
        await pilot.press("s")
        assert "won first" in shown(pilot)
        await pilot.press("s", "enter")
        assert isinstance(pilot.app.screen, RankingsScreen)
        await pilot.press("escape", "escape")
        assert isinstance(pilot.app.screen, ScoresScreen)
        await pilot.press("c", "escape")
        assert isinstance(pilot.app.screen, ScoresScreen)
        assert "compare" not in shown(pilot).splitlines()[0]
        assert pilot.app.screen.query_one(RowsView).cursor >= 0


def test_a_difference_is_a_bar_on_its_side() -> None:
    assert difference(None, 5) == "  ·  "
    assert difference(0.0, 5) == "  │  "
    assert difference(1.0, 5) == "  │━━"
    assert difference(-0.5, 5) == " ━│  "
    assert difference(0.001, 5) == "  │━ "
