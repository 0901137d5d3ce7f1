"""Sessions under every order, over one pool in which each document has its grade."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future

import pytest

from annotator.actions.orders import load_order
from annotator.judging import Session
from annotator.judging.order import Background, Thought
from annotator.store import Desk, Project
from tests.judging.sessions import place

SYSTEMS = {
    "alpha": {f"q{n}": [f"d{n}{place}" for place in (1, 2, 3, 4)] for n in range(1, 6)},
    "beta": {f"q{n}": [f"d{n}{place}" for place in (4, 1, 7)] for n in range(1, 6)},
    "gamma": {f"q{n}": [f"d{n}{place}" for place in (9, 2)] for n in range(1, 5)},
}
PAIRS = {(qid, docid) for of in SYSTEMS.values() for qid, docids in of.items() for docid in docids}
ORDERS = {
    "random": [],
    "mtf": [],
    "decide": ["alpha", "beta"],
    "best": [],
    "rank": [],
}
every_order = pytest.mark.parametrize("name", ORDERS)


def at_once(work: Callable[[], Thought]) -> Future[Thought]:
    future: Future[Thought] = Future()
    future.set_result(work())
    return future


def start(
    project: Project,
    name: str,
    assessor: str = "ann",
    *,
    stay: bool = False,
    qid: str | None = None,
    background: Background = at_once,
) -> Session:
    desk = Desk(project, assessor)
    order = load_order(project, assessor, name, ORDERS[name], stay=stay, background=background)
    session = Session(desk, order=lambda: order)
    session.start(qid)
    return session


def worth(pair: tuple[str, str]) -> int:
    """A grade for every document, the same in every test."""
    return sum(map(ord, "".join(pair))) % 4


def grade(session: Session) -> tuple[str, str]:
    assert session.card
    met = place(session)
    assert session.grade(session.card.pair, worth(met))
    return met


def grade_all(session: Session) -> list[tuple[str, str]]:
    met = []
    while session.card:
        met.append(grade(session))
    return met
