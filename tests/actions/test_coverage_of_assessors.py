"""Status tells how far everybody is by themselves, with their pace and the time they have left."""

from __future__ import annotations

from pathlib import Path

from annotator.actions.imports.qrels import import_qrels
from annotator.actions.status import status
from annotator.domain import Mark
from annotator.report.coverage_text import write_coverage
from annotator.report.tables import Format
from annotator.store import Desk
from tests.projects import pair_number, pooled_project, write

DOCUMENTS = [f"d{number}" for number in range(8)]


def test_each_assessor_has_counts_pace_and_time_of_their_own(tmp_path: Path) -> None:
    project = pooled_project(tmp_path / "judgments.db", {"alpha": {"q1": DOCUMENTS}})
    pairs = [pair_number(project, "q1", docid) for docid in DOCUMENTS]
    ann, ben = Desk(project, "ann"), Desk(project, "ben")
    for pair in pairs[:5]:
        ann.say(pair, grade=1, seconds=10)
    ben.say(pairs[0], grade=2, seconds=1)
    ben.say(pairs[1], mark=Mark.LATER)
    import_qrels(project, write(tmp_path / "more.qrels", "q1 0 d7 1\n"))
    people = status(project).to_dict()["by_assessor"]
    assert people == [
        {"judged": 5, "later": 0, "cannot_judge": 0, "left": 2, "assessor": "ann",
         "seconds_per_judgment": 10.0, "seconds_left": 20.0},
        {"judged": 1, "later": 1, "cannot_judge": 0, "left": 5, "assessor": "ben",
         "seconds_per_judgment": None, "seconds_left": None},
    ]  # fmt: skip
    text = write_coverage(status(project), Format.TABLE)
    assert [line.split()[:5] for line in text.splitlines() if line.startswith(("ann", "ben"))] == [
        ["ann", "5", "0", "0", "2"],
        ["ben", "1", "1", "0", "5"],
    ]
