"""A session begins where the assessor was, whatever way they came there."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable

import pytest

from annotator.judging import Session
from annotator.store import Project
from tests.judging.sessions import grade, on_desk, place
from tests.projects import begin

WAYS: dict[str, Callable[[Session], object]] = {
    "forward": lambda session: session.forward(),
    "back": lambda session: session.back(),
    "query": lambda session: session.open_query(2),
    "next query": lambda session: session.next_query(),
    "query before": lambda session: session.next_query(-1),
    "reopened": lambda session: session.reopen(
        session.history()[-1].query, session.history()[-1].pair
    ),
    "there and back": lambda session: (session.next_query(), session.jump_back()),
    "graded there": lambda session: (session.next_query(), grade(session)),
    "taken back there": lambda session: (session.next_query(), session.undo()),
    "noted there": lambda session: (
        session.next_query(),
        session.note(on_desk(session).pair, "odd"),
    ),
}


@pytest.mark.parametrize("way", WAYS)
def test_a_session_begins_where_the_assessor_was(project: Project, way: str) -> None:
    session = begin(project)
    grade(session)
    grade(session)
    WAYS[way](session)
    again = begin(project)
    assert place(again) == place(session)
    card = on_desk(again)
    assert again.grade(card.pair, 0)
    assert session.grade(card.pair, 0)
    by_hand, otherwise = project.file.tuples("SELECT chosen FROM judgment ORDER BY id DESC LIMIT 2")
    assert by_hand == otherwise  # what is learned from it does not depend on the pause


def test_nobody_is_brought_where_somebody_else_was(project: Project) -> None:
    session = begin(project)
    first = place(session)
    session.next_query()
    assert place(begin(project, "bo")) == first


def test_where_one_looked_last_is_left_for_the_end_when_nothing_waits(project: Project) -> None:
    session = begin(project)
    while session.card:
        grade(session)
    session.back()
    assert begin(project).card is None


def test_looking_around_goes_on_while_another_program_writes(project: Project) -> None:
    session = begin(project)
    project.file.answer_keys(0.01)
    other = sqlite3.connect(project.file.path)
    other.execute("BEGIN IMMEDIATE")
    assert session.forward()
    assert session.position[0] == 2
    other.close()
