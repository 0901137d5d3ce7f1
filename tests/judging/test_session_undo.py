"""Undo takes back what the same assessor said, one thing after another."""

from __future__ import annotations

from collections.abc import Callable

from annotator.store import Desk, Project
from tests.judging.sessions import at, events, grade, met_by_grading, on_desk, place
from tests.projects import begin, labels_of, open_project


def test_undo_takes_back_one_thing_after_another(project: Project) -> None:
    session = begin(project)
    card = on_desk(session)
    states = [card]
    session.note(card.pair, "first")
    states.append(on_desk(session))
    acts: list[Callable[[], object]] = [
        lambda: session.later(card.pair),
        lambda: session.grade(card.pair, 3),
        lambda: session.grade(card.pair, 1),
        lambda: session.cannot_judge(card.pair, "broken"),
    ]
    for act in acts:
        act()
        states.append(at(session, card.docid))
    said = events(project)
    for state in reversed(states[:-1]):
        undone = session.undo()
        assert undone is not None
        assert undone.pair == card.pair
        assert on_desk(session)._replace(given=0) == state._replace(given=0)
    assert events(project) == said + 5
    assert session.undo() is None
    assert events(project) == said + 5
    assert labels_of(project) == {}


def test_undo_works_over_a_restart_and_puts_the_card_on_the_desk(project: Project) -> None:
    session = begin(project)
    first, second = grade(session, 3), grade(session, 2)
    again = begin(open_project(project.file.path))
    assert again.undo()
    assert again.card == second
    assert begin(open_project(project.file.path)).card == second
    assert again.undo()
    assert again.card == first
    assert begin(open_project(project.file.path)).card == first
    assert labels_of(project) == {}
    assert grade(again, 0) == first
    assert labels_of(project) == {("q1", first.docid): 0}


def test_undo_takes_back_only_what_the_same_assessor_said(project: Project) -> None:
    grade(begin(project, "ann"), 3)
    assert begin(project, "ben").undo() is None
    assert len(labels_of(project)) == 1


def test_what_was_finished_can_be_undone(project: Project) -> None:
    session = begin(project)
    last = met_by_grading(session)[-1]
    session.undo()
    assert place(session) == last


def test_a_note_or_undo_does_not_make_an_old_grade_the_latest(project: Project) -> None:
    ann, ben = begin(project), Desk(project, "ben")
    pair = on_desk(ann).pair
    qid = ann.query.qid if ann.query else ""
    docid = on_desk(ann).docid
    ann.grade(pair, 1)
    ben.say(pair, grade=3)
    assert ann.back()
    assert ann.note(pair, "seen")
    assert labels_of(project)[qid, docid] == 3
    ann.grade(pair, 2)
    assert labels_of(project)[qid, docid] == 2
    ann.undo()
    assert labels_of(project)[qid, docid] == 3
