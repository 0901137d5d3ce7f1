"""Orders of judging in the app: found while it is open, their verdict, that one may stop."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from annotator.domain import Card
from annotator.errors import ProjectError
from annotator.judging import Session
from annotator.results.more_labels import MoreLabels
from annotator.results.standings import Standing
from annotator.store import Desk
from annotator.tui.app import AnnotatorApp
from annotator.tui.screens.grade import GradeScreen
from annotator.tui.screens.too_small import TooSmall
from tests.tui.workplaces import (
    opened,
    read_standing,
    running,
    settled,
    shown,
    until,
    words,
    workplace,
)


class Enough:
    """An order that takes the cards as they come, and has enough after so many."""

    name, as_of = "enough", 0

    def __init__(self, cards: list[Card], after: int) -> None:
        self.waiting = [card.pair for card in cards]
        self.query = {card.pair: card.query for card in cards}
        self.left = len(cards) - after

    @property
    def reached(self) -> bool:
        return len(self.waiting) <= self.left

    def take(self, card: Card) -> None:
        if not card.open and card.pair in self.waiting:
            self.waiting.remove(card.pair)

    def after(self, _pair: int) -> None:
        """It does not know."""

    def next(self) -> tuple[int, int] | None:
        return (self.query[self.waiting[0]], self.waiting[0]) if self.waiting else None


async def test_the_verdict_tells_what_is_open_certain_and_enough(demo: Path) -> None:
    async with running(workplace(demo), board=True) as pilot:
        await pilot.press("v")
        await settled(pilot)
        assert " Verdict so far · which system is best" in shown(pilot)
        assert "Open: perhaps lsa_200 is ahead of bm25_lucene" in words(pilot)
        assert "What is certain: the difference lies within" in words(pilot)
        await pilot.press("end")
        assert "in the order best it is likely to take about" in words(pilot)
        await pilot.press("v")
        assert isinstance(pilot.app.screen, GradeScreen)
    enough = replace(read_standing(demo), reached=True, more=None)
    async with running(replace(workplace(demo), load_standing=lambda: enough), board=True) as pilot:
        await pilot.press("v")
        await settled(pilot)
        await pilot.press("end")
        assert "lsa_200 is the best system or no more than 0.01 behind it." in words(pilot)
        assert "you may stop here. More labels make it surer" in words(pilot)


async def test_with_one_system_there_is_nothing_to_compare(small: Path) -> None:
    async with running(workplace(small), board=True) as pilot:
        await pilot.press("v")
        await settled(pilot)
        assert "There is only one system" in words(pilot)


async def test_a_verdict_that_cannot_be_worked_out_is_told_and_grading_goes_on(small: Path) -> None:
    def fails() -> Standing:
        raise ProjectError("the file is gone [red]")

    def breaks() -> Standing:
        raise ArithmeticError("singular")

    for load, said in ((fails, "the file is gone [red]"), (breaks, "ArithmeticError")):
        async with running(replace(workplace(small), load_standing=load), board=True) as pilot:
            await pilot.press("v")
            await settled(pilot)
            assert said in words(pilot)
            await pilot.press("escape", "0")
            assert "saved" in shown(pilot)


async def test_that_one_may_stop_is_said_once_and_one_may_go_on(small: Path) -> None:
    work = workplace(small)
    desk = Desk(opened(small), "ana")
    cards = [card for one in desk.progress() for card in desk.cards(one.query)]
    session = Session(desk, order=lambda: Enough(cards, after=2))
    session.start()
    async with running(replace(work, session=session), size=(120, 40), board=True) as pilot:
        await pilot.press("0")
        assert "you can stop" not in words(pilot)
        assert "verdict reached" not in words(pilot)
        await pilot.press("1")
        await until(pilot, lambda: "you can stop" in words(pilot))
        assert len(pilot.app._notifications) == 1
        await pilot.press("2")
        await settled(pilot)
        assert len(pilot.app._notifications) == 1
        assert session.totals.judged == 3
        for size in ((120, 40), (80, 24), (60, 20)):
            await pilot.resize_terminal(*size)
            await pilot.pause()
            assert "verdict reached: v" in shown(pilot).splitlines()[0]
        pilot.app.clear_notifications()
        await pilot.press("b", "escape", "3", "left")
        assert "verdict reached: v" in shown(pilot).splitlines()[0]


async def test_under_an_order_with_a_goal_the_time_left_is_to_the_verdict(demo: Path) -> None:
    more = MoreLabels(30, 20, 60)
    standing = replace(read_standing(demo), more=more)
    work = replace(workplace(demo), has_goal=True, load_standing=lambda: standing)
    async with running(work) as pilot:
        for key in "012012":
            await pilot.press(key)
        await until(pilot, lambda: "~2 min to a verdict" in shown(pilot))  # 24 of 4 s each
        assert "left" not in shown(pilot).splitlines()[0]
    unknown = replace(work, session=workplace(demo).session, load_standing=read_nothing)
    async with running(unknown) as pilot:
        for key in "012012":
            await pilot.press(key)
        line = shown(pilot).splitlines()[0]
        assert "verdict" not in line
        assert "left" not in line


def read_nothing() -> Standing:
    raise ProjectError("it cannot be read")


async def test_while_it_is_found_what_comes_first_the_app_is_open_and_grades_nothing(
    small: Path,
) -> None:
    work, found = workplace(small), threading.Event()
    session = Session(Desk(opened(small), "ana"))

    def find() -> Callable[[], None]:
        assert found.wait(10)
        return session.start

    waiting = replace(work, session=session, find_order=find)
    async with running(waiting, at_rest=0.001) as pilot:
        await pilot.press("1", "0")
        await until(pilot, lambda: "Finding which of 5 documents comes first" in words(pilot))
        assert "empty" not in words(pilot)
        assert session.totals.judged == 0
        await pilot.resize_terminal(30, 8)
        found.set()
        await pilot.app.workers.wait_for_complete()
        assert isinstance(pilot.app.screen, TooSmall)
        await pilot.resize_terminal(80, 24)
        await until(pilot, lambda: isinstance(pilot.app.screen, GradeScreen))
        await settled(pilot)
        assert session.query is not None
        assert session.query.text.split()[0] in words(pilot)
        assert pilot.app.focused is pilot.app.screen.query_one("#document")
        await pilot.press("1")
        assert session.totals.judged == 1


async def test_what_hinders_finding_it_is_passed_on_by_whoever_runs_the_app(small: Path) -> None:
    def fails() -> Callable[[], None]:
        raise ProjectError("the file is gone")

    work = replace(workplace(small), session=Session(Desk(opened(small), "ana")), find_order=fails)
    async with running(work) as pilot:
        assert isinstance(pilot.app, AnnotatorApp)
        app = pilot.app
        await until(pilot, lambda: app.failure is not None)
    assert str(app.failure) == "the file is gone"
