from __future__ import annotations

from pathlib import Path

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
