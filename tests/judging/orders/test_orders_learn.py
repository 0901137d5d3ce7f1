"""What an order hears and thinks: its model, its goal, and how each document came."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path

from annotator.domain import Card
from annotator.judging import Session
from annotator.judging.order import Thought
from annotator.store import Desk, Project
from tests.judging.orders.ordered import PAIRS, SYSTEMS, grade, grade_all, start
from tests.projects import begin, pair_number, pooled_project


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
