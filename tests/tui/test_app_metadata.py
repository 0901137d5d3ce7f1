"""What a file told of a document besides its text: cut on the desk, whole on a screen, harmless."""

from __future__ import annotations

from pathlib import Path

from annotator.domain import Document
from annotator.tui.messages import MOST_TOLD, about
from annotator.tui.screens.grade import GradeScreen
from tests.tui.workplaces import make_small, running, shown, words, workplace


async def test_what_a_file_told_of_a_document_stands_below_its_title_and_is_cut_with_a_mark(
    tmp_path: Path,
) -> None:
    told = (("authors", "Ann, Bo"), ("year", "1962"), ("long", "w" * 500), ("more", "x" * 500))
    documents = [Document(f"d{one}", "T", "The text.", "", told) for one in range(1, 6)]
    async with running(workplace(make_small(tmp_path / "demo.db", documents=documents))) as pilot:
        assert "authors: Ann, Bo · year: 1962 · long: www" in words(pilot)
        assert "…" in words(pilot)
        assert "The text." in words(pilot)
        assert len(about(documents[0])[-1]) <= MOST_TOLD
        await pilot.press("i")
        assert "w" * 70 in shown(pilot)
        await pilot.press("end")
        everything = "".join(line.strip() for line in shown(pilot).splitlines())
        assert "x" * 500 in everything
        await pilot.press("i")
        assert isinstance(pilot.app.screen, GradeScreen)


async def test_all_that_is_known_of_a_document_is_shown_harmless_from_a_ranking_too(
    tmp_path: Path,
) -> None:
    told = (("by\x1b[31m", "A\u202eB\x07 [red]C[/]"), ("empty", " "))
    documents = [
        Document(f"d{one}", f"T{one}", "The text.", "http://u", told) for one in range(1, 6)
    ]
    async with running(
        workplace(make_small(tmp_path / "demo.db", documents=documents)), board=True
    ) as pilot:
        for way in [("i",), ("i", "b", "enter", "enter", "i")]:
            await pilot.press(*way)
            seen = shown(pilot)
            assert {"title", "url"} <= set(seen.split())
            assert "[red]C[/]" in seen
            assert "empty" not in seen
            assert not {"\x1b", "\u202e", "\x07"} & set(seen)
            assert seen.splitlines()[0].startswith(" Document d")
