"""Whole collections against their published values; optional, since they are too large to ship.

ANNOTATOR_COLLECTIONS names a folder with cranfield/, dl-hard/, trec-covid-r1/ and robust03/, each
with a qrels*.txt, runs/*.run and expected_eval.tsv whose columns `run` and `ndcg_cut_10` hold what
pytrec_eval gives (linear gain, missing topics 0); and trec_eval/test/ with trec_eval's own files.
Whatever else lies in it is imported, or refused with a sentence.
"""

from __future__ import annotations

import csv
import os
import sys
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from annotator.actions.files.scores import score_files
from annotator.actions.imports.log import judgments_of
from annotator.actions.imports.qrels import import_qrels, qrels_of
from annotator.actions.imports.runs import run_of
from annotator.actions.imports.texts import documents_of, import_run, queries_of
from annotator.actions.imports.transaction import Storing, import_all
from annotator.actions.pool_bias import pool_bias
from annotator.actions.scoring import score
from annotator.errors import AnnotatorError
from annotator.rubric_files import load
from annotator.scoring.options import RULES, EmptyIdeal, Like, ScoreOptions, Ties
from annotator.store import Project
from rubric import Gain, Measure, Rubric
from tests.peers import assert_equal_to_pytrec_eval

FOLDER = os.environ.get("ANNOTATOR_COLLECTIONS")
QRELS = {
    "cranfield": "qrels.0-3.txt",
    "dl-hard": "qrels.passage.txt",
    "trec-covid-r1": "qrels.rnd1.txt",
    "robust03": "qrels.robust03.txt",
}
TREC_EVAL = ScoreOptions(
    measures=(Measure("nDCG", 10),),
    gain=Gain.parse("linear"),
    ties=Ties.TREC,
    empty_ideal=EmptyIdeal.ZERO,
)

pytestmark = pytest.mark.skipif(
    FOLDER is None, reason="ANNOTATOR_COLLECTIONS names no folder with whole collections"
)


@pytest.mark.parametrize("name", QRELS)
def test_every_run_scores_as_published(name: str, tmp_path: Path) -> None:
    folder = Path(FOLDER or "") / name
    project = Project.create(tmp_path / "whole.db", load("general"))
    import_qrels(project, folder / QRELS[name])
    with (folder / "expected_eval.tsv").open(encoding="utf-8") as lines:
        expected = {
            row["run"]: float(row["ndcg_cut_10"]) for row in csv.DictReader(lines, delimiter="\t")
        }
    runs = sorted((folder / "runs").glob("*.run"))
    for path in runs:
        import_run(project, path, name=path.name)
    table = score(project, TREC_EVAL)
    found = {one.system: one.measures[0].summary.zero_filled for one in table.systems}
    compared = [run for run in expected if run in found]
    assert compared
    for run in compared:
        assert found[run] == pytest.approx(expected[run], abs=5.1e-5), run
    project.close()


@pytest.mark.parametrize("name", QRELS)
def test_every_shared_measure_of_whole_runs_is_pytrec_evals(name: str) -> None:
    folder = Path(FOLDER or "") / name
    for run in sorted((folder / "runs").glob("*.run")):
        assert assert_equal_to_pytrec_eval(folder / QRELS[name], run) > 20


PRINTED = {
    "map": "AP",
    "map_cut_100": "AP@100",
    "Rprec": "Rprec",
    "bpref": "bpref",
    "recip_rank": "RR",
    "infAP": "infAP",
    "ndcg": "nDCG",
    "ndcg_cut_10": "nDCG@10",
    "P_10": "P@10",
    "recall_100": "R@100",
    "success_5": "Hit@5",
    "set_F": "F",
}


@pytest.mark.parametrize(
    ("qrels", "run", "printed", "level"),
    [
        ("qrels.test", "results.test", "out.test.aq", 1),
        ("qrels.rel_level", "results.test", "out.test.aql", 2),
        ("qrels.comment.test", "results.comment.test", "out.comment.test", 1),
        ("qrels.test", "results.trunc", "out.test.aqc", 1),
    ],
)
def test_trec_evals_own_outputs_are_printed(qrels: str, run: str, printed: str, level: int) -> None:
    folder = Path(FOLDER or "") / "trec_eval" / "test"
    lines = (folder / printed).read_text("utf-8").splitlines()
    expected = {tuple(line.split()[:2]): line.split()[2] for line in lines}
    measures = tuple(Measure.parse(name) for name in PRINTED.values())
    options = ScoreOptions(**{**RULES[Like.TREC_EVAL], "threshold": level, "measures": measures})
    table, _ = score_files(folder / qrels, [("run", folder / run)], options)
    compared = 0
    for name, score_ in zip(PRINTED, table.systems[0].measures, strict=True):
        found = {one.query: one.zero_filled for one in score_.per_query}
        found["all"] = score_.summary.zero_filled
        for query, value in found.items():
            if (name, query) in expected:
                compared += 1
                assert float(expected[name, query]) == pytest.approx(value, abs=5.1e-5)
    assert compared >= 5


