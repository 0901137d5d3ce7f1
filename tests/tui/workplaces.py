"""Workplaces for tests of the grading app: on the demo data, and on small made-up projects."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from itertools import count
from pathlib import Path
from unittest.mock import patch

from textual.pilot import Pilot

from annotator.actions.demo import open_or_build
from annotator.actions.imports.texts import import_run
from annotator.actions.pool import make_pool
from annotator.actions.scoring import load_board, load_labels, method
from annotator.actions.standing import load_standing
from annotator.domain import Document, JudgmentEvent, Query
from annotator.judging import Session
from annotator.results.method import Method
from annotator.results.standings import Standing
from annotator.scoring.board import Board
from annotator.scoring.options import ScoreOptions
from annotator.settings import Settings
from annotator.store import Desk, Project
from annotator.tui import idle
from annotator.tui.app import AnnotatorApp
from annotator.tui.screens import grade
from annotator.tui.widgets.status_line import StatusLine
from annotator.tui.workplace import Workplace
from rubric import Level, Rubric
from tests.projects import TickingClock, general, labels_of, run_lines, write

_opened: list[Project] = []
LATE = 600
"""Seconds after which no test is still waiting."""

SMALL_RUN = {"q1": ["d1", "d2", "d3"], "q2": ["d4", "d5"]}
SMALL_QUERIES = [
    Query("q1", "wing flutter", "What makes wings flutter?", "Measurements count."),
    Query("q2", "heat transfer"),
]
SMALL_DOCUMENTS = [
    Document(f"d{number}", f"Title {number}", f"Text {number} on the flutter of wings.\n" * 3)
    for number in range(1, 6)
]


def make_demo(path: Path) -> Path:
    """A project of the demo data: all judged but what the new system added."""
    open_or_build(path).close()
    return path


def make_small(
    path: Path,
    *,
    queries: list[Query] = SMALL_QUERIES,
    documents: list[Document] = SMALL_DOCUMENTS,
    runs: Mapping[str, Mapping[str, list[str]]] | None = None,
    rubric: Rubric | None = None,
    depth: int | None = 10,
) -> Path:
    """A project of a handful of documents, pooled unless the depth is None."""
    project = Project.create(path, rubric or general(), TickingClock())
    project.queries.store(queries)
    for name, rankings in ({"alpha": SMALL_RUN} if runs is None else runs).items():
        import_run(project, write(path.with_name("small.run"), run_lines(rankings)), name=name)
    if depth is not None:
        make_pool(project, depth)
    project.documents.store(documents)
    project.close()
    return path


def make_begun(path: Path) -> Path:
    """Two systems and three queries, of which one is judged: enough to sort, compare and filter."""
    runs = {
        "alpha": {"q1": ["d1", "d2", "d3"], "q2": ["d4", "d5"], "q3": ["d2"]},
        "beta": {"q1": ["d3", "d1", "d5"], "q2": ["d5"], "q3": ["d4", "d2"]},
    }
    queries = [*SMALL_QUERIES, Query("q3", "speed of sound")]
    text = "The flutter of wings.\n\n" + "Line after line.\n" * 60
    documents = [one._replace(text=text) for one in SMALL_DOCUMENTS]
    project = opened(make_small(path, queries=queries, documents=documents, runs=runs))
    desk = Desk(project, "bob")
    for at, card in enumerate(desk.cards(desk.progress()[0].query)):
        desk.say(card.pair, grade=at % 4)
    close_opened()
    return path


def scale(top: int) -> Rubric:
    """A rubric with the grades 0 to ``top``."""
    levels = tuple(
        Level(grade, f"Level {grade}", f"What {grade} means.") for grade in range(top + 1)
    )
    return replace(general(), name=f"to-{top}", levels=levels)


def seconds_apart(seconds: float) -> Callable[[], float]:
    """A clock on which so many seconds pass whenever it is read."""
    times = count()
    return lambda: next(times) * seconds


def opened(path: Path) -> Project:
    """A project that :func:`close_opened` closes: in this thread, whoever still holds it."""
    project = Project.open(path, TickingClock())
    _opened.append(project)
    return project


def close_opened() -> None:
    """Close what was opened here."""
    while _opened:
        _opened.pop().close()


def read_board(path: Path) -> tuple[Board, Method]:
    """The scoreboard as the file has it now."""
    project = Project.open(path)
    try:
        options = ScoreOptions()
        labels = load_labels(project, options)
        return load_board(project, options, labels), method(project, options, labels, digests=False)
    finally:
        project.close()


def read_standing(path: Path) -> Standing:
    """What is known so far of the best system."""
    project = Project.open(path)
    try:
        return load_standing(project, "best")
    finally:
        project.close()


def workplace(
    path: Path,
    assessor: str = "ana",
    *,
    qid: str | None = None,
    board: Callable[[Path], tuple[Board, Method]] = read_board,
) -> Workplace:
    """An assessor's workplace on a project file, which is closed when the test ends."""
    project = opened(path)
    session = Session(Desk(project, assessor), seconds_apart(4))
    session.start(qid)
    return Workplace(
        "demo.db", assessor, session, lambda _: board(path), lambda: read_standing(path)
    )


@asynccontextmanager
async def running(
    work: Workplace,
    size: tuple[int, int] = (80, 24),
    *,
    min_gap: float = 0,
    board: bool = False,
    at_rest: float = LATE,
    settings: Settings | None = None,
) -> AsyncIterator[Pilot[None]]:
    """The app on a workplace; its scoreboard is read first (``board``) or after ``at_rest``."""
    app = AnnotatorApp(work, settings, min_gap=min_gap)
    with (
        patch.multiple(grade, AT_REST=0.001 if board else at_rest),
        patch.multiple(idle, CALM=0.0),
    ):
        async with app.run_test(size=size, notifications=True) as pilot:
            if board:
                await settled(pilot)
            yield pilot
            await app.workers.wait_for_complete()


async def settled(pilot: Pilot[None]) -> None:
    """Wait until the scoreboard is read and everything is drawn."""
    assert isinstance(pilot.app, AnnotatorApp)
    live = pilot.app._live
    await until(pilot, lambda: live.begun)
    for _ in ("read", "computed"):
        await pilot.app.workers.wait_for_complete()
        await pilot.pause()


async def until(pilot: Pilot[None], holds: Callable[[], object]) -> None:
    """Wait until something holds."""
    for _ in range(200):
        if holds():
            return
        await asyncio.sleep(0.02)
        await pilot.pause()
    raise AssertionError("it never came to hold")


def shown(pilot: Pilot[None]) -> str:
    """What stands on the screen."""
    return "\n".join(strip.text for strip in pilot.app.screen._compositor.render_strips())


def words(pilot: Pilot[None]) -> str:
    """What stands on the screen, as one line of words."""
    return " ".join(shown(pilot).split())


def column(text: str, heading: str) -> list[str]:
    """The first words of the rows below the line that has this heading."""
    lines = text.splitlines()
    at = next(at for at, line in enumerate(lines) if heading in line)
    return [line.lstrip(" >").split()[0] for line in lines[at + 1 : at + 6]]


def said(pilot: Pilot[None]) -> str:
    """What the status line of the desk says."""
    desk = pilot.app.screen_stack[0]
    return str(desk.query_one(StatusLine).render())


def labels(path: Path) -> dict[tuple[str, str], int]:
    """The labels in the file, read anew."""
    return labels_of(opened(path))


def events(path: Path) -> list[JudgmentEvent]:
    """The judgment log in the file, read anew."""
    return list(opened(path).judgments.events())
