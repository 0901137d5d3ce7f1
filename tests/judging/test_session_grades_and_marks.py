"""What can be said of the document on the desk: a grade, a note, later, not to be judged."""

from __future__ import annotations

import pytest

from annotator.domain import Mark
from annotator.errors import UsageError
from annotator.judging import Session
from annotator.store import Desk, Project
from tests.judging.sessions import at, events, grade, met_by_grading, on_desk, place
from tests.projects import begin, contents, labels_of


def test_what_is_said_of_another_pair_than_the_one_on_the_desk_is_not_stored(
    project: Project,
) -> None:
    session = begin(project)
    stale = grade(session).pair
    card, before = session.card, contents(project)
    assert not session.grade(stale, 3)
    assert not session.later(stale)
    assert not session.cannot_judge(stale, "broken")
    assert not session.note(stale, "text")
    assert session.card == card
    assert contents(project) == before


@pytest.mark.parametrize("wrong", [-1, 4, 10])
def test_a_grade_outside_the_rubric_is_refused(project: Project, wrong: int) -> None:
    session = begin(project)
    with pytest.raises(UsageError, match="0 to 3"):
        session.grade(on_desk(session).pair, wrong)
    assert events(project) == 0


def test_grading_again_keeps_the_history(project: Project) -> None:
    session = begin(project)
    card = grade(session, 1)
    session.back()
    grade(session, 3)
    assert labels_of(project) == {("q1", card.docid): 3}
    assert [event.grade for event in project.judgments.events()] == [1, 3]


def test_what_was_put_aside_comes_back_when_nothing_else_is_left(project: Project) -> None:
    session = begin(project)
    aside = place(session)
    assert session.later(on_desk(session).pair)
    assert session.totals.later == 1
    met = met_by_grading(session)
    assert met[-1] == aside
    assert met.count(aside) == 1
    assert session.totals.later == 0


def test_the_last_document_may_be_put_aside_again_and_again(project: Project) -> None:
    session = begin(project)
    last = session.totals.open - 1
    for _ in range(last):
        grade(session)
    for _ in range(3):
        pair = on_desk(session).pair
        assert session.later(pair)
        assert on_desk(session).pair == pair


def test_what_cannot_be_judged_does_not_come_back_and_stays_unjudged(project: Project) -> None:
    session = begin(project)
    card = on_desk(session)
    assert session.cannot_judge(card.pair, "in a language I cannot read")
    assert card.docid not in [docid for qid, docid in met_by_grading(session) if qid == "q1"]
    assert (session.totals.cannot, session.totals.open) == (1, 0)
    assert ("q1", card.docid) not in labels_of(project)
    assert at(session, card.docid).note == "in a language I cannot read"


def test_a_note_keeps_grade_and_card(project: Project) -> None:
    session = begin(project)
    card = grade(session, 2)
    session.back()
    assert session.note(card.pair, "second thoughts")
    assert on_desk(session) == card._replace(grade=2, note="second thoughts", label=2, given=1)
    assert labels_of(project) == {("q1", card.docid): 2}
    assert session.note(card.pair, "")
    assert on_desk(session).grade == 2


def test_a_note_on_an_open_card_leaves_it_open_and_stays_when_it_is_graded(
    project: Project,
) -> None:
    session = begin(project)
    pair = on_desk(session).pair
    session.note(pair, "hm")
    assert on_desk(session).pair == pair
    assert on_desk(session).open
    card = grade(session, 1)
    session.back()
    assert on_desk(session) == card._replace(grade=1, label=1)


def test_times_are_taken_from_when_the_card_was_shown(project: Project) -> None:
    seconds = iter([0.0, *(10.0 * step for step in range(1, 40))])
    session = Session(Desk(project, "ann"), clock=lambda: next(seconds))
    session.start()
    for _ in range(4):
        grade(session)
    assert session.pace() is None
    grade(session)
    assert session.pace() == 10.0
    (event, *_) = project.judgments.events()
    assert (event.seconds, event.position, event.blind) == (10.0, 1, True)


def test_marks_hold_for_the_assessor_who_made_them(project: Project) -> None:
    ann = begin(project, "ann")
    card = on_desk(ann)
    ann.cannot_judge(card.pair, "unreadable to me")
    ben = begin(project, "ben")
    assert on_desk(ben) == card
    grade(ben, 2)
    again = next(one for one in begin(project, "ann").cards if one.pair == card.pair)
    assert (again.grade, again.mark, again.label) == (None, Mark.CANNOT, 2)
    assert begin(project, "ann").totals.cannot == 1
