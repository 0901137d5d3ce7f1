from __future__ import annotations

from pathlib import Path

import pytest

from annotator.store import Project
from tests.projects import pooled_project

SYSTEMS = {
    "alpha": {"q1": ["d1", "d2", "d3", "d4"], "q2": ["d1", "d5"], "q3": ["d6"]},
    "beta": {"q1": ["d4", "d7"], "q2": ["d5"]},
}


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return pooled_project(tmp_path / "judgments.db", SYSTEMS)
