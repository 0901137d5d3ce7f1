"""A scoreboard is read in small batches, between which grades are stored."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from annotator.actions.scoring import load_board, load_labels, method
from annotator.scoring.options import ScoreOptions
from annotator.store import Desk, Project
from annotator.store.sqlite import batches
from tests.projects import labels_of, open_project, pooled_project

SYSTEMS = {
    name: {f"q{query}": [f"{start}{at}" for at in range(5)] for query in range(4)}
    for name, start in (("alpha", "d"), ("beta", "e"))
}


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return pooled_project(tmp_path / "judgments.db", SYSTEMS)


def read_board(project: Project) -> None:
    options = ScoreOptions()
    labels = load_labels(project, options)
    load_board(project, options, labels)
    method(project, options, labels)


def test_at_every_pause_somebody_else_can_grade(project: Project) -> None:
    desk = Desk(open_project(project.file.path), "bob")
    desk.project.file.answer_keys(0.001)
    pairs = [card.pair for one in desk.progress() for card in desk.cards(one.query)]
    graded: list[int] = []

    def grade() -> None:
        pair = pairs[len(graded) % len(pairs)]
        graded.append(desk.say(pair, grade=2))

    project.file.pause = grade
    read_board(project)
    assert len(graded) > 20
    project.file.pause = int
    assert len(labels_of(project)) == len(set(graded[: len(pairs)]))


def test_no_reading_of_log_or_pool_takes_more_rows_than_a_piece(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = Desk(project, "ann")
    for one in desk.progress():
        for card in desk.cards(one.query):
            desk.say(card.pair, grade=1)
    monkeypatch.setattr(batches, "PIECE", 3)
    reader = open_project(project.file.path)
    read, sizes = reader.file.tuples, []

    def counted(sql: str, *params: Any) -> list[tuple[Any, ...]]:
        rows = read(sql, *params)
        if "judgment" in sql or "pool_entry" in sql:
            sizes.append(len(rows))
        return rows

    monkeypatch.setattr(reader.file, "tuples", counted)
    read_board(reader)
    assert max(sizes) == 3
    assert sum(sizes) > 4 * 40  # the log's chain and its labels, the pool's seal and its pairs
