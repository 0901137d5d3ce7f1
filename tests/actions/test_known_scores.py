"""Published and independently computed scores, through the whole path from the files."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np
import pytest
import pytrec_eval
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import ndcg_score

from annotator.actions.imports.qrels import import_qrels
from annotator.actions.imports.texts import import_run
from annotator.actions.scoring import score
from annotator.results.scores import ScoreTable
from annotator.scoring.options import EmptyIdeal, MissingQueries, ScoreOptions, Ties
from annotator.store import Project
from rubric import Gain, Measure
from tests.projects import DATA, qrels_lines, run_lines, temporary_project, write

LINEAR, EXPONENTIAL = Gain("linear"), Gain("exponential")
QRELS = {
    "cranfield": "qrels.0-3.txt",
    "dl-hard": "qrels.passage.txt",
    "trec-covid-r1": "qrels.rnd1.txt",
}
TREC = {
    "nDCG@10(gain=linear)": "ndcg_cut_10",
    "P@10": "P_10",
    "R@10": "recall_10",
    "Hit@10": "success_10",
    "RR@1000": "recip_rank",
}


def expected(folder: str, column: str) -> dict[str, float]:
    with (DATA / folder / "expected.tsv").open(newline="") as file:
        return {row["run"]: float(row[column]) for row in csv.DictReader(file, delimiter="\t")}


@pytest.fixture(scope="module")
def loaded() -> Iterator[Mapping[str, Project]]:
    """Each data set as a project."""
    with (
        temporary_project() as cranfield,
        temporary_project() as hard,
        temporary_project() as covid,
    ):
        projects = dict(zip(QRELS, (cranfield, hard, covid), strict=True))
        for folder, project in projects.items():
            import_qrels(project, DATA / folder / QRELS[folder])
            for run in sorted((DATA / folder / "runs").glob("*.run")):
                import_run(project, run)
        yield projects


def as_trec(project: Project, *measures: Measure, gain: Gain = LINEAR) -> ScoreTable:
    """Score as trec_eval -c does, but with bounds and flags."""
    options = ScoreOptions(
        measures=measures,
        gain=gain,
        ties=Ties.TREC,
        empty_ideal=EmptyIdeal.ZERO,
        missing_queries=MissingQueries.ZERO,
    )
    return score(project, options)


@pytest.mark.parametrize(
    ("folder", "systems", "gain", "column"),
    [
        ("cranfield", 12, LINEAR, "ndcg10_linear"),
        ("cranfield", 12, EXPONENTIAL, "ndcg10_exponential"),
        ("dl-hard", 6, LINEAR, "ndcg10_linear"),
        ("trec-covid-r1", 13, LINEAR, "ndcg10_linear"),
    ],
)
def test_known_scores_come_out(
    loaded: Mapping[str, Project], folder: str, systems: int, gain: Gain, column: str
) -> None:
    table = as_trec(loaded[folder], Measure("nDCG", 10), gain=gain)
    found = {one.system: one.measures[0].summary.zero_filled for one in table.systems}
    assert len(found) == systems
    assert found == pytest.approx(expected(folder, column), abs=5.001e-5)


def test_bounds_hold_the_known_scores(loaded: Mapping[str, Project]) -> None:
    for folder, project in loaded.items():
        for system in as_trec(project, Measure("nDCG", 10)).systems:
            summary = system.measures[0].summary
            assert summary.lower is not None
            assert summary.upper is not None
            assert summary.zero_filled is not None
            assert summary.lower <= summary.zero_filled <= summary.upper, (folder, system.system)
            assert (summary.value is None) == bool(summary.unjudged)


def per_query(table: ScoreTable) -> dict[str, dict[str, float]]:
    """The zero-filled score of each labelled query by trec_eval's name, of the first system."""
    found: dict[str, dict[str, float]] = {}
    for measure in table.systems[0].measures:
        for query in measure.per_query:
            if query.zero_filled is None:  # a query without labels is no query of the qrels
                continue
            found.setdefault(query.query, {})[TREC[measure.measure]] = query.zero_filled
    return found


def by_pytrec_eval(
    qrels: Mapping[str, Mapping[str, int]], run: Mapping[str, Mapping[str, float]]
) -> dict[str, dict[str, float]]:
    """The same from pytrec_eval, 0 for what it leaves out."""
    names = set(TREC.values())
    evaluator = pytrec_eval.RelevanceEvaluator(qrels, names)
    found = evaluator.evaluate(run)
    nothing = dict.fromkeys(names, 0.0)
    return {qid: {name: found.get(qid, nothing)[name] for name in names} for qid in qrels}


