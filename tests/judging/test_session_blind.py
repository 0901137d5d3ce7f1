"""Blind means blind: once an assessor has seen who returned what, their grades say so."""

from __future__ import annotations

from annotator.judging import Session
from annotator.store import Desk, Project
from annotator.store.checks import check
from tests.judging.sessions import grade, on_desk
from tests.projects import begin, open_project


def blind(project: Project) -> list[tuple[str, bool]]:
    return [(one.qid, one.blind) for one in project.judgments.events() if one.grade is not None]


def test_what_is_graded_after_the_rankings_were_seen_is_stored_as_not_blind(
    project: Project,
) -> None:
    session = begin(project)
    first, second = session.progress[0].query, session.progress[1].query
    grade(session)
    assert session.is_blind
    session.see_rankings(first)
    assert not session.is_blind
    grade(session)
    assert session.back()  # a grade is said anew
    grade(session)
    session.note(on_desk(session).pair, "a note")
    session.later(on_desk(session).pair)
    session.open_query(1)
    assert on_desk(session).query == second
    assert session.is_blind
    grade(session)
    assert blind(project) == [("q1", True), ("q1", False), ("q1", False), ("q2", True)]


def test_it_is_remembered_over_a_restart_for_the_one_who_saw_them(project: Project) -> None:
    session = begin(project)
    session.see_rankings(session.progress[0].query)
    session.see_rankings(session.progress[0].query)
    for name, is_blind in (("ann", False), ("ben", True)):
        again = Session(Desk(open_project(project.file.path), name))
        again.start()
        assert again.is_blind is is_blind
        grade(again)
    assert [one for _, one in blind(project)] == [False, True]
    assert not [one for one in check(project.file) if one.problems]


def test_to_see_them_in_one_window_counts_in_the_other(project: Project) -> None:
    one, other = begin(project), begin(open_project(project.file.path))
    assert one.is_blind
    other.see_rankings(other.progress[0].query)
    one.catch_up()
    assert not one.is_blind
    grade(one)
    assert blind(project) == [("q1", False)]


def test_taking_back_a_later_grade_leaves_the_earlier_one_as_blind_as_it_was(
    project: Project,
) -> None:
    session = begin(project)
    card = grade(session, 1)
    session.see_rankings(card.query)
    session.back()
    grade(session, 3)
    session.undo()
    (*_, last) = project.judgments.events()
    assert (last.grade, last.blind) == (1, True)
