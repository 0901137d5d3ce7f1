from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from annotator.store import Project
from tests.projects import new_project, write

Write = Callable[..., Path]


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return new_project(tmp_path / "judgments.db")


@pytest.fixture
def file(tmp_path: Path) -> Write:
    """Write a file of this text."""

    def write_file(text: str, name: str = "alpha.run") -> Path:
        return write(tmp_path / name, text)

    return write_file
