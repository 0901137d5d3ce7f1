from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from annotator.actions.scoring import score
from annotator.domain import AssessorKind
from annotator.errors import RubricChangedError, UsageError
from annotator.judging import Session
from annotator.scoring.options import ScoreOptions
from annotator.store import Desk, Entry, Project
from rubric import Rubric
from tests.projects import begin, general, labels_of, open_project, pair_number, pooled_project


def reworded(version: int = 2, levels: int = 4) -> Rubric:
    return replace(
        general(), version=version, instructions="Anew.", levels=general().levels[:levels]
    )


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """Two documents pooled, the first graded 3."""
    project = pooled_project(tmp_path / "judgments.db", {"alpha": {"q1": ["d1", "d2"]}})
    Desk(project, "ann").say(pair_number(project, "q1", "d1"), grade=3)
    return project


def adopt(project: Project, rubric: Rubric, *, carries: bool = False) -> int:
    number = project.rubrics.add(rubric, project.now())
    project.rubrics.put_in_force(number, project.now(), carries=carries)
    return number


def test_a_stored_version_is_read_back_as_the_same(project: Project) -> None:
    active = open_project(project.file.path).rubrics.active()
    assert active.rubric == general()
    assert active.fingerprint == general().fingerprint


def test_a_text_is_stored_once(project: Project) -> None:
    assert project.rubrics.add(general(), project.now()) == project.rubrics.active().id
    assert len(project.rubrics.all()) == 1


def test_another_text_under_a_stored_name_and_version_is_refused(project: Project) -> None:
    with pytest.raises(UsageError, match="raise `version`"):
        project.rubrics.add(reworded(version=1), project.now())
    assert [one.rubric for one in project.rubrics.all()] == [general()]


def test_labels_of_another_version_are_not_counted_but_told(project: Project) -> None:
    adopt(project, reworded())
    assert labels_of(project) == {}
    method = score(project, ScoreOptions()).method
    assert (method.outdated, method.judged_pairs) == (1, 0)
    assert "1 label of another rubric not counted" in method.line()
    assert method.rubric["version"] == 2


def test_a_pair_judged_again_under_the_new_version_is_no_longer_outdated(project: Project) -> None:
    adopt(project, reworded())
    Desk(project, "ann").say(pair_number(project, "q1", "d1"), grade=1)
    assert labels_of(project) == {("q1", "d1"): 1}
    assert score(project, ScoreOptions()).method.outdated == 0


def test_labels_are_carried_over_only_where_that_was_said(project: Project) -> None:
    adopt(project, reworded(), carries=True)
    assert labels_of(project) == {("q1", "d1"): 3}
    adopt(project, reworded(3), carries=True)
    assert labels_of(project) == {("q1", "d1"): 3}
    adopt(project, reworded(4))
    assert labels_of(project) == {}


def test_going_back_to_a_version_counts_its_labels_again(project: Project) -> None:
    first = project.rubrics.active().id
    adopt(project, reworded())
    project.rubrics.put_in_force(first, project.now())
    assert labels_of(project) == {("q1", "d1"): 3}


def test_labels_are_not_carried_over_to_a_rubric_without_their_grades(project: Project) -> None:
    with pytest.raises(UsageError, match="may have grades up to 3, the new rubric only up to 2"):
        adopt(project, reworded(levels=3), carries=True)
    assert labels_of(project) == {("q1", "d1"): 3}
    adopt(project, reworded(levels=3))
    assert labels_of(project) == {}
    score(project, ScoreOptions())


def test_a_session_asks_again_what_was_judged_under_another_version(project: Project) -> None:
    adopt(project, reworded())
    session = begin(project)
    assert session.totals.open == 2
    assert all(card.open for card in session.cards)


def test_undo_under_a_new_version_does_not_make_an_old_grade_count(project: Project) -> None:
    adopt(project, reworded())
    desk = Desk(project, "ann")
    desk.say(pair_number(project, "q1", "d1"), grade=0)
    desk.undo()
    assert labels_of(project) == {}
    assert score(project, ScoreOptions()).method.outdated == 1


def test_a_note_under_a_new_version_does_not_make_an_old_grade_count(project: Project) -> None:
    adopt(project, reworded())
    session = begin(project, qid="q1")
    while session.card and session.card.docid != "d1":
        session.forward()
    assert session.card
    session.note(session.card.pair, "was 3")
    assert labels_of(project) == {}
    assert session.card.open


def test_the_latest_label_holds_where_assessors_differ(project: Project) -> None:
    pair, version = pair_number(project, "q1", "d1"), project.rubrics.active().id
    who = project.judgments.assessor("file", AssessorKind.IMPORTED)
    project.judgments.add(
        Entry(pair=pair, assessor=who, rubric_version=version, grade=1, at=project.now())
    )
    labels = project.judgments.labels(project.rubrics.counted())
    assert (labels.grade.tolist(), labels.disputed, labels.assessors) == ([1], 1, ["file"])
    Desk(project, "ann").say(pair, grade=2)
    assert labels_of(project) == {("q1", "d1"): 2}
    only = project.judgments.labels(project.rubrics.counted(), [who])
    assert (only.grade.tolist(), only.disputed) == ([1], 0)


@pytest.mark.parametrize("carries", [False, True])
def test_nothing_is_said_under_a_rubric_that_another_program_changed(
    project: Project, carries: bool
) -> None:
    session = begin(project)
    other = reworded(levels=4 if carries else 3)
    adopt(open_project(project.file.path), other, carries=carries)
    assert session.card
    pair, before = session.card.pair, list(project.judgments.events())
    said = [
        lambda: session.grade(pair, 2),
        lambda: session.later(pair),
        lambda: session.cannot_judge(pair, "why"),
        lambda: session.note(pair, "a note"),
        lambda: session.grade_openly(1, 2, "d2", 1),
        session.undo,
    ]
    for say in said:
        with pytest.raises(RubricChangedError, match=r"the rubric was changed to general v2 by"):
            say()
    assert session.card.pair == pair
    assert list(project.judgments.events()) == before
    session.take_rubric()
    assert (session.card.pair, session.rubric) == (pair, other)
    assert session.totals.judged == (1 if carries else 0)
    assert session.changed() is None
    if not carries:
        with pytest.raises(UsageError, match="it has 0 to 2"):
            session.grade(pair, 3)
    assert session.grade(pair, 1)
    (*_, last) = project.judgments.events()
    assert (last.rubric, last.grade) == (other.fingerprint, 1)


def test_what_no_longer_counts_comes_to_the_desk_again_under_the_new_rubric(
    project: Project,
) -> None:
    session = begin(project)
    assert session.card
    session.grade(session.card.pair, 2)
    assert session.card is None
    adopt(open_project(project.file.path), reworded())
    with pytest.raises(RubricChangedError):
        session.undo()
    session.take_rubric()
    assert session.card is not None
    assert session.totals.open == 2


def test_an_order_of_judging_is_made_anew_under_another_rubric(project: Project) -> None:
    made = []

    def load() -> None:
        made.append(project.rubrics.active().rubric.version)

    session = Session(Desk(project, "ann"), order=load)
    session.start()
    adopt(open_project(project.file.path), reworded())
    session.take_rubric()
    assert made == [1, 2]
