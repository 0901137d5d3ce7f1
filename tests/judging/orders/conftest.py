from __future__ import annotations

from pathlib import Path

import pytest

from annotator.store import Project
from tests.judging.orders.ordered import SYSTEMS
from tests.projects import pooled_project


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return pooled_project(tmp_path / "judgments.db", SYSTEMS)
