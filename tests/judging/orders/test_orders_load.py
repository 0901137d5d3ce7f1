"""An order is made from its name and the rankings alone; one that makes no sense is refused."""

from __future__ import annotations

import pytest

from annotator.actions.orders import load_order
from annotator.errors import UsageError
from annotator.judging.order import PoolOrder
from annotator.store import Desk, Project
from annotator.store.collection import DocumentTable
from tests.judging.orders.ordered import ORDERS, SYSTEMS, start
from tests.judging.sessions import place


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


def test_depth_is_the_order_of_presentation(project: Project) -> None:
    assert load_order(project, Desk(project, "ann").assessor, "depth") is None


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
