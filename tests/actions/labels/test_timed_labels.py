"""Labels keep their times: what holds goes by them, whatever order the files come in."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from annotator.actions.history import history
from annotator.actions.imports.log import export_judgments, import_judgments
from annotator.actions.imports.qrels import import_qrels
from annotator.actions.imports.report import Found
from annotator.errors import InputError
from annotator.store import Desk, Project
from tests.actions.conftest import refused
from tests.actions.labels.conftest import SYSTEMS, qrels
from tests.projects import import_systems, labels_of, new_project, pair_number, write

OLD, NEW = "2024-01-01T08:00:00Z", "2025-06-01T10:00:00+02:00"
FUTURE = "2099-01-01T00:00:00Z"

Import = Callable[[Project, Path], Found]


def as_json(project: Project, grade: int, at: str, name: str) -> Path:
    row = {"qid": "q1", "docid": "d1", "grade": grade, "annotator": "ann", "created_at": at}
    return qrels(project, json.dumps(row), name)


def as_table(project: Project, grade: int, at: str, name: str) -> Path:
    return qrels(project, f"qid,docid,grade,annotator,created_at\nq1,d1,{grade},ann,{at}\n", name)


WAYS = [(as_json, import_judgments), (as_json, import_qrels), (as_table, import_qrels)]


@pytest.mark.parametrize("way", WAYS)
def test_the_newer_label_holds_in_whatever_order_the_files_come(
    project: Project, tmp_path: Path, way: tuple[Callable[..., Path], Import]
) -> None:
    written, imported = way
    old, new = written(project, 0, OLD, "old"), written(project, 3, NEW, "new")
    assert imported(project, new).facts["labels new"] == 1
    found = imported(project, old)
    assert found.facts["labels older than what holds"] == 1
    assert "labels changed" not in found.facts
    assert "older than what the same assessor said" in found.warnings[-1]
    assert labels_of(project) == {("q1", "d1"): 3}
    times = ["2025-06-01T08:00:00.000+00:00", "2024-01-01T08:00:00.000+00:00"]
    assert [(one.at, one.replaced) for one in history(project)] == list(
        zip(times, ["0", ""], strict=True)
    )
    other = new_project(tmp_path / "other.db")
    import_systems(other, SYSTEMS)
    imported(other, old)
    changed = imported(other, new)
    assert changed.facts["labels changed"] == 1
    assert "q1 d1 from 0 to 3 by ann" in changed.warnings[-1]
    assert labels_of(other) == labels_of(project)
    again = imported(other, old)
    assert "nothing changed" in again.warnings[0]


@pytest.mark.parametrize("way", WAYS)
def test_a_time_in_the_future_is_told(
    project: Project, way: tuple[Callable[..., Path], Import]
) -> None:
    written, imported = way
    found = imported(project, written(project, 1, FUTURE, "future"))
    assert found.facts["entries from the future"] == 1
    assert "made later than now (2026-" in found.warnings[-1]


def test_a_log_of_another_machine_with_later_and_earlier_labels(
    project: Project, tmp_path: Path
) -> None:
    other = new_project(tmp_path / "other.db")
    import_systems(other, SYSTEMS)
    for one, grades in ((other, (0, 1)), (project, (3, 2))):
        for docid, grade in zip(("d1", "d2"), grades, strict=True):
            Desk(one, "ann").say(pair_number(one, "q1", docid), grade=grade)
            if one is project:
                Desk(one, "ann").undo()
                Desk(one, "ann").say(pair_number(one, "q1", docid), grade=grade)
    logs = [write(tmp_path / f"{n}.jsonl", "\n".join(export_judgments(one)))
            for n, one in enumerate((other, project))]  # fmt: skip
    import_judgments(project, logs[0])
    import_judgments(other, logs[1])
    assert labels_of(project) == labels_of(other)


def test_one_assessor_may_change_their_mind_within_a_file_but_not_at_one_moment(
    project: Project,
) -> None:
    heading = "qid,docid,grade,annotator,created_at\n"
    rows = f"q1,d1,3,ann,{NEW}\nq1,d1,0,ann,{OLD}\n"
    found = import_qrels(project, qrels(project, heading + rows, "two.csv"))
    assert found.facts["judgments added"] == 2
    assert labels_of(project) == {("q1", "d1"): 3}
    path = qrels(project, f"{heading}q1,d2,3,ann,{NEW}\nq1,d2,0,ann,{NEW}\n", "one.csv")
    said = refused(project, lambda: import_qrels(project, path), InputError)
    assert "grade 0 for a pair that line 2 gives 3" in said


def test_what_is_not_used_of_a_file_is_listed(project: Project) -> None:
    row = {"qid": "q1", "docid": "d1", "grade": 1, "why": "x", "cost": 2}
    found = import_judgments(project, qrels(project, json.dumps(row), "more.jsonl"))
    assert found.facts["not used"] == "why, cost"
    assert labels_of(project) == {("q1", "d1"): 1}
