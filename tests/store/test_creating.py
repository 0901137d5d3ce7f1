"""A new project file is made as a whole or not at all, under any name, and never over another."""

from __future__ import annotations

from pathlib import Path

import pytest

from annotator.errors import ProjectError, UsageError
from annotator.store import Project
from tests.projects import general, new_project, open_project, write


def test_creating_never_overwrites(tmp_path: Path) -> None:
    path = write(tmp_path / "notes.txt", "mine")
    (tmp_path / "dangling").symlink_to(tmp_path / "nowhere")
    for taken in (path, tmp_path, tmp_path / "dangling"):
        with pytest.raises(ProjectError, match="already"):
            Project.create(taken, general())
    assert path.read_text() == "mine"
    assert not (tmp_path / "nowhere").exists()


def test_creating_in_a_missing_folder_says_so(tmp_path: Path) -> None:
    with pytest.raises(ProjectError, match="cannot be made here"):
        Project.create(tmp_path / "missing" / "judgments.db", general())


def test_a_failed_creation_leaves_nothing_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> int:
        raise UsageError("no")

    monkeypatch.setattr("annotator.store.rubrics.RubricTable.add", fail)
    with pytest.raises(UsageError):
        Project.create(tmp_path / "judgments.db", general())
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["a b.db", "50%.db", "what?.db", "#1.db", "ä'\".db"])
def test_a_project_may_have_any_file_name(tmp_path: Path, name: str) -> None:
    new_project(tmp_path / name).close()
    assert [path.name for path in tmp_path.iterdir()] == [name]
    open_project(tmp_path / name)
