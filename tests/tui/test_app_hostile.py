"""Whatever stands in files is shown as what it says: no markup, no control character, no crash."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from textual.pilot import Pilot

from annotator.domain import Document, Query
from annotator.tui.widgets.line_breaks import most_cells
from rubric import Level
from tests.projects import general
from tests.tui.workplaces import make_small, running, said, shown, words, workplace

MARKUP = "[red]R[/] [/] [/b] [@click=app.quit]Q[/]"
CONTROL = "\x1b]2;T\x07\x1b[31m\x9b31m\u202ebidi\u200b\x00\x7f\u2028"
HOSTILE = f"{MARKUP} {CONTROL}\nnext\tline\r\n"
AS_SHOWN = f"{MARKUP} ␛]2;T␇␛[31m�31m�bidi�␀␡� next line"
IN_AN_ID = "q[red]\x1b[31m\u202e[/]"
ID_AS_SHOWN = "q[red]␛[31m�[/]"
DOCIDS = [IN_AN_ID, f"2{IN_AN_ID}"]
OBEYED = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]")


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    """Every text and name that can come from a file, as bad as it can be."""
    rubric = replace(
        general(),
        name=HOSTILE,
        instructions=HOSTILE,
        levels=tuple(Level(n, f"{n} {HOSTILE}", HOSTILE, (HOSTILE,)) for n in range(4)),
    )
    return make_small(
        tmp_path / "demo.db",
        queries=[Query(IN_AN_ID, HOSTILE, HOSTILE, HOSTILE)],
        documents=[
            Document(docid, HOSTILE, HOSTILE, HOSTILE, ((HOSTILE, HOSTILE),)) for docid in DOCIDS
        ],
        runs={HOSTILE: {IN_AN_ID: DOCIDS}},
        rubric=rubric,
    )


def harmless(pilot: Pilot[None]) -> str:
    """What stands on the screen as one line of words, in which there is nothing to be obeyed."""
    assert OBEYED.findall(shown(pilot)) == []
    return words(pilot)


async def test_every_screen_shows_it_as_it_is(hostile: Path) -> None:
    async with running(workplace(hostile, assessor=HOSTILE), size=(150, 50), board=True) as pilot:
        desk = harmless(pilot)
        assert f"query {ID_AS_SHOWN} (1 of 1)" in desk
        assert desk.count(AS_SHOWN) == 7  # the name of a field is cut
        await pilot.press("1")
        harmless(pilot)
        assert "✓ saved 1 1 [red]R[/] [/] [/b]" in said(pilot)
        await pilot.press("q")
        assert ID_AS_SHOWN in harmless(pilot)
        assert harmless(pilot).count(AS_SHOWN) == 2  # in its row and below the table
        await pilot.press("q", "b")
        assert harmless(pilot).count(AS_SHOWN) == 3
        assert f">{AS_SHOWN[:20]}" in harmless(pilot)
        await pilot.press("enter")
        assert AS_SHOWN[:40] in harmless(pilot)
        assert f">{ID_AS_SHOWN}" in harmless(pilot)
        await pilot.press("enter")
        assert f"Rankings · {ID_AS_SHOWN} · {AS_SHOWN}" in harmless(pilot)
        await pilot.press("escape", "escape", "c", "enter")
        assert f"{AS_SHOWN[:39]}… - {AS_SHOWN[:39]}…" in harmless(pilot)
        await pilot.press("escape", "escape", "h")
        assert f">1 {ID_AS_SHOWN} " in harmless(pilot)
        await pilot.press("enter", "r")
        assert harmless(pilot).count(AS_SHOWN) == 4 * 3 + 2
        await pilot.press("question_mark")
        harmless(pilot)


async def test_a_note_from_elsewhere_is_shown_as_it_is(hostile: Path) -> None:
    work = workplace(hostile)
    card = work.session.card
    assert card is not None
    work.session.note(card.pair, HOSTILE)
    async with running(work, size=(150, 50)) as pilot:
        await pilot.press("n")
        assert AS_SHOWN[:50] in harmless(pilot)
        await pilot.press("escape", "left", "1", "left")
        assert f"note: {AS_SHOWN}"[:70] in harmless(pilot)


async def test_what_is_searched_for_is_shown_as_it_is(hostile: Path) -> None:
    async with running(workplace(hostile)) as pilot:
        await pilot.press("slash", *"[/x]", "enter")
        assert "[/x] is not in this document" in harmless(pilot)
        await pilot.press("slash", *"[/b]", "enter")
        assert "match 1 of" in harmless(pilot)


async def test_a_small_screen_cuts_it_and_nothing_breaks(hostile: Path) -> None:
    async with running(workplace(hostile), size=(40, 12)) as pilot:
        for way in (
            "q",
            "escape",
            "b",
            "enter",
            "escape",
            "escape",
            "r",
            "escape",
            "question_mark",
        ):
            await pilot.press(way)
            harmless(pilot)


async def test_no_line_is_cut_off_by_a_terminal_that_makes_vowel_signs_wider(
    tmp_path: Path,
) -> None:
    hindi = "यह एक परीक्षण है। श्रीमान् " * 12
    project = make_small(
        tmp_path / "demo.db",
        queries=[Query("q1", hindi)],
        documents=[Document("d1", "", hindi)],
        runs={"a": {"q1": ["d1"]}},
    )
    async with running(workplace(project)) as pilot:
        for keys in ((), ("w",)):
            await pilot.press(*keys)
            lines = shown(pilot).splitlines()
            widths = [sum(map(most_cells, line.rstrip())) for line in lines]
            assert 60 < max(widths) <= 80
