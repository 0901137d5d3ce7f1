from __future__ import annotations

from collections import Counter
from pathlib import Path

from annotator.store import Desk
from tests.projects import finished, open_project, pooled_project, run_lines, start_python, write

GRADER = """
import sys
from pathlib import Path
from annotator.store import Desk, Project

project = Project.open(Path(sys.argv[1]))
desk = Desk(project, sys.argv[2])
pairs = [card.pair for one in desk.progress() for card in desk.cards(one.query)]
print("ready", flush=True)
sys.stdin.readline()
for pair in pairs:
    desk.say(pair, grade=pair % 4)
"""

IMPORTER = """
import sys
from pathlib import Path
from annotator.actions.importing import import_run
from annotator.actions.pooling import make_pool
from annotator.store import Project

project = Project.open(Path(sys.argv[1]))
print("ready", flush=True)
sys.stdin.readline()
import_run(project, Path(sys.argv[2]))
make_pool(project, 20)
"""


WRITER = """
import sys
from pathlib import Path
from annotator.store import Project

project = Project.open(Path(sys.argv[1]))
print("ready", flush=True)
while True:
    with project.file.writing():
        project.file.execute("UPDATE system SET findings = findings || ' '")
"""


def test_one_who_writes_on_and_on_keeps_nobody_from_grading(tmp_path: Path) -> None:
    path = tmp_path / "judgments.db"
    project = pooled_project(path, {"old": {"q": [f"d{at}" for at in range(20)]}})
    desk = Desk(project, "ann")
    cards = desk.cards(desk.progress()[0].query)
    writer = start_python(WRITER, path)
    try:
        assert writer.stdout
        assert writer.stdout.readline() == "ready\n"
        for card in cards:
            desk.say(card.pair, grade=1)
        assert writer.poll() is None
    finally:
        writer.kill()
        writer.communicate()
    assert project.judgments.last_event() == len(cards) == 10


def test_graders_and_an_import_at_once_lose_and_double_nothing(tmp_path: Path) -> None:
    path = tmp_path / "judgments.db"
    queries = [f"q{number}" for number in range(15)]
    pooled_project(path, {"old": {qid: [f"d{at}" for at in range(10)] for qid in queries}})
    new = {qid: [f"n{at}" for at in range(10)] for qid in queries}
    run = write(tmp_path / "new.run", run_lines(new))
    processes = [
        start_python(GRADER, path, "ann"),
        start_python(GRADER, path, "ben"),
        start_python(IMPORTER, path, run),
    ]
    for process in processes:
        assert process.stdout
        assert process.stdout.readline() == "ready\n"
    for process in processes:
        assert process.stdin
        process.stdin.write("\n")
        process.stdin.flush()
    for process in processes:
        finished(process)

    project = open_project(path)
    said = Counter((one.qid, one.docid, one.assessor) for one in project.judgments.events())
    assert set(said.values()) == {1}
    assert Counter(assessor for _, _, assessor in said) == {"ann": 150, "ben": 150}
    labels = project.judgments.labels(project.rubrics.counted())
    assert (len(labels.grade), labels.disputed) == (150, 0)
    assert [system.name for system in project.systems.all()] == ["old", "new"]
    assert len(project.pool.pairs()[0]) == 300
    assert project.file.tuples("PRAGMA integrity_check") == [("ok",)]
    assert project.file.tuples("PRAGMA foreign_key_check") == []
