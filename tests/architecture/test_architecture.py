from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.projects import ROOT, finished, start_python
from tests.tui.workplaces import make_small

LONGEST = 400
SOURCES = sorted([*(ROOT / "annotator").rglob("*.py"), *(ROOT / "rubric").rglob("*.py")])
EVERY_FILE = sorted(
    [*SOURCES, *(ROOT / "benchmarks").rglob("*.py"), *(ROOT / "tests").rglob("*.py")]
)


def test_imports_point_one_way() -> None:
    done = subprocess.run(
        [sys.executable, "-c", "from importlinter.cli import lint_imports_command as run; run()"],
        cwd=ROOT,
        env={"PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8"},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(
    "module",
    ["rubric", "annotator.actions.scoring", "annotator.actions.imports.qrels", "annotator.judging"],
)
def test_nothing_but_the_screens_loads_a_terminal_library(module: str) -> None:
    script = f"import sys, {module}; print(*sorted(sys.modules))"
    loaded = set(finished(start_python(script)).split())
    assert module in loaded
    assert not loaded & {"textual", "rich"}


def test_scoring_arrays_needs_no_database() -> None:
    script = "import sys, rubric.model.drawn_scores, rubric; rubric.score; print(*sys.modules)"
    loaded = finished(start_python(script)).split()
    assert not set(loaded) & {"annotator", "sqlite3", "sqlite_utils", "click"}


OPENING = """
import os, sys
from pathlib import Path
from textual.css.stylesheet import Stylesheet
from annotator.cli import main, options, output
from annotator.store.pool import PoolTable

def early(*_):
    print("done before the first document", file=sys.__stderr__, flush=True)
    os._exit(1)

def shown(path):
    print(*sys.modules, file=sys.__stdout__, flush=True)
    os._exit(0)

os.environ["TEXTUAL_DRIVER"] = "textual.drivers.headless_driver:HeadlessDriver"
Stylesheet.reparse = PoolTable.sizes = early  # all style sheets again, all pairs by query
output.has_terminal, options.back_up_in_background = lambda: True, shown
main(["--project", sys.argv[1], "grade"])
"""
LATE = {
    *("numpy", "sqlite_utils", "tabulate", "csv", "statistics", "tomllib", "importlib.resources"),
    *(
        "annotator.store.checks",
        "annotator.store.sqlite.migrations",
        "rubric.public",
        "rubric.arrays",
    ),
    *("snowballstemmer", "snowballstemmer.french_stemmer", "textual_plot"),
    *("annotator.tui.screens.ask", "annotator.tui.screens.help", "annotator.tui.contexts"),
}
LATE_PARTS = ("annotator.actions", "annotator.formats", "annotator.results", "annotator.scoring")


def test_nothing_that_takes_long_to_load_is_loaded_before_the_first_document(
    tmp_path: Path,
) -> None:
    project = make_small(tmp_path / "small.db")
    loaded = set(finished(start_python(OPENING, project)).split())
    assert {"textual.app", "annotator.cli.grade"} <= loaded
    assert not loaded & LATE
    assert not [one for one in loaded if one.startswith(LATE_PARTS)]


def test_every_file_is_short_enough_to_be_read_at_once() -> None:
    lines = {path: len(path.read_text("utf-8").splitlines()) for path in EVERY_FILE}
    assert {path: count for path, count in lines.items() if count > LONGEST} == {}
