"""The same data have the same numbers in a project and from files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from annotator.actions.comparisons import compare_all
from annotator.actions.files.scores import compare_files, score_files
from annotator.actions.imports.qrels import export_qrels, import_qrels
from annotator.actions.imports.texts import import_queries, import_run
from annotator.actions.pool import make_pool
from annotator.actions.scoring import score
from annotator.scoring.options import RULES, Like, ScoreOptions
from annotator.store import Project
from rubric import Measure
from tests.projects import general, new_project, write

DATA = Path(__file__).parents[1] / "data"
COLLECTIONS = {
    "cranfield": "qrels.0-3.txt",
    "dl-hard": "qrels.passage.txt",
    "trec-covid-r1": "qrels.rnd1.txt",
    "robust03": "qrels.txt",
    "trec_eval": "qrels.test",
}
NAMES = "nDCG@3,nDCG@10,P@5,R@10,RR,AP,Hit@3,DCG@5,RBP,ERR@10,F@5,Rprec,bpref,infAP,Judged@10"
MEASURES = tuple(map(Measure.parse, NAMES.split(",")))
QUERIES = 12
RUNS = 3


def cut(folder: Path, qrels: str, to: Path) -> tuple[Path, list[tuple[str, Path]]]:
    """The first queries of a collection, and three of its runs."""
    to.mkdir(exist_ok=True)
    rows = (folder / qrels).read_text("utf-8").splitlines(keepends=True)
    queries = list(dict.fromkeys(row.split()[0] for row in rows))[:QUERIES]
    judged = write(to / "labels.txt", "".join(r for r in rows if r.split()[0] in queries))
    runs = sorted((folder / "runs").glob("*")) or [folder / "results.test"]
    return judged, [(run.stem, write(to / run.name, run.read_text("utf-8"))) for run in runs[:RUNS]]


@pytest.fixture(params=COLLECTIONS)
def files(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Path, list[tuple[str, Path]]]:
    return cut(DATA / request.param, COLLECTIONS[request.param], tmp_path / "cut")


def imported(path: Path, qrels: Path, runs: list[tuple[str, Path]]) -> Project:
    project = new_project(path)
    queries = dict.fromkeys(row.split()[0] for row in qrels.read_text("utf-8").splitlines())
    texts = "".join(f"{query}\ttext {query}\n" for query in queries)
    import_queries(project, write(path.with_suffix(".tsv"), texts))
    import_qrels(project, qrels)
    for name, run in runs:
        import_run(project, run, name=name)
    return project


def numbers(table: Any) -> Any:
    """All that a table says, but for texts and for where it says labels and pool are from."""
    form = table.to_dict(per_query=True)
    return without_texts({key: part for key, part in form.items() if key != "method"})


def without_texts(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: without_texts(part) for key, part in value.items() if key != "text"}
    return [without_texts(part) for part in value] if isinstance(value, list) else value


@pytest.mark.parametrize("rules", [{}, RULES[Like.TREC_EVAL]], ids=["own", "trec_eval"])
def test_files_and_a_project_of_them_agree_on_every_key(
    files: tuple[Path, list[tuple[str, Path]]], rules: dict[str, Any], tmp_path: Path
) -> None:
    project = imported(tmp_path / "judgments.db", *files)
    options = ScoreOptions(**{**rules, "measures": MEASURES})
    here, there = score(project, options), score_files(*files, options, general())[0]
    assert numbers(here) == numbers(there)
    if len(files[1]) > 1:
        one = ScoreOptions(**{**rules, "measures": MEASURES[1:2]})
        of_files, _ = compare_files(*files, one, general())
        assert numbers(compare_all(project, one)) == numbers(of_files)


def test_a_pool_goes_with_the_labels_as_rows_below_zero(
    files: tuple[Path, list[tuple[str, Path]]], tmp_path: Path
) -> None:
    qrels, runs = files
    rows = qrels.read_text("utf-8").splitlines(keepends=True)
    project = imported(
        tmp_path / "judgments.db", write(tmp_path / "labels.txt", "".join(rows[::3])), runs
    )
    make_pool(project, 10)
    options = ScoreOptions(measures=MEASURES)
    exported = write(
        tmp_path / "all" / "labels.txt",
        "".join(f"{row}\n" for row in export_qrels(project, unjudged=-1)),
    )
    expected = numbers(score(project, options))
    assert numbers(score_files(exported, runs, options, general())[0]) == expected
    again = imported(tmp_path / "again.db", exported, runs)
    assert again.pool.size() == exported.read_text("utf-8").count(" -1\n")
    assert numbers(score(again, options)) == expected
