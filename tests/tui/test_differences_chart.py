"""The chart above the queries of a comparison: a bar a query, that takes nothing from the list."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from textual.events import MouseScrollDown
from textual.pilot import Pilot

from annotator.results.comparisons import Compared, QueryDifference
from annotator.scoring.paired_systems import compared
from annotator.tui.screens.compare import CompareScreen
from annotator.tui.themes import CONTRAST, DARK, LIGHT
from annotator.tui.widgets.differences_chart import (
    MARKS,
    DifferencesChart,
    Mark,
    bars_of,
    scale_of,
)
from annotator.tui.widgets.rows_view import RowsView
from tests.tui.test_mouse import roll
from tests.tui.workplaces import make_small, read_board, running, shown, until, workplace

RUNS = {"alpha": {"q1": ["d1"], "q2": ["d4"]}, "beta": {"q1": ["d2"], "q2": ["d5"]}}
SOLID, ZERO = "█▄▀", "⣀"


def of(height: float | None, *, settled: bool = True, query: str = "q") -> QueryDifference:
    value = height if settled else None
    return QueryDifference(query, value, height, height, height, height, height, 0)


@pytest.fixture
def a_comparison(tmp_path: Path) -> Compared:
    board, _ = read_board(make_small(tmp_path / "two.db", runs=RUNS))
    return compared(board, 0, 1, board.measures[-1], seed=0)


@asynccontextmanager
async def charted(
    path: Path,
    comparison: Compared,
    queries: Sequence[QueryDifference],
    size: tuple[int, int] = (80, 24),
) -> AsyncIterator[Pilot[None]]:
    """A comparison of these differences on the screen."""
    one = replace(comparison, queries=tuple(queries))
    async with running(workplace(path), size=size) as pilot:
        await pilot.app.push_screen(CompareScreen(one, lambda _: "text", lambda _: None))
        await pilot.pause()
        yield pilot


def frame(pilot: Pilot[None]) -> list[str]:
    """The lines within the chart's frame."""
    edges = "┃┫┣"
    lines = [line for line in shown(pilot).splitlines() if any(edge in line for edge in edges)]
    return [line[8:].rstrip().rstrip(edges) for line in lines]


def test_bars_go_from_the_greatest_to_the_least_without_the_undefined() -> None:
    queries = [of(-0.5), of(None, settled=False), of(0.2, settled=False), of(0.4), of(0.0)]
    bars = bars_of(queries, 10)
    assert bars.heights == (0.4, 0.2, 0.0, -0.5)
    assert bars.settled == (True, False, True, True)
    assert bars.pooled == 1
    assert bars_of([of(None, settled=False)], 10).heights == ()
    assert bars_of([], 10).pooled == 0