def read(path: Path, key: int, value: int, kind: type) -> dict[str, dict[str, float]]:
    rows: dict[str, dict[str, float]] = {}
    for line in path.read_text().splitlines():
        fields = line.split()
        rows.setdefault(fields[0], {})[fields[key]] = kind(fields[value])
    return rows


@pytest.mark.parametrize(("folder", "system"), [("trec-covid-r1", "T5R1"), ("dl-hard", "bm25-rm3")])
def test_every_query_agrees_with_pytrec_eval(
    loaded: Mapping[str, Project], folder: str, system: str
) -> None:
    options = ScoreOptions(
        measures=tuple(map(Measure.parse, TREC)),
        ties=Ties.TREC,
        empty_ideal=EmptyIdeal.ZERO,
        systems=(system,),
    )
    found = per_query(score(loaded[folder], options))
    qrels = read(DATA / folder / QRELS[folder], 2, 3, int)
    run = read(DATA / folder / "runs" / f"{system}.run", 2, 4, float)
    theirs = by_pytrec_eval(qrels, run)  # type: ignore[arg-type]
    assert found.keys() == theirs.keys()
    for qid, values in theirs.items():
        assert found[qid] == pytest.approx(values, abs=1e-6)


DOCUMENTS = [*(f"d{number}" for number in range(1, 13)), "D1", "é", "zz"]
GRADES = st.dictionaries(st.sampled_from(DOCUMENTS), st.integers(0, 3), min_size=1, max_size=15)
SCORES = st.dictionaries(
    st.sampled_from(DOCUMENTS),
    st.sampled_from([-1.0, 0.0, 0.5, 0.5 + 1e-9, 1.0, 1e30]),
    min_size=1,
    max_size=15,
)


@settings(max_examples=40, deadline=None, derandomize=True)
@given(
    st.dictionaries(st.sampled_from(["q1", "q2"]), GRADES, min_size=1),
    st.dictionaries(st.sampled_from(["q1", "q2"]), SCORES, min_size=1),
    st.randoms(use_true_random=False),
)
def test_any_small_run_with_ties_agrees_with_pytrec_eval(qrels, run, random) -> None:  # type: ignore[no-untyped-def]
    pairs = {(qid, docid): grade for qid in qrels for docid, grade in qrels[qid].items()}
    rows = [
        f"{qid} Q0 {docid} {random.randint(1, 99)} {points!r} t"
        for qid in run
        for docid, points in run[qid].items()
    ]
    with temporary_project() as project:
        folder = project.file.path.parent
        import_qrels(project, write(folder / "qrels.txt", qrels_lines(pairs)))
        import_run(project, write(folder / "a.run", "\n".join(rows)))
        table = as_trec(project, *map(Measure.parse, TREC))
        found = per_query(table)
    for qid, values in by_pytrec_eval(qrels, run).items():
        assert found[qid] == pytest.approx(values, abs=1e-6)


@settings(max_examples=15, deadline=None, derandomize=True)
@given(st.lists(st.integers(0, 3), min_size=2, max_size=12), st.data())
def test_a_judged_ranking_without_ties_agrees_with_scikit_learn(
    grades: list[int], data: st.DataObject
) -> None:
    if not any(grades):
        grades[0] = 1
    order = data.draw(st.permutations(range(len(grades))))
    with temporary_project() as project:
        folder = project.file.path.parent
        pairs = {("q1", f"d{at}"): grade for at, grade in enumerate(grades)}
        import_qrels(project, write(folder / "qrels.txt", qrels_lines(pairs)))
        ranked = {"q1": [f"d{at}" for at in order]}
        import_run(project, write(folder / "a.run", run_lines(ranked)))
        table = score(project, ScoreOptions((Measure("nDCG", 3), Measure("nDCG", 10)), LINEAR))
    points = np.empty(len(grades))
    points[list(order)] = -np.arange(len(grades))
    for measure, k in zip(table.systems[0].measures, (3, 10), strict=True):
        theirs = ndcg_score([grades], [points], k=k)
        assert measure.summary.value == pytest.approx(theirs, abs=1e-12)
