"""The ways through the pool beside grading on: history, next query, only open, openly graded."""

from __future__ import annotations

from pathlib import Path

import pytest

from annotator.actions.imports.log import export_judgments, import_judgments
from annotator.domain import Evidence, Mark
from annotator.errors import UsageError
from annotator.store import Project
from tests.judging.sessions import on_desk
from tests.projects import begin, labels_of, pair_number, pooled_project, write

SYSTEMS = {
    "alpha": {"q1": ["d1", "d2", "d3"], "q2": ["d1", "d5"], "q3": ["d6"]},
}


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return pooled_project(tmp_path / "judgments.db", SYSTEMS)


def test_history_holds_what_was_said_last_newest_first(project: Project) -> None:
    session = begin(project)
    first, second, third = session.cards
    session.grade(first.pair, 1)
    session.later(second.pair)
    session.grade(third.pair, 2)
    session.undo()
    session.reopen(first.query, first.pair)
    session.grade(first.pair, 3)
    begin(project, "ben")
    past = session.history()
    assert [(one.docid, one.grade, one.mark) for one in past] == [
        (first.docid, 3, None),
        (second.docid, None, Mark.LATER),
    ]
    assert begin(project, "ben").history() == []


def test_a_pair_is_reopened_and_regraded_while_the_log_keeps_both(project: Project) -> None:
    session = begin(project)
    first = on_desk(session)
    session.grade(first.pair, 1)
    session.grade(on_desk(session).pair, 1)
    assert session.reopen(first.query, first.pair)
    assert on_desk(session).grade == 1
    session.grade(first.pair, 0)
    grades = [event.grade for event in project.judgments.events() if event.docid == first.docid]
    assert grades == [1, 0]
    assert not session.reopen(first.query, 999)


def test_the_next_query_is_one_with_something_open_and_goes_round(project: Project) -> None:
    session = begin(project)
    assert session.next_query()
    assert session.query
    assert session.query.qid == "q2"
    for _ in range(2):
        session.grade(on_desk(session).pair, 1)
    assert session.query.qid == "q3"
    assert session.next_query()
    assert session.query.qid == "q1"
    assert session.next_query()
    session.grade(on_desk(session).pair, 1)
    assert not session.next_query()
    assert session.query.qid == "q1"


def test_looking_around_can_pass_over_what_is_judged(project: Project) -> None:
    session = begin(project)
    first = on_desk(session)
    session.grade(session.cards[0].pair, 1)
    session.later(session.cards[1].pair)
    session.only_open = True
    assert not session.back()
    assert session.forward()
    assert session.query
    assert session.query.qid == "q2"
    assert session.back()
    assert on_desk(session).pair == session.cards[2].pair
    session.only_open = False
    session.back()
    session.back()
    assert on_desk(session).pair == first.pair


def test_a_grade_given_in_a_ranking_is_not_blind_and_leaves_the_desk(project: Project) -> None:
    session = begin(project)
    desk = on_desk(session)
    query, document = project.queries.ids()["q2"], project.documents.ids(["d5"])["d5"]
    session.grade_openly(query, document, "d5", 2)
    assert labels_of(project) == {("q2", "d5"): 2}
    assert [event.blind for event in project.judgments.events()] == [False]
    assert on_desk(session) == desk
    assert session.progress[1].judged == 1
    assert [(card.docid, card.grade) for card in session.changed() or []] == [("d5", 2)]
    with pytest.raises(UsageError):
        session.grade_openly(query, document, "d5", 7)


def test_a_document_outside_the_pool_can_be_graded_openly(project: Project) -> None:
    session = begin(project)
    query, document = project.queries.ids()["q1"], project.documents.ids(["d6"])["d6"]
    session.grade_openly(query, document, "d6", 1)
    assert labels_of(project) == {("q1", "d6"): 1}
    assert session.totals.pooled == 6
    assert session.totals.judged == 0
    assert [one.docid for one in session.history()] == ["d6"]
    assert not session.reopen(query, pair_number(project, "q1", "d6"))


def test_what_is_on_the_desk_shows_a_grade_given_openly(project: Project) -> None:
    session = begin(project)
    desk = on_desk(session)
    session.grade_openly(desk.query, desk.document, desk.docid, 2)
    assert on_desk(session).grade == 2


def test_evidence_is_stored_with_the_grade_and_stays_with_it(project: Project) -> None:
    session = begin(project)
    first = on_desk(session)
    session.grade(first.pair, 2, Evidence(3, 9))
    session.reopen(first.query, first.pair)
    assert on_desk(session).evidence == Evidence(3, 9)
    session.note(first.pair, "noted")
    assert on_desk(session).evidence == Evidence(3, 9)
    session.grade(first.pair, 1)
    session.reopen(first.query, first.pair)
    assert on_desk(session).evidence is None
    session.undo()
    assert on_desk(session).evidence == Evidence(3, 9)


def test_evidence_survives_the_way_through_a_file(project: Project, tmp_path: Path) -> None:
    session = begin(project)
    session.grade(on_desk(session).pair, 2, Evidence(3, 9))
    session.grade(on_desk(session).pair, 1)
    lines = list(export_judgments(project))
    log = write(tmp_path / "log.jsonl", "\n".join(lines) + "\n")
    other = pooled_project(tmp_path / "other.db", SYSTEMS)
    import_judgments(other, log)
    assert list(export_judgments(other)) == lines
    import_judgments(other, log)
    assert list(export_judgments(other)) == lines


def test_the_pace_follows_what_is_graded_now(project: Project) -> None:
    session = begin(project)
    for _ in range(4):
        session.grade(on_desk(session).pair, 1)
    assert session.pace() is None
    session.grade(on_desk(session).pair, 1)
    assert session.pace() is not None
