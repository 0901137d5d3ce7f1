"""A system whose own documents nobody judged: how wrong each way of scoring it is."""

from __future__ import annotations

from pathlib import Path

import pytest

from annotator.actions.imports.qrels import import_qrels
from annotator.actions.imports.texts import import_run
from annotator.actions.pool_bias import pool_bias
from annotator.errors import UsageError
from annotator.report.pool_bias_text import write_pool_bias
from annotator.report.tables import Format
from annotator.results.pool_bias import PoolBias
from rubric import Measure
from tests.projects import DATA, new_project, pooled_project, qrels_lines, write

NDCG = Measure("nDCG", 10)


@pytest.fixture(scope="module")
def covid(tmp_path_factory: pytest.TempPathFactory) -> PoolBias:
    folder = DATA / "trec-covid-r1"
    project = new_project(tmp_path_factory.mktemp("covid") / "judgments.db")
    import_qrels(project, next(folder.glob("qrels*")))
    for run in sorted((folder / "runs").glob("*")):
        import_run(project, run)
    found = pool_bias(project, NDCG)
    project.close()
    return found


def test_what_is_expected_is_nearer_than_zero_filling_and_condensed(covid: PoolBias) -> None:
    errors = {name: covid.mean_error(name) for name in ("zero_filled", "condensed", "expected")}
    assert errors["expected"] is not None
    assert errors["zero_filled"] is not None
    assert errors["condensed"] is not None
    assert errors["expected"] < errors["zero_filled"]
    assert errors["expected"] < errors["condensed"]


def test_only_labels_that_a_system_alone_brought_are_left_out(tmp_path: Path) -> None:
    systems = {"a": {"q": ["d1", "d2"]}, "b": {"q": ["d2", "d3"]}, "c": {"q": ["d2", "d3", "d4"]}}
    project = pooled_project(tmp_path / "judgments.db", systems)
    grades = {("q", f"d{number}"): number % 4 for number in range(1, 6)}
    import_qrels(project, write(tmp_path / "qrels.txt", qrels_lines(grades)))
    found = pool_bias(project, NDCG, {"late": ["b", "c"]})
    assert [(row.group, row.system, row.labels) for row in found.rows] == [
        ("a", "a", 1), ("b", "b", 0), ("c", "c", 1), ("late", "b", 2), ("late", "c", 2),
    ]  # fmt: skip
    unharmed = found.rows[1]
    assert (unharmed.zero_filled.error, unharmed.condensed.error) == (0, 0)
    assert (unharmed.expected.error, unharmed.expected.moved) == (0, 0)
    late = found.rows[4]
    assert late.zero_filled.error is not None
    assert late.zero_filled.error < 0
    for form in Format:
        text = write_pool_bias(found, form)
        assert "late" in text
        assert "nan" not in text.lower()


def test_one_system_has_nothing_to_be_left_out_of(tmp_path: Path) -> None:
    project = pooled_project(tmp_path / "judgments.db", {"a": {"q": ["d1"]}})
    with pytest.raises(UsageError, match="two systems or more"):
        pool_bias(project, NDCG)


def test_a_group_must_leave_somebody_in_the_pool(tmp_path: Path) -> None:
    project = pooled_project(tmp_path / "judgments.db", {"a": {"q": ["d1"]}, "b": {"q": ["d1"]}})
    with pytest.raises(UsageError, match="one must stay"):
        pool_bias(project, NDCG, {"all": ["a", "b"]})
    with pytest.raises(UsageError, match="no system c"):
        pool_bias(project, NDCG, {"some": ["c"]})
