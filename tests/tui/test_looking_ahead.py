"""What comes next is made ready before the key: it is never shown as it no longer is."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.pilot import Pilot

from annotator.judging import Session
from annotator.store import Desk
from annotator.store.staging.area import staging
from annotator.tui.widgets.document_view import DocumentView
from annotator.tui.widgets.page import Page, Source
from tests.tui.workplaces import opened, running, shown, until, workplace


def title(session: Session) -> str:
    """The title of the document on the desk."""
    document = session.document()
    assert document is not None
    return document.title


async def ready(pilot: Pilot[None]) -> None:
    """Wait until what comes next has been made ready."""
    view = pilot.app.screen.query_one(DocumentView)
    await until(pilot, lambda: view._ahead is not None)


@pytest.mark.parametrize("keys", [["1"], ["1", "u"], ["right", "1"], ["s"], ["1", "left"], ["J"]])
async def test_what_stands_on_screen_is_the_document_on_the_desk(
    small: Path, keys: list[str]
) -> None:
    work = workplace(small)
    async with running(work) as pilot:
        for key in keys:
            await ready(pilot)
            await pilot.press(key)
            await pilot.pause()
            assert f"  {title(work.session)} " in shown(pilot)


async def test_a_document_made_ready_is_not_laid_out_again(
    small: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    work = workplace(small)
    async with running(work) as pilot:
        await ready(pilot)
        made: list[str] = []

        make = Page.of

        def of(source: Source, width: int, *, whole: bool) -> Page:
            made.append(source.title)
            return make(source, width, whole=whole)

        monkeypatch.setattr(Page, "of", of)
        await pilot.press("1")
        assert title(work.session) not in made


async def test_a_document_that_another_assessor_judges_meanwhile_is_passed_over(
    small: Path,
) -> None:
    work = workplace(small)
    async with running(work) as pilot:
        await ready(pilot)
        coming = work.session.upcoming()
        assert coming is not None
        Desk(opened(small), "ben").say(coming[1].pair, grade=3)
        await pilot.press("1")
        await pilot.pause()
        assert work.session.card is not None
        assert work.session.card.pair != coming[1].pair
        assert f"  {title(work.session)} " in shown(pilot)


async def test_a_text_that_is_imported_meanwhile_is_the_one_that_is_shown(small: Path) -> None:
    work = workplace(small)
    async with running(work) as pilot:
        await ready(pilot)
        coming = work.session.upcoming()
        assert coming is not None
        later = coming[2]._replace(text="Another text.")
        with staging(opened(small).file) as staged:
            texts = staged.texts(replace=True)
            texts.add([later])
            texts.store()
        await pilot.press("1")
        await pilot.pause()
        assert "Another text." in shown(pilot)


async def test_a_page_made_ready_for_another_width_is_not_used(small: Path) -> None:
    work = workplace(small)
    async with running(work, size=(120, 24)) as pilot:
        await ready(pilot)
        await pilot.resize_terminal(50, 24)
        await pilot.press("1")
        await pilot.pause()
        view = pilot.app.screen.query_one(DocumentView)
        assert view._page.width == view._text_width < 50
