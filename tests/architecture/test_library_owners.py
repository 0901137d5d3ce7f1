"""Each library is known in one place only; read from the code, so that no new module escapes."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MODULES = sorted([*(ROOT / "annotator").rglob("*.py"), *(ROOT / "rubric").rglob("*.py")])
OWNERS = {
    "annotator/store": {"sqlite3", "sqlite_utils"},
    "annotator/tui": {"textual", "textual_plot", "rich"},
    "annotator/cli": {"click"},
}
PURE = {"numpy", "rubric"} | sys.stdlib_module_names - {
    *("sqlite3", "time", "datetime", "random", "secrets", "socket", "subprocess", "urllib"),
    *("os", "pathlib", "io", "tempfile", "shutil", "logging"),
}


def imported(module: Path) -> Iterator[str]:
    """The top-level package of each import of a module, wherever in it that stands."""
    for node in ast.walk(ast.parse(module.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        if isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module.partition(".")[0]


@pytest.mark.parametrize("owner", OWNERS)
def test_a_library_is_imported_by_its_owner_alone(owner: str) -> None:
    others = [module for module in MODULES if not module.is_relative_to(ROOT / owner)]
    assert len(others) < len(MODULES)
    assert [str(one) for one in others if OWNERS[owner] & set(imported(one))] == []


def test_rubric_knows_numpy_and_no_file_clock_or_hidden_randomness() -> None:
    pure = [module for module in MODULES if module.is_relative_to(ROOT / "rubric")]
    assert len(pure) > 20
    assert {str(one): set(imported(one)) - PURE for one in pure if set(imported(one)) - PURE} == {}
