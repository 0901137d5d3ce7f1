"""Which document lies on the desk: where a session begins, goes on and ends."""

from __future__ import annotations

from pathlib import Path

import pytest

from annotator.actions.pool import make_pool
from annotator.errors import UsageError
from annotator.store import Project
from tests.judging.sessions import events, grade, met_by_grading, on_desk, place
from tests.projects import begin, import_systems, new_project


def test_a_restart_goes_on_after_the_last_grade(project: Project) -> None:
    session = begin(project)
    for _ in range(3):
        grade(session)
    assert place(begin(project)) == place(session)


def test_a_session_may_start_in_a_named_query(project: Project) -> None:
    assert place(begin(project, qid="q2"))[0] == "q2"
    with pytest.raises(UsageError, match="query q9 is not in the pool"):
        begin(project, qid="q9")


def test_looking_around_stops_at_both_ends_of_the_pool(project: Project) -> None:
    session = begin(project)
    assert not session.back()
    seen = [place(session)]
    while session.forward():
        seen.append(place(session))
    assert len(set(seen)) == len(seen) == 8
    assert events(project) == 0


def test_when_all_is_judged_nothing_is_on_the_desk(project: Project) -> None:
    session = begin(project)
    last = met_by_grading(session)[-1]
    assert (session.card, session.document(), session.position) == (None, None, (0, 1))
    assert session.totals.open == 0
    assert not session.grade(1, 3)
    assert session.back()
    assert place(session) == last
    assert begin(project).card is None


def test_an_empty_pool_has_nothing_on_the_desk(tmp_path: Path) -> None:
    session = begin(new_project(tmp_path / "empty.db"))
    assert session.card is None
    assert session.query is None
    assert session.totals.pooled == 0
    assert not session.forward()
    assert session.undo() is None


def test_a_card_stays_on_the_desk_while_the_pool_grows(project: Project) -> None:
    session = begin(project)
    session.forward()
    before = on_desk(session)
    import_systems(project, {"gamma": {"q1": [f"n{number}" for number in range(10)]}})
    make_pool(project, 10)
    assert session.note(before.pair, "seen")
    assert on_desk(session) == before._replace(note="seen")
    assert len(session.cards) == 15
