"""The flow of a day's work: history, next query, evidence, breaks, time left, the end."""

from __future__ import annotations

from pathlib import Path
from threading import Thread, current_thread, main_thread

import pytest
from textual.content import Content
from textual.widgets import Static

from annotator.domain import Document
from annotator.results.scores import SystemScore
from annotator.scoring.board import Board
from annotator.settings import Settings
from annotator.tui.breaks import REST, Breaks
from annotator.tui.messages import LIKELY
from annotator.tui.screens.grade import GradeScreen
from annotator.tui.screens.history import HistoryScreen
from annotator.tui.widgets.document_view import DocumentView
from annotator.tui.widgets.evidence_view import EvidenceView
from tests.tui.workplaces import (
    SMALL_DOCUMENTS,
    events,
    labels,
    make_small,
    opened,
    running,
    said,
    shown,
    until,
    words,
    workplace,
)

LINED = [one._replace(text="first\r\nsecond\r\nthird\nfourth") for one in SMALL_DOCUMENTS]


async def test_another_query_stands_out_for_its_first_document(small: Path) -> None:
    work = workplace(small)
    seen: list[tuple[int | None, bool]] = []
    async with running(work) as pilot:
        for key in "0000":
            card = work.session.card
            content = pilot.app.screen.query_one("#query-text", Static).content
            assert isinstance(content, Content)
            new = any(span.style == "$text-accent" for span in content.spans)
            seen.append((card.query if card else None, new))
            await pilot.press(key)
    assert seen == [(1, False), (1, False), (1, False), (2, True)]


async def test_ones_last_judgments_are_listed_reopened_and_changed(small: Path) -> None:
    work = workplace(small)
    first = work.session.card
    assert first is not None
    async with running(work, size=(120, 30)) as pilot:
        await pilot.press("h")
        assert "you have said nothing yet; what you say can be opened here" in shown(pilot)
        assert "Open" not in shown(pilot).splitlines()[-1]
        await pilot.press("enter", "escape", "2", "s", "h")
        assert isinstance(pilot.app.screen, HistoryScreen)
        assert "your last 2" in shown(pilot)
        assert "Open" in shown(pilot).splitlines()[-1]
        assert [line.split()[:3] for line in shown(pilot).splitlines()[3:5]] == [
            [">later", "q1", work.session.cards[1].docid],
            ["2", "q1", first.docid],
        ]
        await pilot.press("down", "enter")
        assert isinstance(pilot.app.screen, GradeScreen)
        assert "graded 2; another grade replaces it" in said(pilot)
        await pilot.press("0")
        assert labels(small) == {("q1", first.docid): 0}
        assert [event.grade for event in events(small)] == [2, None, 0]


async def test_the_next_query_and_only_what_is_open(small: Path) -> None:
    work = workplace(small)
    async with running(work) as pilot:
        await pilot.press("J")
        assert "query q2" in shown(pilot)
        await pilot.press("1", "1", "J")
        assert "no other query has anything to judge" in said(pilot)
        await pilot.press("o")
        assert "now skip judged documents" in said(pilot)
        await pilot.press("right", "right", "right")
        assert "nothing unjudged after this" in said(pilot)
        assert "query q1" in shown(pilot)
        await pilot.press("o", "right")
        assert "query q2" in shown(pilot)


async def test_queries_are_found_by_their_id_or_words(small: Path) -> None:
    work = workplace(small)
    async with running(work) as pilot:
        await pilot.press("q", "slash", *"HEAT", "enter")
        assert "Queries · with HEAT" in shown(pilot)
        assert "flutter" not in shown(pilot)
        await pilot.press("enter")
        assert "query q2" in shown(pilot)
        await pilot.press("q", "slash", *"q1", "enter", "enter")
        assert "query q1" in shown(pilot)
        await pilot.press("q", "slash", *"nothing", "enter", "enter")
        assert "Queries · with nothing" in shown(pilot)


