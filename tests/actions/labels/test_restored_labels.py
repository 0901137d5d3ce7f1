"""Labels that were exported are the same when they are imported again, and stored once."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from annotator.actions.imports.log import export_judgments, import_judgments
from annotator.actions.imports.qrels import export_qrels, import_qrels
from annotator.actions.scoring import score
from annotator.scoring.options import ScoreOptions
from annotator.store import Desk, Project
from rubric import Rubric
from tests.actions.labels.conftest import SYSTEMS, qrels
from tests.projects import (
    begin,
    contents,
    general,
    import_systems,
    labels_of,
    new_project,
    pair_number,
    qrels_lines,
    write,
)


def scores(project: Project) -> object:
    return score(project, ScoreOptions()).to_dict(per_query=True)["systems"]


def second_rubric() -> Rubric:
    return replace(general(), version=2, instructions="Anew.")


@pytest.fixture
def judged(project: Project) -> Project:
    """Two assessors, two rubric versions, regrades, undos, marks, notes, and labels of a file."""
    import_qrels(project, qrels(project, "q1 0 unseen 2\n"))
    ann, ben = begin(project, "ann"), begin(project, "ben", "q2")
    for session in (ann, ben):
        assert session.card
        session.grade(session.card.pair, 3)
        session.later(session.card.pair)
    ann.undo()
    ann.undo()
    version = project.rubrics.add(second_rubric(), project.now())
    project.rubrics.put_in_force(version, project.now())
    ann, ben = begin(project, "ann"), begin(project, "ben")
    for grade in (0, 3, 1):
        assert ann.card
        ann.grade(ann.card.pair, grade)
    ann.undo()
    assert ann.card
    ann.note(ann.card.pair, 'odd "text" 🎯\nof two lines')
    ann.cannot_judge(ann.card.pair, "broken")
    assert ben.card
    ben.back()
    ben.grade(ben.card.pair, 2)
    return project


def exported(project: Project, name: str = "log.jsonl") -> Path:
    lines = "".join(line + "\n" for line in export_judgments(project))
    return write(project.file.path.with_name(name), lines)


def test_a_restored_log_gives_the_same_log_labels_and_scores(
    judged: Project, tmp_path: Path
) -> None:
    other = new_project(tmp_path / "other.db")
    found = import_judgments(other, exported(judged))
    assert found.facts["entries added"] == judged.judgments.last_event()
    assert list(other.judgments.events()) == list(judged.judgments.events())
    assert list(export_judgments(other)) == list(export_judgments(judged))
    assert len(labels_of(judged)) == 3
    assert labels_of(other) == labels_of(judged)
    import_systems(other, SYSTEMS)
    assert scores(other) == scores(judged)


def test_a_restored_log_can_be_undone_as_the_first_could(judged: Project, tmp_path: Path) -> None:
    other = new_project(tmp_path / "other.db")
    import_judgments(other, exported(judged))
    for _ in range(judged.judgments.last_event()):
        for who in ("ann", "ben"):
            Desk(judged, who).undo()
            Desk(other, who).undo()
        assert labels_of(other) == labels_of(judged)
    assert list(labels_of(other)) == []


def test_restoring_a_log_twice_adds_nothing(judged: Project, tmp_path: Path) -> None:
    log = exported(judged)
    before = contents(judged)
    found = import_judgments(judged, log)
    assert (found.facts["entries added"], found.facts["entries stored already"]) == (
        0,
        judged.judgments.last_event(),
    )
    assert contents(judged) == before


def test_labels_that_do_not_say_when_they_were_made_are_stored_once(project: Project) -> None:
    log = qrels(
        project,
        '{"qid": "q1", "docid": "d1", "grade": 2}\n{"qid": "q1", "docid": "d2", "grade": 0}\n',
        "elsewhere.jsonl",
    )
    assert import_judgments(project, log).facts["entries added"] == 2
    before = contents(project)
    found = import_judgments(project, log)
    assert (found.facts["entries added"], found.facts["entries stored already"]) == (0, 2)
    assert contents(project) == before


def test_entries_made_in_the_same_moment_are_told_apart(project: Project, tmp_path: Path) -> None:
    frozen = project.clock()
    project.clock = lambda: frozen
    desk, pair = Desk(project, "ann"), pair_number(project, "q1", "d1")
    for _ in range(3):
        desk.say(pair, grade=1)
        desk.undo()
    other = new_project(tmp_path / "other.db")
    for added in (6, 0):
        assert import_judgments(other, exported(project)).facts["entries added"] == added
    desk.say(pair, grade=1)
    for added in (1, 0):
        assert import_judgments(other, exported(project)).facts["entries added"] == added
    assert list(other.judgments.events()) == list(project.judgments.events())


def test_a_longer_log_adds_only_its_new_entries(project: Project, tmp_path: Path) -> None:
    other = new_project(tmp_path / "other.db")
    desk = Desk(project, "ann")
    desk.say(pair_number(project, "q1", "d1"), grade=1)
    import_judgments(other, exported(project))
    desk.undo()
    desk.say(pair_number(project, "q1", "d1"), grade=2)
    assert import_judgments(other, exported(project)).facts["entries added"] == 2
    assert list(other.judgments.events()) == list(project.judgments.events())


def test_exported_qrels_give_the_same_labels(judged: Project, tmp_path: Path) -> None:
    lines = "".join(line + "\n" for line in export_qrels(judged))
    assert lines == qrels_lines(labels_of(judged))
    other = new_project(tmp_path / "other.db")
    import_qrels(other, write(tmp_path / "out.txt", lines))
    assert labels_of(other) == labels_of(judged)


def test_labels_of_one_assessor_can_be_exported(judged: Project) -> None:
    ben = judged.judgments.assessors()["ben"]
    (line,) = export_qrels(judged, assessors=[ben])
    assert line.endswith(" 2")


def test_a_restored_project_gives_the_same_scores_as_of_any_time(
    judged: Project, tmp_path: Path
) -> None:
    other = new_project(tmp_path / "other.db", replace(general(), name="another", version=7))
    import_judgments(other, exported(judged))
    import_systems(other, SYSTEMS)
    assert other.rubrics.history() == judged.rubrics.history()
    times = {datetime.fromisoformat(one.since) for one in judged.rubrics.history()}
    times |= {datetime.fromisoformat(event.at) for event in judged.judgments.events()}
    for then in {near for time in times for near in (time, time - timedelta(microseconds=1))}:
        options = ScoreOptions(as_of=then)
        one, two = (score(project, options) for project in (judged, other))
        assert one.method.rubric == two.method.rubric
        assert [s.measures[0].summary.zero_filled for s in one.systems] == [
            s.measures[0].summary.zero_filled for s in two.systems
        ]
