"""Sessions under every order of judging: nothing is missed, and the order hears everything."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path

import pytest

from annotator.actions.orders import load_order
from annotator.errors import UsageError
from annotator.judging import Session
from annotator.judging.order import Background, PoolOrder, Thought
from annotator.records import Card
from annotator.store import Desk, Project
from annotator.store.collection import DocumentTable
from tests.projects import (
    begin,
    import_systems,
    labels_of,
    open_project,
    pair_number,
    pooled_project,
)

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


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return pooled_project(tmp_path / "judgments.db", SYSTEMS)


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


def place(session: Session) -> tuple[str, str]:
    assert session.query
    assert session.card
    return session.query.qid, session.card.docid


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


@every_order
@pytest.mark.parametrize("stay", [False, True])
def test_every_document_of_the_pool_comes_exactly_once(
    project: Project, name: str, stay: bool
) -> None:
    met = grade_all(start(project, name, stay=stay))
    assert len(met) == len(PAIRS)
    assert set(met) == PAIRS
    assert labels_of(project) == {pair: worth(pair) for pair in PAIRS}


@every_order
@pytest.mark.parametrize(
    ("stops", "stay"), [((3,), True), ((10,), False), ((5, 6, 12), False), ((4, 7, 11), True)]
)
def test_a_session_that_stopped_goes_on_as_it_would_have(
    tmp_path: Path, name: str, stops: tuple[int, ...], stay: bool
) -> None:
    whole = pooled_project(tmp_path / "whole.db", SYSTEMS)
    stopped = pooled_project(tmp_path / "stopped.db", SYSTEMS)
    expected = grade_all(start(whole, name, stay=stay))
    met = []
    for labels in stops:
        session = start(stopped, name, stay=stay)
        met += [grade(session) for _ in range(labels)]
    assert met + grade_all(start(stopped, name, stay=stay)) == expected


def test_staying_goes_on_with_a_query_whatever_others_judge_between(project: Project) -> None:
    session = start(project, "random", stay=True)
    query, _ = grade(session)
    other = begin(project, "bea", "q5" if query != "q5" else "q4")
    grade(other)
    assert place(session)[0] == query
    assert grade(session)[0] == query
    session.undo()
    assert grade(session)[0] == query
    assert place(start(project, "random", stay=True))[0] == query


@pytest.mark.parametrize("name", ["decide", "best", "rank"])
def test_what_was_undone_graded_again_or_graded_by_others_is_gone_on_from_too(
    tmp_path: Path, name: str
) -> None:
    ways = []
    for file, restarts in (("whole.db", False), ("stopped.db", True)):
        project = pooled_project(tmp_path / file, SYSTEMS)
        session = start(project, name)
        met = [grade(session) for _ in range(12)]
        for _ in range(3):
            session.undo()
        first = session.history()[-1]
        session.reopen(first.query, first.pair)
        grade(session)
        other = begin(project, "bea", "q4")
        met += [grade(other) for _ in range(4)]
        met.append(grade(session))
        if restarts:
            session = start(project, name)
        ways.append(met + grade_all(session))
    assert ways[0] == ways[1]


@every_order
def test_two_that_start_on_the_same_labels_go_the_same_way(tmp_path: Path, name: str) -> None:
    ways = []
    for file in ("one.db", "two.db"):
        session = start(pooled_project(tmp_path / file, SYSTEMS), name)
        for _ in range(3):
            grade(session)
        ways.append(grade_all(start(open_project(tmp_path / file), name)))
    assert ways[0] == ways[1]


@pytest.mark.parametrize("stay", [False, True])
@every_order
def test_what_is_made_ready_is_mostly_what_comes_under_the_order(
    project: Project, name: str, stay: bool
) -> None:
    session = start(project, name, stay=stay)
    right = total = 0
    while session.card is not None:
        coming = session.upcoming()
        grade(session)
        if session.card is not None:
            assert coming is not None
            right, total = right + (coming[1].pair == session.card.pair), total + 1
    assert session.upcoming() is None
    assert right == total if name == "random" else right >= total / 2


@every_order
def test_what_is_taken_back_comes_again(project: Project, name: str) -> None:
    session = start(project, name)
    grade(session)
    slip = grade(session)
    assert session.undo()
    assert place(session) == slip
    assert slip not in labels_of(project)
    rest = grade_all(session)
    assert rest[0] == slip
    assert set(labels_of(project)) == PAIRS


@every_order
def test_what_is_put_aside_comes_last_and_what_cannot_be_judged_never(
    project: Project, name: str
) -> None:
    session = start(project, name)
    aside, refused = place(session), None
    assert session.card
    session.later(session.card.pair)
    refused = place(session)
    session.cannot_judge(session.card.pair, "another language")
    met = grade_all(session)
    assert met[-1] == aside
    assert set(met) == PAIRS - {refused}


@every_order
def test_after_a_restart_what_was_put_aside_still_waits_until_the_end(
    project: Project, name: str
) -> None:
    session = start(project, name)
    aside = place(session)
    assert session.card
    session.later(session.card.pair)
    assert place(start(project, name)) == place(session) != aside
    assert place(start(project, name, "bea")) == aside


@pytest.mark.parametrize("name", ["decide", "random"])
def test_an_order_is_found_without_reading_a_card_or_a_text(
    project: Project, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = place(start(project, name))
    for owner, what in ((Desk, "cards"), (DocumentTable, "get"), (DocumentTable, "named")):
        monkeypatch.setattr(owner, what, lambda *_: pytest.fail("read"))
    order = load_order(project, Desk(project, "ann").assessor, name, ORDERS[name])
    assert order is not None
    monkeypatch.undo()
    query, pair = order.next() or (0, 0)
    assert {card.pair: card.docid for card in Desk(project, "ann").cards(query)}[pair] == first[1]


@every_order
def test_what_another_assessor_judged_does_not_come(project: Project, name: str) -> None:
    mine = start(project, name)
    theirs = begin(project, "bea")
    seen = {grade(theirs) for _ in range(4)}
    first = place(mine)
    met = grade_all(mine)
    assert set(met[1:]) == PAIRS - seen - {first}


@every_order
def test_an_assessor_may_go_anywhere_and_the_order_goes_on(project: Project, name: str) -> None:
    session = start(project, name)
    grade(session)
    session.open_query(4)
    grade(session)
    session.back()
    session.forward()
    session.next_query()
    session.reopen(*(session.history()[0].query, session.history()[0].pair))
    assert set(grade_all(session)) | set(labels_of(project)) == PAIRS
    assert set(labels_of(project)) == PAIRS


@every_order
def test_a_named_query_comes_first(project: Project, name: str) -> None:
    session = start(project, name, qid="q3")
    assert place(session)[0] == "q3"
    assert len(set(grade_all(session))) == len(PAIRS)


@every_order
def test_pairs_that_join_the_pool_meanwhile_come_in_the_end(project: Project, name: str) -> None:
    from annotator.actions.pooling import make_pool

    session = start(project, name)
    import_systems(project, {"delta": {"q1": ["new"]}})
    make_pool(project, 10)
    grade_all(session)
    assert ("q1", "new") in labels_of(project)


def test_the_log_tells_how_each_document_came(project: Project) -> None:
    session = start(project, "decide")
    grade(session)
    session.open_query(2)
    grade(session)
    session.forward()
    session.forward()
    grade(session)
    openly = pair_number(project, "q5", "d51")
    query = project.queries.ids()["q5"]
    session.grade_openly(query, project.documents.ids(["d51"])["d51"], "d51", 2)
    depth = begin(project, "bea")
    grade(depth)
    chosen = [(one.chosen, one.blind) for one in project.judgments.events()]
    assert chosen == [
        ("decide alpha beta", True),
        ("decide alpha beta", True),
        ("hand", True),
        ("eye", False),
        ("depth", True),
    ]
    assert openly


def test_an_order_learns_nothing_from_what_is_picked_by_eye(tmp_path: Path) -> None:
    nexts = []
    for file, grade_ in (("one.db", 0), ("two.db", 3)):
        project = pooled_project(tmp_path / file, SYSTEMS)
        query = project.queries.ids()["q5"]
        of_query = project.documents.ids([f"d5{place}" for place in (1, 2, 3, 4, 7)])
        meanwhile = start(project, "decide")
        for session in (begin(project), meanwhile):
            for docid, number in of_query.items():
                session.grade_openly(query, number, docid, grade_)
        assert [card.by_eye for card in Desk(project, "ann").cards(query)] == [True] * 5
        nexts.append([grade_all(start(project, "decide")), grade_all(meanwhile)])
    assert nexts[0] == nexts[1]


def test_the_order_goes_on_while_the_model_is_fitted_and_takes_the_fit_in(
    project: Project,
) -> None:
    waiting: list[tuple[Future[Thought], Callable[[], Thought]]] = []

    def later(work: Callable[[], Thought]) -> Future[Thought]:
        waiting.append((Future(), work))
        return waiting[-1][0]

    session = start(project, "decide", background=later)
    met = [grade(session) for _ in range(12)]
    assert len(waiting) == 1
    future, work = waiting[0]
    future.set_result(work())
    met += grade_all(session)
    assert len(met) == len(set(met)) == len(PAIRS)
    assert len(waiting) == 2


def test_an_order_that_cannot_think_goes_on_by_what_it_knew(project: Project) -> None:
    def fails(work: Callable[[], Thought]) -> Future[Thought]:
        future: Future[Thought] = Future()
        future.set_exception(ArithmeticError("singular"))
        return future

    session = start(project, "decide", background=fails)
    assert len(grade_all(session)) == len(PAIRS)


class Backwards:
    """An order that takes the pairs it is given from the last to the first."""

    name, as_of = "backwards", 0

    def __init__(self, cards: list[Card], *, enough: int) -> None:
        self.waiting = {card.pair: card for card in cards}
        self.enough = len(cards) - enough

    @property
    def reached(self) -> bool:
        return len(self.waiting) <= self.enough

    def take(self, card: Card) -> None:
        if card.open:
            self.waiting[card.pair] = card
        else:
            self.waiting.pop(card.pair, None)

    def after(self, _pair: int) -> None:
        """It does not know."""

    def next(self) -> tuple[int, int] | None:
        pairs = sorted(self.waiting)
        return (self.waiting[pairs[-1]].query, pairs[-1]) if pairs else None


def test_any_order_can_be_followed_and_tells_once_that_enough_is_known(project: Project) -> None:
    desk = Desk(project, "ann")
    cards = [card for one in desk.progress() for card in desk.cards(one.query)]
    session = Session(desk, order=lambda: Backwards(cards, enough=3))
    session.start()
    told, met = [], []
    while session.card:
        met.append(session.card.pair)
        grade(session)
        told.append(session.reaches_goal())
    assert met == sorted((card.pair for card in cards), reverse=True)
    assert told == [False, False, True, *[False] * (len(cards) - 3)]


def test_query_by_query_is_for_nothing_but_the_end(project: Project) -> None:
    session = begin(project)
    grade(session)
    assert not session.reaches_goal()


@pytest.mark.parametrize(
    ("name", "systems", "why"),
    [
        ("decide", [], "two systems"),
        ("decide", ["alpha", "alpha"], "two systems"),
        ("decide", ["alpha", "omega"], "no system omega"),
        ("best", ["alpha", "beta"], "takes no systems"),
    ],
)
def test_an_order_that_makes_no_sense_is_refused(
    project: Project, name: str, systems: list[str], why: str
) -> None:
    with pytest.raises(UsageError, match=why):
        load_order(project, Desk(project, "ann").assessor, name, systems)


def test_depth_is_the_order_of_presentation(project: Project) -> None:
    assert load_order(project, Desk(project, "ann").assessor, "depth") is None


def test_the_ranks_that_an_order_looks_at_are_those_of_the_rankings(project: Project) -> None:
    desk = Desk(project, "ann")
    order = load_order(project, "ann", "decide", ["alpha", "beta"])
    assert isinstance(order, PoolOrder)
    for at, one in enumerate(desk.progress()):
        pairs = order._pairs[at].tolist()
        for card in desk.cards(one.query):
            for system, name in enumerate(SYSTEMS):
                documents = SYSTEMS[name].get(one.qid, [])
                rank = documents.index(card.docid) + 1 if card.docid in documents else 0
                assert order.pooled.ranks[system, at, pairs.index(card.pair)] == rank
