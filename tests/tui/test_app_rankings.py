"""Rankings side by side: each place with its grade, graded there, as wide as there is room."""

from __future__ import annotations

from pathlib import Path

import pytest

from annotator.tui.messages import NOT_BLIND, UNBLINDS
from annotator.tui.screens.grade import GradeScreen
from annotator.tui.screens.rankings import RankingsScreen
from annotator.tui.widgets.grade_bar import GradeKey
from annotator.tui.widgets.rankings_view import RankingsView
from annotator.tui.widgets.status_line import StatusLine
from tests.tui.workplaces import events, labels, make_small, running, shown, words, workplace

RUNS = {
    "alpha": {"q1": ["d1", "d2"], "q2": ["d4", "d5"]},
    "beta": {"q1": ["d3", "d1", "d9"], "q2": ["d5"]},
}
TO_RANKINGS = ("b", "enter", "enter")


async def test_rankings_show_each_place_with_its_grade_and_take_grades(tmp_path: Path) -> None:
    small = make_small(tmp_path / "demo.db", runs=RUNS, depth=2)
    work = workplace(small)
    async with running(work, size=(100, 30), board=True) as pilot:
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
    async with running(workplace(small), size=(120, 30), board=True) as pilot:
        await pilot.press(*TO_RANKINGS, "3", "escape", "escape", "escape", "b")
        live = shown(pilot)
        assert "1 of 5 pooled pairs judged" in words(pilot)
    async with running(workplace(small), size=(120, 30), board=True) as pilot:
        await pilot.press("b")
        assert shown(pilot) == live


async def test_the_desk_knows_what_was_graded_in_a_ranking(small: Path) -> None:
    work = workplace(small)
    async with running(work, size=(120, 30), board=True) as pilot:
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
    async with running(workplace(small), size=(width, 20), board=True) as pilot:
        await pilot.press(*TO_RANKINGS, *["right"] * 7)
        assert "system7" in shown(pilot)
        assert "system0" not in shown(pilot)
        await pilot.press(*["left"] * 9)
        assert "system0" in shown(pilot)
        await pilot.click(RankingsView, offset=(22, 2))
        assert pilot.app.screen.query_one(RankingsView).place == (1, 1)


async def test_columns_of_rankings_are_as_wide_as_there_is_room(demo: Path) -> None:
    async with running(workplace(demo), board=True) as pilot:
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


@pytest.mark.parametrize("way", [("b", "enter", "enter"), ("b", "c", "down", "enter", "enter")])
async def test_that_rankings_unblind_is_said_before_and_kept_ever_after(
    tmp_path: Path, way: tuple[str, ...]
) -> None:
    small = make_small(tmp_path / "demo.db", runs=RUNS, depth=2)
    work = workplace(small)
    async with running(work, board=True) as pilot:
        assert "not blind" not in shown(pilot)
        await pilot.press(*way[:-1])
        assert UNBLINDS in words(pilot)
        assert not any(map(work.session.has_seen_rankings, (1, 2)))
        await pilot.press(way[-1])
        assert NOT_BLIND in words(pilot)
        await pilot.press("escape")
        assert UNBLINDS not in words(pilot)
        await pilot.press("enter", "enter")
        assert isinstance(pilot.app.screen, GradeScreen)
        assert "· not blind" in shown(pilot).splitlines()[0]
        await pilot.press("2")
        assert "✓ saved 2 Relevant, not blind" in shown(pilot)
    again = workplace(small)
    async with running(again, board=True) as pilot:
        await pilot.press("left", "1")
        assert "✓ saved 1 Marginal, was 2, not blind" in shown(pilot)
    assert [(one.grade, one.blind) for one in events(small)] == [(2, False), (1, False)]