@pytest.mark.parametrize("size", [(80, 24), (50, 14)])
async def test_lines_are_marked_as_the_reason_and_stored_with_the_grade(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    small = make_small(tmp_path / "demo.db", documents=LINED)
    async with running(workplace(small), size) as pilot:
        await pilot.press("m", "down", "m")
        assert "▌ second" in shown(pilot)
        await pilot.press("down", "m")
        assert "evidence marked" in said(pilot)
        assert "▌ third" in shown(pilot)
        assert "▌ fourth" not in shown(pilot)
        await pilot.press("2")
        assert ", with evidence" in said(pilot)
        event = events(small)[0]
        start, end = event.evidence_start, event.evidence_end
        assert str(LINED[0].text)[start:end] == "second\r\nthird"
        await pilot.press("left")
        assert "▌ second" in shown(pilot)
        await pilot.press("escape", "1")
        assert (events(small)[1].grade, events(small)[1].evidence_start) == (1, None)


async def test_marking_can_be_given_up_and_needs_a_text(tmp_path: Path) -> None:
    small = make_small(tmp_path / "demo.db", documents=[Document("d1", "", "one")])
    work = workplace(small)
    assert work.session.cards
    while work.session.card is not None and work.session.card.docid != "d1":
        work.session.forward()
    async with running(work) as pilot:
        view = pilot.app.screen.query_one(EvidenceView)
        await pilot.press("m", "end", "m", "home", "pagedown", "escape")
        assert view.evidence is None
        assert "no evidence marked" in said(pilot)
        await pilot.press("m", "1")
        assert events(small)[0].evidence_start is None
        await pilot.press("m")
        assert "there is no text to mark" in said(pilot)


async def test_a_click_goes_to_the_line_to_be_marked(tmp_path: Path) -> None:
    small = make_small(tmp_path / "demo.db", documents=LINED)
    async with running(workplace(small)) as pilot:
        await pilot.press("m")
        view = pilot.app.screen.query_one(EvidenceView)
        await pilot.click(view, offset=(3, 4))
        await pilot.press("m", "m", "3")
        event = events(small)[0]
        assert str(LINED[0].text)[event.evidence_start : event.evidence_end] == "third"


def test_a_break_is_due_after_so_much_work_and_not_after_a_rest() -> None:
    now = 0.0
    breaks = Breaks(50, lambda: now)
    due = []
    for _ in range(120):
        now += 60
        due.append(breaks.due())
    assert [minute for minute, is_due in enumerate(due, 1) if is_due] == [50, 100]
    now += REST
    assert not breaks.due()
    now += 49 * 60
    assert not breaks.due()
    never = Breaks(0, lambda: now)
    now += 60 * 600
    assert not never.due()


@pytest.mark.parametrize("minutes", [0, 1])
async def test_a_break_is_suggested_unless_switched_off(
    small: Path, minutes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Breaks.__init__, "__defaults__", (iter(range(0, 9999, 61)).__next__,))
    async with running(workplace(small), settings=Settings(break_minutes=minutes)) as pilot:
        await pilot.press("1")
        await pilot.pause()
        assert ("1 minute without a rest" in words(pilot)) == (minutes > 0)


async def test_the_time_left_is_told_where_there_is_room(demo: Path) -> None:
    async with running(workplace(demo), size=(120, 40)) as pilot:
        assert " left" not in shown(pilot).splitlines()[0]
        await pilot.press(*"11111")
        assert "% · ~5 min left" in shown(pilot).splitlines()[0]


async def test_the_end_tells_coverage_and_scores(small: Path) -> None:
    async with running(workplace(small), size=(100, 30), board=True) as pilot:
        await pilot.press(*"33102")
        await until(pilot, lambda: "alpha 100% " in words(pilot))
        assert "5 of 5 pooled pairs judged." in shown(pilot)
        assert "nDCG@10 bounds" in words(pilot)
        assert LIKELY not in words(pilot)


async def test_the_end_flags_what_is_unjudged_as_the_scoreboard_does_and_holds_up_no_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads: list[Thread] = []
    table = Board.table

    def noted(board: Board) -> tuple[SystemScore, ...]:
        threads.append(current_thread())
        return table(board)

    monkeypatch.setattr(Board, "table", noted)
    async with running(
        workplace(make_small(tmp_path / "demo.db", depth=2)), (100, 30), board=True
    ) as pilot:
        await pilot.press(*"0130")
        await until(pilot, lambda: "alpha 80.0%" in words(pilot))
        at_the_end = words(pilot)
        assert threads
        assert main_thread() not in threads
        await pilot.press("b")
        await until(pilot, lambda: ">alpha" in shown(pilot))
        row = next(line.split() for line in shown(pilot).splitlines() if ">alpha" in line)
        _, value, reach, *bounds = row[:6]
        assert f"alpha 80.0% {value} {reach} {' '.join(bounds)} 1 unjudged" in at_the_end
        assert (value[0], reach[0]) == ("~", "±")
        assert LIKELY in at_the_end


async def test_the_end_tells_the_scores_as_soon_as_they_are_read(small: Path) -> None:
    work = workplace(small)
    while (card := work.session.card) is not None:
        work.session.grade(card.pair, 2)
    async with running(work, board=True) as pilot:
        await until(pilot, lambda: "alpha 100% 1.000 1.000" in words(pilot))
    assert len(labels(small)) == 5
    assert opened(small).judgments.last_event() == 5


async def test_at_the_end_no_key_is_offered_that_does_nothing_and_what_is_next_is_named(
    small: Path,
) -> None:
    async with running(workplace(small), board=True) as pilot:
        await pilot.press(*"33102")
        await until(pilot, lambda: "alpha" in words(pilot))
        assert "heat transfer" not in shown(pilot)  # the query of the last document
        assert "Highly relevant" not in shown(pilot)
        assert "annotator compare A B" in shown(pilot)
        assert "annotator export qrels FILE" in shown(pilot)
        ids = {one.binding.id for one in pilot.app.screen.active_bindings.values()}
        assert not ids & {"grade.0", "grade.later", "grade.cannot", "grade.note", "find.start"}
        assert {"grade.undo", "app.scores", "app.verdict", "app.queries", "app.quit"} <= ids
        await pilot.press("u")
        assert "Highly relevant" in shown(pilot)
        assert "heat transfer" in shown(pilot)


async def test_u_goes_back_to_where_one_jumped_from_before_it_takes_anything_back(
    demo: Path,
) -> None:
    work = workplace(demo)
    async with running(work) as pilot:
        await pilot.press("1", "right")
        here = work.session.card
        for jump in (["J"], ["K"], ["q", "end", "enter"], ["h", "enter"], ["J", "J", "right", "u"]):
            await pilot.press(*jump)
            await pilot.pause()
            assert work.session.card != here
            await pilot.press("u")
            await pilot.pause()
            assert work.session.card == here
            assert "back where you were" in said(pilot)
        assert len(events(demo)) == 794
        await pilot.press("u")
        assert "took back 1 Marginal" in said(pilot)


async def test_the_keys_of_less_and_vim_scroll(begun: Path) -> None:
    async with running(workplace(begun)) as pilot:
        view = pilot.app.screen.query_one(DocumentView)
        places = []
        for key in ("j", "k", "ctrl+d", "ctrl+u", "G", "g"):
            await pilot.press(key)
            places.append(view.scroll_offset.y)
        assert places[:2] == [1, 0]
        assert places[2] > 5
        assert places[3] == 0
        assert places[4] == view.max_scroll_y
        assert places[5] == 0


async def test_a_document_without_text_is_graded_only_by_whoever_asks_twice(
    tmp_path: Path,
) -> None:
    small = make_small(tmp_path / "demo.db", documents=[])
    async with running(workplace(small)) as pilot:
        await pilot.press("2")
        assert "this document has no text" in said(pilot)
        assert events(small) == []
        await pilot.press("2")
        assert "✓ saved 2" in said(pilot)
        await pilot.press("1")
        assert "this document has no text" in said(pilot)
        assert [one.grade for one in events(small)] == [2]


async def test_a_note_that_was_left_is_there_again_and_stores_nothing(small: Path) -> None:
    async with running(workplace(small)) as pilot:
        await pilot.press("n", *"half a", "escape")
        assert events(small) == []
        await pilot.press("1", "n")
        assert "half a" not in shown(pilot)
        await pilot.press("escape", "left", "n", *" note", "enter")
        assert [one.note for one in events(small)] == ["", "half a note"]
