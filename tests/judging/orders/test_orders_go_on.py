"""An order goes on the same way after a stop or a restart, and mostly the way it foresaw."""

from __future__ import annotations

from pathlib import Path

import pytest

from annotator.store import Project
from tests.judging.orders.ordered import SYSTEMS, every_order, grade, grade_all, start
from tests.judging.sessions import place
from tests.projects import begin, open_project, pooled_project


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
