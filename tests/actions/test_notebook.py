"""A project in a notebook: the numbers of the commands, shown as inert tables."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from annotator import notebook
from annotator.actions.imports.qrels import import_qrels
from annotator.errors import UsageError
from annotator.report.comparison_text import write_comparison
from annotator.report.scoreboard_text import write_scoreboard
from annotator.report.tables import Format
from annotator.results.comparisons import ComparisonTable
from annotator.results.scores import ScoreTable
from tests.projects import pooled_project, qrels_lines, write

HOSTILE = "q2<script>alert(1)</script>"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Three systems on two queries, one document of which nobody judged."""
    systems = {
        "a": {"q1": ["d1", "d2"], HOSTILE: ["d1"]},
        "b": {"q1": ["d2", "d1"], HOSTILE: ["d2"]},
        "c": {"q1": ["d3"], HOSTILE: ["d3", "d1"]},
    }
    made = pooled_project(tmp_path / "judgments.db", systems)
    grades = {("q1", "d1"): 2, ("q1", "d2"): 0, (HOSTILE, "d1"): 1, (HOSTILE, "d2"): 0}
    import_qrels(made, write(tmp_path / "labels.txt", qrels_lines(grades)))
    return tmp_path / "judgments.db"


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(text.splitlines()))


def test_scores_give_the_columns_of_the_command(project: Path) -> None:
    found = notebook.scores(project, "nDCG@10,P@1")
    assert isinstance(found.table, ScoreTable)
    wanted = rows(write_scoreboard(found.table, Format.CSV, per_query=True))
    columns = found.columns()
    assert list(columns) == list(wanted[0])
    assert len(columns["system"]) == len(wanted) == 3 * 2 * 2
    for name in ("system", "measure", "lower", "unjudged"):
        assert list(map(str, columns[name])) == [one[name] for one in wanted]


@pytest.mark.parametrize("names", [("a", "b"), ()])
def test_comparisons_give_the_columns_of_the_command(project: Path, names: tuple[str, ...]) -> None:
    found = notebook.compare(project, *names)
    assert isinstance(found.table, ComparisonTable)
    wanted = rows(write_comparison(found.table, Format.CSV, per_query=True))
    assert len(found.rows) == len(wanted) == (2 if names else 6)
    assert list(found.columns()) == list(wanted[0])


def test_what_is_shown_is_inert_and_says_how_it_was_made(project: Path) -> None:
    for one in (notebook.scores(project), notebook.compare(project, "a", "c")):
        shown = one._repr_html_()
        assert HOSTILE not in shown
        assert "&lt;script&gt;" in shown
        assert "Method: " in shown


def test_a_comparison_is_of_two_or_of_all(project: Path) -> None:
    with pytest.raises(UsageError, match="not of 1"):
        notebook.compare(project, "a")
