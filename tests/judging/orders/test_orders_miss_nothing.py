"""Under every order each document of the pool comes once, whatever is done between."""

from __future__ import annotations

import pytest

from annotator.actions.orders import load_order
from annotator.actions.pool import make_pool
from annotator.judging.order import PoolOrder
from annotator.store import Project
from tests.judging.orders.ordered import (
    ORDERS,
    PAIRS,
    at_once,
    every_order,
    grade,
    grade_all,
    start,
    worth,
)
from tests.judging.sessions import place
from tests.projects import begin, import_systems, labels_of


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


@every_order
def test_what_another_assessor_judged_comes_when_nobody_has_anything_left(
    project: Project, name: str
) -> None:
    mine = start(project, name)
    theirs = begin(project, "bea")
    seen = {grade(theirs) for _ in range(4)}
    first = place(mine)
    met, unseen = grade_all(mine), PAIRS - seen - {first}
    assert set(met) == PAIRS
    assert set(met[1 : len(unseen) + 1]) == unseen


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
    session = start(project, name)
    import_systems(project, {"delta": {"q1": ["new"]}})
    make_pool(project, 10)
    grade_all(session)
    assert ("q1", "new") in labels_of(project)


@every_order
def test_what_a_run_brings_after_the_pool_is_not_offered_but_keeps_its_goal_open(
    project: Project, name: str
) -> None:
    rankings = {f"q{n}": [f"new{n}{place}" for place in range(9)] for n in range(1, 6)}
    import_systems(project, {"late": {**rankings, "q3": ["d32"]}})
    session = start(project, name)
    assert set(grade_all(session)) == PAIRS
    order = load_order(project, "ann", name, ORDERS[name], background=at_once)
    assert isinstance(order, PoolOrder)
    assert order.next() is None
    if name in ("best", "rank"):
        assert not order.reached
