"""Finding words in the document on the desk."""

from __future__ import annotations

from pathlib import Path

from textual.pilot import Pilot

from annotator.tui.screens.ask import Ask
from annotator.tui.widgets.document_view import DocumentView
from tests.tui.workplaces import running, said, shown, workplace


def match(pilot: Pilot[None]) -> tuple[int, int]:
    view = pilot.app.screen.query_one(DocumentView)
    return view.match_index, view.match_count


async def test_one_goes_from_match_to_match_until_the_search_is_ended(small: Path) -> None:
    async with running(workplace(small)) as pilot:
        await pilot.press("slash", *"Flut", "enter")
        assert match(pilot) == (1, 3)
        assert "match 1 of 3" in said(pilot)
        assert "n Next N Prev esc End find" in shown(pilot)
        await pilot.press("n", "n", "n", "N", "N")
        assert match(pilot) == (2, 3)
        await pilot.press("escape")
        assert match(pilot) == (0, 0)
        assert "n Note" in shown(pilot)
        await pilot.press("n")
        assert isinstance(pilot.app.screen, Ask)


async def test_where_nothing_is_found_n_is_the_note(small: Path) -> None:
    async with running(workplace(small)) as pilot:
        await pilot.press("slash", *"zz", "enter")
        assert "zz is not in this document" in said(pilot)
        await pilot.press("n")
        assert "Note on this document" in shown(pilot)


async def test_the_search_ends_with_the_document(small: Path) -> None:
    async with running(workplace(small)) as pilot:
        await pilot.press("slash", "f", "enter", "2")
        assert match(pilot) == (0, 0)
        assert "n Note" in shown(pilot)
        await pilot.press("slash", "escape")
        assert match(pilot) == (0, 0)


async def test_several_words_are_found_wherever_they_stand(small: Path) -> None:
    async with running(workplace(small)) as pilot:
        await pilot.press("slash", *"wings flutter", "enter")
        assert match(pilot) == (1, 6)  # three lines with both, in another order
        await pilot.press("escape", "slash", *"flutter of", "enter")
        assert match(pilot) == (1, 3)
