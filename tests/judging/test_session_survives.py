"""What was said to be saved is saved; what could not be stored is not taken as said."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from annotator.domain import Card
from annotator.errors import ProjectError
from annotator.judging import SavedError
from annotator.store import Desk, Project
from annotator.store.judgments import JudgmentTable
from tests.judging.sessions import events, grade, on_desk
from tests.projects import begin, labels_of, open_project, pooled_project, start_python

GRADER = """
import sys
from pathlib import Path
from annotator.judging import Session
from annotator.store import Desk, Project

session = Session(Desk(Project.open(Path(sys.argv[1])), "ann"))
session.start()
while (card := session.card):
    session.grade(card.pair, card.pair % 4)
    print(card.pair, flush=True)
"""


def test_everything_that_was_said_to_be_saved_outlives_a_killed_program(tmp_path: Path) -> None:
    path = tmp_path / "judgments.db"
    queries = {f"q{number}": [f"d{at}" for at in range(100)] for number in range(20)}
    pooled_project(path, {"alpha": queries}, depth=100)
    process = start_python(GRADER, path)
    assert process.stdout
    for _ in range(150):
        assert process.stdout.readline()
    process.kill()
    printed = [*range(150), *process.communicate()[0].splitlines()]

    project = open_project(path)
    graded = list(project.judgments.events())
    assert len(printed) <= len(graded) <= len(printed) + 1
    assert len(labels_of(project)) == len(graded) < 2000
    assert project.file.tuples("PRAGMA integrity_check") == [("ok",)]
    session = begin(project)
    assert session.card
    place, query = session.position[0], session.progress.index(session.query_progress)  # type: ignore[arg-type]
    assert query * 100 + place == len(graded) + 1
    assert session.grade(session.card.pair, 0)


def test_a_card_stays_on_the_desk_if_it_cannot_be_stored(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = begin(project)
    card = on_desk(session)

    def fail(*_: object, **__: object) -> int:
        raise ProjectError("the disk is full; nothing was saved")

    acts: list[Callable[[], object]] = [
        lambda: session.grade(card.pair, 3),
        lambda: session.later(card.pair),
        lambda: session.cannot_judge(card.pair, "why"),
        lambda: session.note(card.pair, "text"),
    ]
    with monkeypatch.context() as broken:
        broken.setattr(JudgmentTable, "add", fail)
        for act in acts:
            with pytest.raises(ProjectError):
                act()
            assert session.card == card
            assert session.changed() == []
    assert events(project) == 0
    assert grade(session, 3) == card


def test_what_is_stored_is_never_told_as_not_saved(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = begin(project)
    card = on_desk(session)

    def unreadable(*_: object) -> list[Card]:
        raise ProjectError("the file is locked")

    with monkeypatch.context() as broken:
        broken.setattr(Desk, "last_event", unreadable)
        with pytest.raises(SavedError, match="saved, but what is next cannot be read"):
            session.grade(card.pair, 2)
    assert events(project) == 1
    assert session.card == card
