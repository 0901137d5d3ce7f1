"""What is removed leaves pool, scores and exports; the log keeps it, and it can be put back."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import pytest

from annotator.actions.exports import export_queries
from annotator.actions.history import history
from annotator.actions.imports.log import export_judgments, import_judgments
from annotator.actions.imports.qrels import export_qrels, import_qrels
from annotator.actions.imports.report import Found
from annotator.actions.imports.texts import import_queries, import_run
from annotator.actions.pool import make_pool
from annotator.actions.removals import (
    removals,
    remove_labels,
    remove_queries,
    remove_systems,
    undo_removal,
)
from annotator.actions.scoring import score
from annotator.actions.status import status
from annotator.errors import NotTakenBackError, UsageError
from annotator.scoring.options import ScoreOptions
from annotator.store import Desk, Project
from annotator.store.checks import check
from tests.actions.conftest import refused
from tests.projects import (
    contents,
    labels_of,
    new_project,
    pair_number,
    pooled_project,
    run_lines,
    write,
)

SYSTEMS = {
    "alpha": {"q1": ["d1", "d2"], "q2": ["d3", "d4"]},
    "beta": {"q1": ["d2", "d5"], "q2": ["d4", "d6"]},
}
LABELS = {("q1", "d1"): 3, ("q1", "d2"): 0, ("q2", "d3"): 2}


@pytest.fixture
def project(tmp_path: Path) -> Project:
    project = pooled_project(tmp_path / "judgments.db", SYSTEMS)
    for (qid, docid), grade in LABELS.items():
        Desk(project, "ann").say(pair_number(project, qid, docid), grade=grade)
    return project


def seen(project: Project) -> dict[str, object]:
    """All that a person sees of a project but the log."""
    found = status(project)
    queries, documents = project.queries.all(), project.documents.names()
    pairs = zip(*(column.tolist() for column in project.pool.pairs()), strict=True)
    return {
        "labels": labels_of(project),
        "qrels": list(export_qrels(project)),
        "queries": list(export_queries(project)),
        "pool": {(queries[query].qid, documents[document]) for query, document in pairs},
        "systems": [one.system for one in found.systems],
        "total": found.total,
        "scores": [
            (one.system, [list(of.per_query) for of in one.measures])
            for one in score(project, ScoreOptions()).systems
        ],
    }


REMOVALS: list[Callable[..., Found]] = [
    lambda project, **how: remove_queries(project, ["q1"], **how),
    lambda project, **how: remove_systems(project, ["beta"], **how),
    lambda project, **how: remove_labels(project, assessor="ann", **how),
    lambda project, **how: remove_labels(project, query="q1", **how),
]


@pytest.mark.parametrize("remove", REMOVALS)
def test_what_is_removed_is_all_back_after_an_undo_and_a_dry_run_changes_nothing(
    project: Project, remove: Callable[..., Found]
) -> None:
    before, log = seen(project), list(export_judgments(project))
    stored = contents(project)
    dry = remove(project, dry_run=True)
    assert contents(project) == stored
    done = remove(project)
    assert done.facts == dry.facts
    assert seen(project) != before
    assert list(export_judgments(project))[: len(log)] == log
    assert [one for one in check(project.file) if one.problems] == []
    assert undo_removal(project, dry_run=True).facts == undo_removal(project).facts
    assert seen(project) == before
    assert removals(project) == []
    assert [one for one in check(project.file) if one.problems] == []
    refused(project, lambda: undo_removal(project), UsageError)


def test_a_removed_query_is_nowhere_but_in_the_log(project: Project, tmp_path: Path) -> None:
    found = remove_queries(project, ["q1"])
    assert found.facts == {"queries": 1, "pooled pairs": 3, "labels": 2}
    now = seen(project)
    assert now["labels"] == {("q2", "d3"): 2}
    assert now["pool"] == {("q2", "d3"), ("q2", "d4"), ("q2", "d6")}
    assert list(project.queries.ids()) == ["q2"]
    assert {one.query for one in history(project)} == {"q1", "q2"}
    make_pool(project, 10)
    assert seen(project)["pool"] == now["pool"]
    told = import_qrels(project, write(tmp_path / "more.qrels", "q1 0 d9 1\nq2 0 d4 1\n"))
    assert told.facts["removed queries"] == 1
    assert ("q1", "d9") not in labels_of(project)
    import_queries(project, write(tmp_path / "q.tsv", "q1\tone\nq2\ttwo\n"))
    assert list(project.queries.ids()) == ["q2"]
    import_run(project, write(tmp_path / "c.run", run_lines({"q1": ["d1"], "q2": ["d4"]})))
    assert {one[0] for one in seen(project)["pool"]} == {"q2"}  # type: ignore[attr-defined]


def test_a_removed_system_leaves_its_judged_pairs_and_those_of_others(
    project: Project, tmp_path: Path
) -> None:
    Desk(project, "ann").say(pair_number(project, "q2", "d6"), grade=1)
    found = remove_systems(project, ["beta"])
    assert found.facts == {"systems": 1, "pooled pairs without labels": 1}
    now = seen(project)
    assert now["systems"] == ["alpha"]
    assert ("q1", "d5") not in now["pool"]  # type: ignore[operator]
    assert ("q2", "d6") in now["pool"]  # type: ignore[operator]
    assert [making.systems for making in project.pool.makings()] == [["alpha"]]
    run = write(tmp_path / "beta.run", run_lines({"q1": ["d1"]}))
    refused(project, lambda: import_run(project, run), UsageError)
    import_run(project, write(tmp_path / "gamma.run", run_lines({"q1": ["d5"]})))
    make_pool(project, 10)
    assert ("q1", "d5") in seen(project)["pool"]  # type: ignore[operator]
    undo_removal(project)
    assert seen(project)["systems"] == ["alpha", "beta", "gamma"]


def test_pairs_that_another_system_returned_later_stay_pooled(
    project: Project, tmp_path: Path
) -> None:
    import_run(project, write(tmp_path / "gamma.run", run_lines({"q1": ["d5"]})))
    make_pool(project, 10)
    remove_systems(project, ["beta"])
    assert ("q1", "d5") in seen(project)["pool"]  # type: ignore[operator]


def test_removed_labels_are_withdrawn_by_entries_that_a_log_keeps(
    project: Project, tmp_path: Path
) -> None:
    Desk(project, "bob").say(pair_number(project, "q1", "d1"), grade=1)
    found = remove_labels(project, assessor="bob")
    assert found.facts["labels withdrawn"] == 1
    assert found.facts["labels changed"] == 1
    assert labels_of(project) == LABELS
    assert history(project)[-1].said == "removed: no label"
    other = new_project(tmp_path / "other.db")
    log = write(tmp_path / "log.jsonl", "\n".join(export_judgments(project)))
    import_judgments(other, log)
    assert labels_of(other) == LABELS
    assert list(export_judgments(other)) == list(export_judgments(project))
    with pytest.raises(NotTakenBackError, match="your label was removed since"):
        Desk(project, "bob").undo()
    undo_removal(project)
    assert labels_of(project) == {**LABELS, ("q1", "d1"): 1}


def test_what_is_graded_after_a_removal_holds_over_what_comes_back(project: Project) -> None:
    remove_labels(project, query="q1")
    Desk(project, "ann").say(pair_number(project, "q1", "d1"), grade=1)
    undo_removal(project)
    assert labels_of(project) == {**LABELS, ("q1", "d1"): 1}


def test_labels_are_removed_by_time(project: Project) -> None:
    times = [one.at for one in project.judgments.events()]
    remove_labels(project, since=datetime.fromisoformat(times[1]))
    assert labels_of(project) == {("q1", "d1"): 3}


@pytest.mark.parametrize(
    "remove",
    [
        lambda project: remove_queries(project, ["q9"]),
        lambda project: remove_systems(project, ["gamma"]),
        lambda project: remove_labels(project, assessor="cy"),
        lambda project: remove_labels(project, query="q9"),
        lambda project: undo_removal(project),
    ],
)
def test_what_is_not_there_cannot_be_removed(
    project: Project, remove: Callable[[Project], Found]
) -> None:
    refused(project, lambda: remove(project), UsageError)
