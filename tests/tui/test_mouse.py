"""What the mouse does that no key of the footer shows: the wheel, on whatever can be scrolled."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.events import MouseScrollDown, MouseScrollUp
from textual.pilot import Pilot
from textual.widget import Widget

from annotator.domain import Document, Query
from annotator.tui.widgets.document_view import DocumentView
from annotator.tui.widgets.query_panel import QueryPanel
from tests.tui.workplaces import make_small, running, shown, until, workplace

LONG = "\n".join(f"line {number}" for number in range(200))


@pytest.fixture
def long(tmp_path: Path) -> Path:
    """A project of long documents and of a need that does not fit on the screen."""
    return make_small(
        tmp_path / "demo.db",
        queries=[Query("q1", "wing flutter", "What is it?\n" * 20, "The last words.")],
        documents=[Document(f"d{number}", "T", LONG) for number in range(1, 4)],
        runs={"alpha": {"q1": ["d1", "d2", "d3"]}},
    )


async def roll(
    pilot: Pilot[None], widget: Widget, event: type[MouseScrollDown | MouseScrollUp]
) -> None:
    """Turn the wheel over a widget, as a terminal tells of it."""
    x, y = widget.region.x + 3, widget.region.y + 2
    pilot.app.screen._forward_event(
        event(None, x, y, 0, 0, 0, shift=False, meta=False, ctrl=False, screen_x=x, screen_y=y)
    )
    await pilot.pause()


async def test_the_wheel_scrolls_the_document_and_the_need(long: Path) -> None:
    async with running(workplace(long)) as pilot:
        for kind in (DocumentView, QueryPanel):
            view = pilot.app.screen.query_one(kind)
            await roll(pilot, view, MouseScrollDown)
            await until(pilot, lambda view=view: view.scroll_offset.y > 0)  # type: ignore[misc]
            await roll(pilot, view, MouseScrollUp)
            await until(pilot, lambda view=view: view.scroll_offset.y == 0)  # type: ignore[misc]


async def test_the_need_can_be_read_to_its_end_by_keys_too(long: Path) -> None:
    async with running(workplace(long)) as pilot:
        assert "The last words." not in shown(pilot)
        await pilot.press("w", "end")
        await until(pilot, lambda: "The last words." in shown(pilot))
        await pilot.press("w")
        assert "line 3" in shown(pilot)
