"""A query that nobody labelled is no query of the qrels: it is in no average that others print."""

from __future__ import annotations

from pathlib import Path

import pytest

from annotator.actions.files.scores import score_files
from annotator.actions.imports.qrels import export_qrels, import_qrels
from annotator.actions.scoring import score
from annotator.scoring.options import EmptyIdeal, ScoreOptions
from annotator.store import Project
from rubric import Measure
from tests.peers import SHARED, TREC_EVAL, theirs
from tests.projects import pooled_project, qrels_lines, write

SYSTEMS = {
    "one": {q: [f"{q}{d}" for d in "abcd"] for q in ("q1", "q2", "q3", "q4", "q5")},
    "two": {q: [f"{q}{d}" for d in "dcx"] for q in ("q1", "q2", "q4")},
}
GRADES = {("q1", "q1a"): 1, ("q1", "q1d"): 0, ("q2", "q2c"): 3, ("q2", "q2x"): 0, ("q3", "q3b"): 0}


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """Five queries, of which three have labels, one of them no relevant document."""
    project = pooled_project(tmp_path / "judgments.db", SYSTEMS)
    import_qrels(project, write(tmp_path / "some.qrels", qrels_lines(GRADES)))
    return project


@pytest.mark.parametrize("system", SYSTEMS)
def test_zero_filled_means_are_those_that_trec_eval_prints(
    project: Project, tmp_path: Path, system: str
) -> None:
    judged = {query for query, _ in GRADES}
    rows = [row for row in export_qrels(project, unjudged=-1) if row.split()[0] in judged]
    qrels = write(tmp_path / "out.qrels", "".join(f"{row}\n" for row in rows))
    expected = theirs(qrels, tmp_path / f"{system}.run")
    table = score(project, TREC_EVAL)
    at = [one.system for one in table.systems].index(system)
    for one in table.systems[at].measures:
        values = [expected.get(query, {}).get(SHARED[one.measure], 0.0) for query in judged]
        assert one.summary.zero_filled == pytest.approx(sum(values) / 3, abs=1e-6), one.measure
        assert (one.summary.scored, one.summary.undefined) == (3, 2)
        open_ = [query.query for query in one.per_query if query.defined == "maybe"]
        assert set(open_) == {"q4", "q5"}


@pytest.mark.parametrize("rule", EmptyIdeal)
def test_files_without_these_queries_have_the_same_zero_filled_means(
    project: Project, tmp_path: Path, rule: EmptyIdeal
) -> None:
    names = ("nDCG@3", "P@2", "R@2", "RR", "AP", "Hit@1", "DCG@3", "RBP", "ERR@3", "F@2")
    options = ScoreOptions(measures=tuple(map(Measure.parse, names)), empty_ideal=rule)
    qrels = write(tmp_path / "out.qrels", "".join(f"{row}\n" for row in export_qrels(project)))
    runs = [(name, tmp_path / f"{name}.run") for name in SYSTEMS]
    here, there = score(project, options), score_files(qrels, runs, options)[0]
    for one, two in zip(here.systems, there.systems, strict=True):
        for mine, other in zip(one.measures, two.measures, strict=True):
            assert mine.summary.zero_filled == other.summary.zero_filled, mine.measure
            assert mine.summary.scored == other.summary.scored
