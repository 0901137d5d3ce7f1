"""Queries, scores and rubric: they show the file as it is, and lead back to the desk."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import Static

from annotator.errors import ProjectError
from annotator.report.neighbour_verdicts import verdict_on_both, verdict_on_second
from annotator.results.method import Method
from annotator.scoring.board import Board
from annotator.text.numbers import BRIEF, likely
from annotator.tui.screens.grade import GradeScreen
from annotator.tui.screens.score_rows import worst_first
from annotator.tui.screens.scores import ScoresScreen
from annotator.tui.widgets.rows_view import RowsView
from tests.projects import begin
from tests.tui.workplaces import (
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

TWO_SYSTEMS = {
    "alpha": {"q1": ["d1", "d2"], "q2": ["d4", "d5"]},
    "beta": {"q1": ["d3"], "q2": ["d5"]},
}


def cursor(pilot: Pilot[None]) -> int:
    return pilot.app.screen.query_one(RowsView).cursor


async def test_a_query_is_opened_at_its_first_open_document(demo: Path) -> None:
    work = workplace(demo)
    async with running(work) as pilot:
        await pilot.press("q")
        assert "Queries · 74 left to judge" in shown(pilot)
        await pilot.press("down", "enter")
        assert isinstance(pilot.app.screen, GradeScreen)
        assert work.session.query_progress is not None
        assert work.session.query_progress.qid == "10"
        assert work.session.card is not None
        assert work.session.card.open
        assert " query 10 (2 of 40)" in shown(pilot)


async def test_the_queries_open_at_the_one_on_the_desk_and_lead_back(demo: Path) -> None:
    work = workplace(demo, qid="200")
    card = work.session.card
    async with running(work) as pilot:
        await pilot.press("q")
        assert cursor(pilot) == 39
        assert "\n>200 " in shown(pilot)
        await pilot.press("q")
        assert isinstance(pilot.app.screen, GradeScreen)
        assert work.session.card == card


async def test_finished_queries_can_be_hidden(demo: Path) -> None:
    work = workplace(demo)
    async with running(work) as pilot:
        await pilot.press("q")
        assert " 20  " in shown(pilot)
        await pilot.press("o")
        assert " 20  " not in shown(pilot)
        await pilot.press("down", "down", "down", "enter")
        assert work.session.query_progress is not None
        assert work.session.query_progress.qid == "30"


async def test_a_click_on_a_row_goes_there_and_a_second_opens_it(demo: Path) -> None:
    work = workplace(demo)
    async with running(work) as pilot:
        await pilot.press("q")
        await pilot.click("#queries", offset=(5, 3))
        assert cursor(pilot) == 2
        await pilot.click("#queries", offset=(5, 3))
        assert work.session.query_progress is not None
        assert work.session.query_progress.qid == "15"


async def test_the_progress_tells_nothing_of_any_system(demo: Path) -> None:
    async with running(workplace(demo), size=(120, 40)) as pilot:
        for keys in (["q"], ["escape", "0", "q"], ["o"], ["end"]):
            await pilot.press(*keys)
            for system in read_board(demo)[0].systems:
                assert system not in shown(pilot)


async def test_scores_after_grades_are_those_of_a_board_read_afresh(demo: Path) -> None:
    async with running(workplace(demo), size=(120, 40), board=True) as pilot:
        await pilot.press("b")
        before = shown(pilot)
        await pilot.press("b", "3", "1", "x", "c", "enter", "2", "u", "b")
        await settled(pilot)
        live = shown(pilot)
    assert live != before
    async with running(workplace(demo), size=(120, 40), board=True) as pilot:
        await pilot.press("b")
        await settled(pilot)
        assert shown(pilot) == live
        assert "labels of cranfield, ana " in live


async def test_one_goes_from_a_system_to_its_worst_queries_to_the_desk(demo: Path) -> None:
    work = workplace(demo)
    async with running(work, board=True) as pilot:
        await pilot.press("b")
        await settled(pilot)
        await pilot.press("enter")
        board = read_board(demo)[0]
        board.estimate()
        [best] = [one for one in board.table() if one.system == "lsa_200"]
        number = likely(best.measures[-1].summary, BRIEF)
        assert f"lsa_200 · nDCG@10 {number} · zero-filled" in shown(pilot)
        await pilot.press("escape")
        assert "Scores · nDCG@10" in shown(pilot)
        assert cursor(pilot) == 0
        await pilot.press("enter", "down", "enter", "enter")
        assert isinstance(pilot.app.screen, GradeScreen)
        worst = worst_first(best.measures[-1])[1].query
        assert work.session.query_progress is not None
        assert work.session.query_progress.qid == worst


PARTS = ("#detail", "#method")


@pytest.mark.parametrize("size", [(80, 24), (100, 30), (120, 40), (200, 50)])
async def test_no_flag_of_a_system_is_cut(demo: Path, size: tuple[int, int]) -> None:
    async with running(workplace(demo), size=size, board=True) as pilot:
        await pilot.press("b")
        await settled(pilot)
        screen = pilot.app.screen
        assert isinstance(screen, ScoresScreen)
        whole = [", ".join(score.flags()) for _, score in screen._scores()]
        counts = [f"{score.summary.unjudged:,}" for _, score in screen._scores()]
        lines = [line.rstrip() for line in shown(pilot).splitlines() if "%" in line]
        for flags, count in zip(whole, counts, strict=True):
            assert any(flags in line or line.endswith(f" {count}") for line in lines)
        assert not any("…" in line for line in lines)


async def test_each_system_is_told_once_to_be_better_than_the_next_or_not(demo: Path) -> None:
    async with running(workplace(demo), size=(120, 40), board=True) as pilot:
        await pilot.press("b")
        await settled(pilot)
        screen = pilot.app.screen
        assert isinstance(screen, ScoresScreen)
        measure = screen._scores()[0][1].measure
        pairs = {one.first: one for one in screen._pairs if one.measure == measure}
        assert len(pairs) == len(screen._table) - 1
        for _ in screen._table:
            name, _score = screen._scores()[screen._order[cursor(pilot)]]
            said = " ".join(f"{screen.query_one(one, Static).render()}" for one in PARTS).split()
            if name in pairs:
                words = verdict_on_both(pairs[name]), verdict_on_second(pairs[name])
                assert max(map(" ".join(said).count, words)) == 1
            else:
                detail = str(screen.query_one("#detail", Static).render())
                assert "ahead of" not in detail
                assert "too early" not in detail
            await pilot.press("down")


async def test_the_measure_is_switched_and_the_row_stays(demo: Path) -> None:
    async with running(workplace(demo), board=True) as pilot:
        await pilot.press("b", "m")
        assert "Scores · nDCG@3 " in shown(pilot)
        await pilot.press("m")
        await until(pilot, lambda: "Scores · nDCG@10" in shown(pilot))
        await pilot.press("down", "down")
        await pilot.resize_terminal(120, 40)
        await pilot.pause()
        assert cursor(pilot) == 2
        assert "0 ────────────── 1" in shown(pilot)


async def test_grades_of_another_assessor_are_noticed(tmp_path: Path) -> None:
    demo = make_small(tmp_path / "demo.db", runs=TWO_SYSTEMS)
    async with running(workplace(demo), size=(120, 40), board=True) as pilot:
        other = begin(opened(demo), "ben", "q2")
        assert other.card is not None
        other.grade(other.card.pair, 3)
        await pilot.press("2", "b")
        await settled(pilot)
        assert "labels of ana, ben " in shown(pilot)
        assert "2 of 5 pooled pairs judged" in words(pilot)
        live = shown(pilot)
    async with running(workplace(demo), size=(120, 40), board=True) as pilot:
        await pilot.press("b")
        assert shown(pilot) == live


async def test_grading_does_not_wait_for_the_scoreboard(small: Path) -> None:
    waiting = asyncio.Event()
    loop = asyncio.get_running_loop()

    def slow(path: Path) -> tuple[Board, Method]:
        asyncio.run_coroutine_threadsafe(waiting.wait(), loop).result(30)
        return read_board(path)

    work = workplace(small, board=slow)
    async with running(work, at_rest=0.001) as pilot:
        await pilot.pause()
        await pilot.press("2")
        assert work.session.totals.judged == 1
        await pilot.press("b")
        assert "reading the rankings" in shown(pilot)
        waiting.set()
        await settled(pilot)
        assert "alpha" in shown(pilot)


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (ProjectError("demo.db: [red]\x1b]2;damaged\x07"), "demo.db: [red]␛]2;damaged␇"),
        (KeyError("the text of a document"), "a fault of the program (KeyError)"),
    ],
)
async def test_a_scoreboard_that_cannot_be_read_is_told(
    small: Path, error: Exception, told: str
) -> None:
    def broken(_: Path) -> tuple[Board, Method]:
        raise error

    async with running(workplace(small, board=broken), board=True) as pilot:
        await until(pilot, lambda: told in words(pilot))
        await pilot.press("b", "enter", "m")
        assert isinstance(pilot.app.screen, ScoresScreen)


async def test_the_rubric_is_shown_whole(small: Path) -> None:
    work = workplace(small)
    async with running(work, size=(80, 60)) as pilot:
        await pilot.press("r")
        for level in work.rubric.levels:
            assert f"{level.grade} {level.label} {level.definition}" in words(pilot)
        assert work.rubric.instructions in words(pilot)
        await pilot.press("r")
        assert isinstance(pilot.app.screen, GradeScreen)


@pytest.mark.parametrize(
    ("way", "row"),
    [
        (["b"], "alpha"),
        (["b", "enter"], ">q"),
        (["b", "c", "down", "enter"], ">q"),
        (["b", "enter", "enter"], " 1 "),
        (["q"], ">q"),
        (["h"], ">"),
    ],
)
async def test_every_list_shows_rows_on_the_smallest_screen(
    begun: Path, way: list[str], row: str
) -> None:
    async with running(workplace(begun, "bob"), size=(40, 12), board=True) as pilot:
        await pilot.press(*way)
        await until(pilot, lambda: row in shown(pilot))
        assert len(shown(pilot).splitlines()) == 12