def test_a_system_that_nobody_pooled_is_scored_nearly_right(tmp_path: Path) -> None:
    """Of every system of four collections its own documents are left unjudged.

    The truth is the pool of all top tens. Runs of collections with holes are cut to what was
    judged; elsewhere a document that is not in the qrels is not relevant.
    """
    errors = []
    for name, file in QRELS.items():
        folder = Path(FOLDER or "") / name
        grades = _grades(folder / file)
        project = Project.create(tmp_path / f"{name}.db", _scale(max(grades.values())))
        runs = [path for path in sorted((folder / "runs").glob("*.run")) if _is_whole(path)]
        pool = set[tuple[str, str]]()
        for path in runs:
            lines = path.read_text("utf-8").splitlines(keepends=True)
            if name in HOLES:
                lines = [line for line in lines if _pair(line) in grades]
            cut = tmp_path / f"{name}.{path.name}"
            cut.write_text("".join(lines), encoding="utf-8")
            seen = Counter[str]()
            for line in lines:
                seen[line.split()[0]] += 1
                pool |= {_pair(line)} if seen[line.split()[0]] <= 10 else set()
            import_run(project, cut, name=path.name)
        truth = tmp_path / f"{name}.qrels"
        known = (f"{qid} 0 {docid} {grades.get((qid, docid), 0)}\n" for qid, docid in sorted(pool))
        truth.write_text("".join(known), encoding="utf-8")
        import_qrels(project, truth)
        found = pool_bias(project, Measure("nDCG", 10))
        errors += [(row.expected.error, row.zero_filled.error) for row in found.rows]
        project.close()
    expected, zero = (sum(abs(pair[at] or 0.0) for pair in errors) / len(errors) for at in (0, 1))
    sys.stderr.write(f"mean error of {len(errors)}: {expected:.4f}, zero-filled {zero:.4f}\n")
    assert expected <= 0.013
    assert expected <= zero / 2


HOLES = ("dl-hard", "trec-covid-r1")


def _is_whole(path: Path) -> bool:
    return not path.name.startswith("bm25.full")


def _pair(line: str) -> tuple[str, str]:
    fields = line.split()
    return fields[0], fields[2]


def _grades(qrels: Path) -> dict[tuple[str, str], int]:
    lines = qrels.read_text("utf-8").splitlines()
    return {_pair(line): max(0, int(line.split()[3])) for line in lines}


def _scale(top: int) -> Rubric:
    general = load("general")
    return general if top == general.top else replace(general, levels=general.levels[: top + 1])


READINGS: Mapping[str, Callable[..., Storing]] = {
    "queries": queries_of,
    "documents": documents_of,
    "run": run_of,
    "qrels": qrels_of,
    "judgments": judgments_of,
}


def test_every_file_comes_in_or_is_refused_with_what_it_is_and_what_to_do(tmp_path: Path) -> None:
    """As each kind of file, into a fresh project; what is no data at all is a text or a program."""
    taken = 0
    for path in sorted(one for one in Path(FOLDER or "").rglob("*") if one.is_file()):
        refused = list[tuple[str, AnnotatorError]]()
        for kind, read in READINGS.items():
            project = Project.create(tmp_path / f"{taken}.db", load("general"))
            try:
                (found,) = import_all(project, [partial(read, path=path)], dry_run=True)
            except AnnotatorError as error:
                refused.append((kind, error))
            else:
                assert sum(value for value in found.facts.values() if isinstance(value, int))
            project.close()
            (tmp_path / f"{taken}.db").unlink()
        taken += len(refused) < len(READINGS)
        for kind, fault in refused:
            assert fault.message.startswith(f"{path}: "), fault.message
            assert "\n" not in fault.message
            assert len(fault.message) < len(str(path)) + 400, fault.message
            known = ("looks like", "it is ", "it lists")
            assert fault.details or any(word in fault.message for word in known), (kind, fault)
    assert taken > 100
