"""Scores of the labels as they were at an earlier time."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from annotator.actions.history import history
from annotator.actions.imports.qrels import export_losses, export_qrels
from annotator.actions.rubrics import set_rubric
from annotator.actions.scoring import load_labels, score
from annotator.actions.status import status
from annotator.cli.options import instant
from annotator.domain import Mark
from annotator.errors import UsageError
from annotator.scoring.options import ScoreOptions
from annotator.store import Desk, Project
from rubric import Rubric
from tests.projects import general, pair_number, pooled_project

START = datetime(2026, 1, 1, tzinfo=UTC)


class SetClock:
    """A clock that shows what it is set to."""

    time = START

    def __call__(self) -> datetime:
        return self.time

    def at(self, hours: float) -> datetime:
        self.time = START + timedelta(hours=hours)
        return self.time


@pytest.fixture
def project(tmp_path: Path) -> Project:
    project = pooled_project(tmp_path / "judgments.db", {"alpha": {"q1": ["d1", "d2"]}})
    project.clock = SetClock()
    return project


def clock_of(project: Project) -> SetClock:
    assert isinstance(project.clock, SetClock)
    return project.clock


def grades(project: Project, hours: float) -> list[int]:
    options = ScoreOptions(as_of=START + timedelta(hours=hours))
    return [int(one) for one in load_labels(project, options).grade]


def test_the_labels_are_those_that_held_then_undo_and_regrade_included(project: Project) -> None:
    desk, pair, clock = Desk(project, "ann"), pair_number(project, "q1", "d1"), clock_of(project)
    clock.at(1)
    desk.say(pair, grade=1)
    clock.at(2)
    desk.say(pair, grade=3)
    clock.at(3)
    desk.undo()
    assert [grades(project, at) for at in (0.5, 1, 1.5, 2, 2.5, 3, 9)] == [
        [], [1], [1], [3], [3], [1], [1],
    ]  # fmt: skip


def test_a_clock_that_goes_back_hides_no_entry_from_the_time_it_says(project: Project) -> None:
    desk, clock = Desk(project, "ann"), clock_of(project)
    first, second = (pair_number(project, "q1", docid) for docid in ("d1", "d2"))
    clock.at(5)
    desk.say(first, grade=1)
    clock.at(2)  # set back
    desk.say(second, grade=2)
    desk.say(first, grade=3)
    assert grades(project, 2) == [2]
    assert grades(project, 5) == [1, 2]
    assert grades(project, 5.1) == [3, 2]  # said last: stored as later than what it replaced


def test_the_rubric_is_the_one_that_was_in_force(project: Project) -> None:
    desk, clock = Desk(project, "ann"), clock_of(project)
    clock.at(1)
    desk.say(pair_number(project, "q1", "d1"), grade=2)
    clock.at(2)
    second = Rubric.from_dict({**general().to_dict(), "version": 2})
    set_rubric(project, second)
    assert grades(project, 9) == []
    assert grades(project, 1.5) == [2]
    then = score(project, ScoreOptions(as_of=START + timedelta(hours=1.5)))
    assert then.method.rubric["version"] == 1
    assert "labels as of 2026-01-01T01:30:00+00:00" in then.method.line()
    assert score(project, ScoreOptions()).method.rubric["version"] == 2


def test_status_qrels_and_history_are_those_of_then_too(project: Project) -> None:
    desk, clock = Desk(project, "ann"), clock_of(project)
    first, second = (pair_number(project, "q1", docid) for docid in ("d1", "d2"))
    clock.at(1)
    desk.say(first, grade=1)
    desk.say(second, mark=Mark.LATER)
    then = clock.at(2)
    clock.at(3)
    desk.say(first, grade=3)
    desk.say(second, grade=2)
    assert list(export_qrels(project, as_of=then)) == ["q1 0 d1 1"]
    assert export_losses(project, as_of=then) == ["1 unlabelled pooled pair has no line"]
    counts = status(project, as_of=then).total
    assert (counts.judged, counts.later) == (1, 1)
    assert [one.said for one in history(project, until=then)] == ["1", "later"]
    assert [one.said for one in history(project, since=then)] == ["3", "2"]


def test_a_date_is_its_end_and_a_time_without_a_zone_is_utc() -> None:
    def read(typed: str) -> datetime:
        return instant("--as-of", typed, whole_day=True)

    assert read("2026-01-01") == datetime(2026, 1, 1, 23, 59, 59, 999999, UTC)
    assert read("2026-01-01T10:00") == datetime(2026, 1, 1, 10, tzinfo=UTC)
    assert read("2026-01-01T10:00+02:00") == datetime(2026, 1, 1, 8, tzinfo=UTC)
    assert read("2026-01-01 10:00") == datetime(2026, 1, 1, 10, tzinfo=UTC)
    with pytest.raises(UsageError, match="yesterday is no date such as"):
        read("yesterday")


def test_without_a_date_nothing_of_it_is_said(project: Project) -> None:
    Desk(project, "ann").say(pair_number(project, "q1", "d1"), grade=2)
    now = score(project, ScoreOptions())
    assert "as of" not in now.method.line()
    later = score(project, replace(ScoreOptions(), as_of=START + timedelta(days=999)))
    assert [one.to_dict() for one in later.systems] == [one.to_dict() for one in now.systems]
