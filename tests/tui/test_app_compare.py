"""Two systems compared query by query: their order, their bars, and the ways back."""

from __future__ import annotations

from pathlib import Path

import pytest

from annotator.scoring.paired_systems import compared
from annotator.tui.bar_charts import FULL, difference
from annotator.tui.screens.compare import CompareScreen
from annotator.tui.screens.rankings import RankingsScreen
from annotator.tui.screens.scores import ScoresScreen
from annotator.tui.widgets.rows_view import RowsView
from tests.tui.workplaces import column, read_board, running, shown, until, workplace


async def test_two_systems_are_compared_query_by_query(demo: Path) -> None:
    async with running(workplace(demo), size=(120, 40), board=True) as pilot:
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
        said = " ".join(shown(pilot).split())
        assert f"better on {found.result.wins} of 39 queries, worse on" in said
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


@pytest.mark.parametrize("width", [60, 80, 120])
async def test_the_bars_of_a_comparison_begin_at_one_axis_and_point_as_the_sign_says(
    demo: Path, width: int
) -> None:
    async with running(workplace(demo), size=(width, 30), board=True) as pilot:
        await pilot.press("b", "c", "down", "enter")
        rows = [line for line in shown(pilot).splitlines() if "│" in line and "~" in line]
        (axis,) = {row.index("│") for row in rows}
        signs = ["-" in row.split()[1] for row in rows]
        assert [row[axis - 1] == FULL for row in rows] == signs
        assert [row[axis + 1] == FULL for row in rows] == [not one for one in signs]
        assert {True, False} == set(signs)


def test_a_difference_is_a_bar_on_its_side() -> None:
    assert difference(None, 5) == "  ·  "
    assert difference(0.0, 5) == "  │  "
    assert difference(1.0, 5) == "  │━━"
    assert difference(-0.5, 5) == " ━│  "
    assert difference(0.001, 5) == "  │━ "