@pytest.mark.parametrize("most", [1, 7, 71, 224, 225, 300])
def test_neighbours_are_pooled_where_there_are_more_than_fit(most: int) -> None:
    heights = [(at * 37 % 225) / 225 - 0.4 for at in range(225)]
    bars = bars_of([of(height, settled=height < 0.5) for height in heights], most)
    assert len(bars.heights) == min(most, 225)
    assert list(bars.heights) == sorted(bars.heights, reverse=True)
    assert bars.pooled == -(-225 // min(most, 225))
    assert not bars.settled[0]
    if most >= 225:
        assert list(bars.heights) == sorted(heights, reverse=True)
    if most == 1:
        assert bars.heights == pytest.approx([sum(heights) / 225])


@pytest.mark.parametrize("rows", [2, 4, 9])
@pytest.mark.parametrize(
    "heights", [(0.6, -0.3), (1.0,), (-1.0, -1.0), (0.0, 0.0), (0.001, -1.0), (1e-9,)]
)
def test_the_scale_has_room_for_every_bar_and_a_row_on_each_side_of_zero(
    heights: tuple[float, ...], rows: int
) -> None:
    unit, below = scale_of(heights, rows)
    assert 1 <= below < rows
    assert unit > 0
    assert -below - 1e-9 <= min(heights) / unit
    assert max(heights) / unit <= rows - below + 1e-9


@pytest.mark.parametrize("mark", MARKS, ids=lambda mark: mark.style)
def test_a_bar_fills_its_own_cells_and_no_other(mark: Mark) -> None:
    for rows in (2.0, -2.0, 0.001, -0.001):
        dots = mark.dots(6, 3, rows)
        assert {int(x) for x, _ in dots} == {6, 7}
        assert {int(y // 1) for _, y in dots} <= ({0, 1} if rows > 0 else {-1, -2})
    assert mark.dots(6, 3, 0.0) == []


async def test_settled_and_not_settled_bars_differ_by_their_shape(
    small: Path, a_comparison: Compared
) -> None:
    queries = [of(0.4), of(0.2, settled=False), of(-0.4), of(None, settled=False)]
    async with charted(small, a_comparison, queries) as pilot:
        text = shown(pilot)
        assert "█ 2 settled · ⣿ 1 not settled · 1 undefined" in text
        assert [label in text for label in ("+0.40 ┫", "0 ┫", "-0.40 ┫")] == [True] * 3
        drawn = frame(pilot)
        assert len(drawn) == 4
        assert drawn[0].startswith("█████ ")
        assert "█" not in drawn[0][6:]
        assert drawn[1].startswith(f"█████{ZERO}⣿⣿⣿⣿⣿{ZERO}")
        assert drawn[2].strip() == drawn[3].strip() == "█████"


@pytest.mark.parametrize("heights", [[0.3], [0.0] * 40, [-0.25] * 225])
async def test_one_query_or_all_equal_leave_the_zero_line_to_be_seen(
    small: Path, a_comparison: Compared, heights: list[float]
) -> None:
    queries = [of(height) for height in heights]
    async with charted(small, a_comparison, queries) as pilot:
        drawn = frame(pilot)
        zero = next(line for line in shown(pilot).splitlines() if " 0 ┫" in line)
        assert ZERO in zero or set(zero[8:].rstrip(" ┣")) <= set(SOLID)
        assert any(set(line) & set(SOLID) for line in drawn) is any(heights)


async def test_hundreds_of_queries_fit_and_it_is_said_that_bars_are_means(
    small: Path, a_comparison: Compared
) -> None:
    queries = [of(at / 225 - 0.4, settled=at % 2 == 0) for at in range(225)]
    async with charted(small, a_comparison, queries) as pilot:
        assert "Means of up to 4 queries · █ 113 settled · ⣿ 112 not settled" in shown(pilot)
        await pilot.resize_terminal(300, 40)
        await pilot.pause()
        assert "First minus second by query" in shown(pilot)
        assert len(frame(pilot)) == 9
        assert max(map(len, frame(pilot))) == 225


async def test_there_is_no_chart_without_a_difference_or_without_room(
    small: Path, a_comparison: Compared
) -> None:
    async with charted(small, a_comparison, [of(None, settled=False)]) as pilot:
        assert not frame(pilot)
    for size in ((80, 21), (50, 24), (40, 12)):
        async with charted(small, a_comparison, [of(0.3)], size) as pilot:
            assert not frame(pilot)
            await pilot.resize_terminal(80, 24)
            await pilot.pause()
            assert len(frame(pilot)) == 4


async def test_the_chart_takes_no_key_no_focus_and_no_wheel(
    small: Path, a_comparison: Compared
) -> None:
    queries = [of(0.4, query="[red]a"), of(-0.2, query="\x1b[31mb")]
    async with charted(small, a_comparison, queries) as pilot:
        before = shown(pilot)
        assert isinstance(pilot.app.focused, RowsView)
        await pilot.press("plus", "minus", "r", "left", "right", "tab")
        await roll(pilot, pilot.app.screen.query_one(DifferencesChart), MouseScrollDown)
        await pilot.click(DifferencesChart)
        await pilot.pause()
        assert isinstance(pilot.app.focused, RowsView)
        assert shown(pilot) == before
        assert "\x1b" not in before


@pytest.mark.parametrize("theme", [LIGHT, CONTRAST])
async def test_the_chart_follows_the_theme(
    small: Path, a_comparison: Compared, theme: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    async with charted(small, a_comparison, [of(0.4), of(0.2, settled=False)]) as pilot:
        chart = pilot.app.screen.query_one(DifferencesChart)

        def colours() -> set[str]:
            plot = chart.query_one("#plot")
            strips = plot.render_lines(plot.size.region)
            return {str(one.style.color) for strip in strips for one in strip if one.style}

        assert pilot.app.theme == DARK
        dark = colours()
        pilot.app.theme = theme
        await until(pilot, lambda: not colours() & dark)


def test_the_plot_is_loaded_by_the_comparison_alone() -> None:
    """It takes a while, which nobody who grades should wait for."""
    code = "import sys, annotator.tui.app; print('textual_plot' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
