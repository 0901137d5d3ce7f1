from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from annotator.actions.demo import open_or_build
from tests.e2e.journeys import Start
from tests.e2e.terminals import Terminal


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    if not os.path.exists("/dev/ptmx"):
        pytest.skip("no pseudo-terminals here: /dev/ptmx is missing")
    terminals: list[Terminal] = []

    def begin(*words: object, command: list[str] | None = None) -> Terminal:
        terminals.append(Terminal(*words, folder=tmp_path, command=command))
        return terminals[-1]

    yield begin
    for terminal in terminals:
        terminal.close()


@pytest.fixture
def demo(tmp_path: Path) -> Path:
    open_or_build(tmp_path / "demo.db").close()
    return tmp_path / "demo.db"
