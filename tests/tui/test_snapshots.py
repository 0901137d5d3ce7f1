"""Pictures of the screens, to see at once what a change does to them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path

import pytest
from textual.pilot import Pilot

from annotator.results.method import Method
from annotator.scoring.board import Board
from annotator.settings import Settings
from annotator.tui.app import AnnotatorApp
from annotator.tui.themes import CONTRAST, DARK, LIGHT
from tests.tui.workplaces import read_board, settled, workplace

GRADED = "12001000"
SMALL, WIDE, LEAST = (80, 24), (120, 40), (40, 12)

Picture = Callable[..., bool]


@pytest.fixture(autouse=True)
def colours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)


def without_version(path: Path) -> tuple[Board, Method]:
    board, method = read_board(path)
    return board, replace(method, tool="annotator")


@pytest.fixture
def looks_as_before(snap_compare: Picture, demo: Path) -> Picture:
    """Whether the demo looks as in its picture, after some grades and some further keys."""

    def compare(*further: str, size: tuple[int, int] = SMALL, theme: str = DARK) -> bool:
        async def work(pilot: Pilot[None]) -> None:
            await settled(pilot)
            await pilot.press(*GRADED, *further)
            await settled(pilot)

        run_before: Callable[[Pilot[None]], Awaitable[None]] = work
        work_on = workplace(demo, qid="55", board=without_version)
        app = AnnotatorApp(work_on, Settings(theme=theme), min_gap=0)
        return snap_compare(app, terminal_size=size, run_before=run_before)

    return compare


def test_desk(looks_as_before: Picture) -> None:
    assert looks_as_before()


def test_desk_wide(looks_as_before: Picture) -> None:
    assert looks_as_before(size=WIDE)


def test_desk_without_colour(looks_as_before: Picture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    assert looks_as_before("left")


def test_desk_narrow(looks_as_before: Picture) -> None:
    assert looks_as_before(size=LEAST)


def test_desk_light(looks_as_before: Picture) -> None:
    assert looks_as_before(theme=LIGHT)


def test_desk_high_contrast(looks_as_before: Picture) -> None:
    assert looks_as_before(theme=CONTRAST)


def test_queries(looks_as_before: Picture) -> None:
    assert looks_as_before("q")


def test_scores_wide(looks_as_before: Picture) -> None:
    assert looks_as_before("b", size=WIDE)


def test_rankings_wide(looks_as_before: Picture) -> None:
    assert looks_as_before("b", "enter", "down", "enter", size=WIDE)


def test_comparison(looks_as_before: Picture) -> None:
    assert looks_as_before("b", "c", "down", "enter")


def test_rubric(looks_as_before: Picture) -> None:
    assert looks_as_before("r")


def test_help(looks_as_before: Picture) -> None:
    assert looks_as_before("question_mark")
