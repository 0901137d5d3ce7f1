from __future__ import annotations

from pathlib import Path

import pytest

from annotator.store import Project
from annotator.store.staging import grades as staged_grades
from tests.projects import pooled_project, write

SYSTEMS = {"alpha": {"q1": ["d1", "d2", "d3"], "q2": ["d1", "d4"]}, "beta": {"q1": ["d4"]}}


@pytest.fixture(autouse=True)
def few_rows_in_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that even small files are staged in several batches, each of several statements."""
    monkeypatch.setattr(staged_grades, "BATCH", 3)
    monkeypatch.setattr(staged_grades, "AT_ONCE", 2)


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return pooled_project(tmp_path / "judgments.db", SYSTEMS)


def qrels(project: Project, text: str, name: str = "qrels.txt") -> Path:
    """Write a file of labels beside the project."""
    return write(project.file.path.with_name(name), text)
