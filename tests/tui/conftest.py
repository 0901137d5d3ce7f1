from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.tui.workplaces import close_opened, make_begun, make_demo, make_small


@pytest.fixture(autouse=True)
def close_projects() -> Iterator[None]:
    yield
    close_opened()


@pytest.fixture(scope="session")
def demo_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_demo(tmp_path_factory.mktemp("demo") / "demo.db")


@pytest.fixture(scope="session")
def small_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_small(tmp_path_factory.mktemp("small") / "demo.db")


@pytest.fixture(scope="session")
def begun_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_begun(tmp_path_factory.mktemp("begun") / "demo.db")


@pytest.fixture
def demo(demo_file: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(demo_file, tmp_path / "demo.db"))


@pytest.fixture
def small(small_file: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(small_file, tmp_path / "demo.db"))


@pytest.fixture
def begun(begun_file: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(begun_file, tmp_path / "demo.db"))
