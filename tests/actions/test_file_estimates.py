"""What is expected of run files against qrels: the same as of a project of the same pool."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from annotator.actions.comparisons import compare_all
from annotator.actions.files.scores import compare_files, score_files
from annotator.actions.imports.qrels import import_qrels
from annotator.actions.scoring import score
from annotator.results.comparisons import ComparisonTable
from annotator.results.scores import ScoreTable
from annotator.scoring.options import ScoreOptions, Ties
from annotator.store import Project
from rubric import Measure, Verdict
from tests.projects import pooled_project, qrels_lines, write

QUERIES = [f"q{number:02}" for number in range(15)]
MEASURES = tuple(map(Measure.parse, ("nDCG@3", "nDCG@10", "P@5", "RR@10", "AP")))


def systems(lengths: tuple[int, ...] = (12, 9, 11)) -> dict[str, dict[str, list[str]]]:
    rng = np.random.default_rng(4)
    documents = np.array([f"d{number}" for number in range(16)])
    return {
        name: {qid: rng.permutation(documents)[:length].tolist() for qid in QUERIES}
        for name, length in zip("cab", lengths, strict=True)
    }


@pytest.fixture
def files(tmp_path: Path) -> tuple[Project, Path, list[tuple[str, Path]]]:
    """A project, and qrels and runs that hold the same."""
    made = systems()
    project = pooled_project(tmp_path / "judgments.db", made)
    rng = np.random.default_rng(5)
    pairs = sorted(
        {(q, d) for of in made.values() for q, docids in of.items() for d in docids[:10]}
    )
    grades = {pair: int(rng.integers(0, 4)) for pair in pairs if rng.random() < 0.4}
    import_qrels(project, write(tmp_path / "some.qrels", qrels_lines(grades)))
    pool = {pair: grades.get(pair, -1) for pair in pairs}
    qrels = write(tmp_path / "all.qrels", qrels_lines(pool))
    return project, qrels, [(name, tmp_path / f"{name}.run") for name in made]


def scores(table: ScoreTable) -> dict[tuple[str, str], object]:
    return {
        (system.system, one.measure): (one.summary, one.per_query)
        for system in table.systems
        for one in system.measures
    }


def differences(table: ComparisonTable) -> list[dict[str, object]]:
    return [one.to_dict(per_query=True) for one in table.pairs]


@pytest.mark.parametrize("ties", list(Ties))
def test_files_are_scored_and_compared_as_a_project_of_the_same_pool(
    files: tuple[Project, Path, list[tuple[str, Path]]], ties: Ties
) -> None:
    project, qrels, runs = files
    measures = MEASURES[:3] if ties is Ties.AVERAGE else MEASURES
    options = ScoreOptions(measures=measures, ties=ties)
    table, _ = score_files(qrels, runs, options)
    there = score(project, options)
    assert scores(table) == scores(there)
    assert table.neighbours == there.neighbours
    one = ScoreOptions(measures=measures[1:2], ties=ties)
    found, _ = compare_files(qrels, runs, one)
    assert differences(found) == differences(compare_all(project, one))
    assert any(one.summary.value is None for one in table.systems[0].measures)


def test_what_the_labels_are_taken_for_stands_in_the_method(
    files: tuple[Project, Path, list[tuple[str, Path]]],
) -> None:
    project, qrels, runs = files
    table, _ = score_files(qrels, runs, ScoreOptions())
    assert "labels (taken as of pooled documents, none picked by eye)" in table.method.line()
    assert "taken as" not in score(project, ScoreOptions()).method.line()


def test_runs_of_other_lengths_leave_averaged_ties_as_they_are(tmp_path: Path) -> None:
    qrels = write(tmp_path / "qrels", qrels_lines({("q", f"d{n}"): n % 4 for n in range(9)}))
    lengths = {"short": 4, "long": 9}
    runs = []
    for name, length in lengths.items():
        lines = [f"q Q0 d{n} {n + 1} {9 - n // 2} t\n" for n in range(length)]
        runs.append((name, write(tmp_path / name, "".join(lines))))
    options = ScoreOptions(measures=MEASURES[1:2], ties=Ties.AVERAGE)
    together, _ = score_files(qrels, runs, options)
    for run, system in zip(runs, together.systems, strict=True):
        [alone] = score_files(qrels, [run], options)[0].systems
        values = [one.measures[0].summary.zero_filled for one in (alone, system)]
        assert values[0] == pytest.approx(values[1], abs=1e-12)


def test_two_runs_are_told_apart_in_the_words_of_a_project(tmp_path: Path) -> None:
    good = {q: [f"{q}a", f"{q}b", f"{q}x"] for q in QUERIES}
    poor = {q: [f"{q}y", f"{q}b", f"{q}a"] for q in QUERIES}
    grades = {(q, f"{q}{d}"): g for q in QUERIES for d, g in (("a", 3), ("b", 0))}
    grades |= {(q, f"{q}{d}"): 0 for q in QUERIES[:4] for d in "xy"}
    qrels = write(tmp_path / "qrels", qrels_lines(grades))
    runs = [
        (name, write(tmp_path / name, "".join(
            f"{q} Q0 {d} {rank} {-rank} t\n"
            for q, docids in of.items() for rank, d in enumerate(docids, start=1)
        )))
        for name, of in (("good", good), ("poor", poor))
    ]  # fmt: skip
    options = ScoreOptions(measures=MEASURES[1:2])
    [one] = compare_files(qrels, runs, options)[0].pairs
    assert one.verdict is Verdict.CREDIBLE
    assert one.first_is_better(Verdict.CREDIBLE)
    [beside] = score_files(qrels, runs, options)[0].neighbours
    assert (beside.first, beside.verdict) == ("good", Verdict.CREDIBLE)
