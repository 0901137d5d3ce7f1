"""Weights of queries that a project keeps: every number of it uses them and says so."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Run

SHAPES = {
    "q.csv": "id,text,weight\nq1,first question,3\nq2,second question,1\n",
    "q.jsonl": '{"_id": "q1", "text": "first question", "weight": 3}\n'
    '{"_id": "q2", "text": "second question", "weight": 1.0}\n',
    "q.tsv": "qid\ttext\tweight\nq1\tfirst question\t3\nq2\tsecond question\t1\n",
}
SCORING = (
    ("score",), ("compare", "a", "b"), ("ceiling",), ("score", "--explain", "q1"),
    ("status", "--pool-bias"),
)  # fmt: skip


def told(run: Run, *words: str) -> dict[str, Any]:
    done = run(*words, "--format", "json")
    assert done.code == 0, done.err
    data: dict[str, Any] = json.loads(done.out)
    return data


@pytest.fixture
def weighted(small: Path, run: Run) -> Path:
    """The small project with q1 of weight 3 and q2 of weight 1."""
    Path("w.tsv").write_text("q1\t3\nq2\t1\n")
    assert run("import", "weights", "w.tsv").code == 0
    return small


@pytest.mark.parametrize("words", SCORING)
def test_scores_are_those_of_the_file_of_weights(
    small: Path, run: Run, words: tuple[str, ...]
) -> None:
    Path("w.tsv").write_text("q1\t3\nq2\t1\n")
    takes_file = words[0] != "status"
    by_file = told(run, *words, "--weights", "w.tsv") if takes_file else {}
    alike = told(run, *words)
    run("import", "weights", "w.tsv")
    kept = told(run, *words)
    assert kept["method"]["weights"]["since"] is not None
    assert kept["method"]["weights"]["name"] == "w.tsv"
    if takes_file:
        assert kept["method"]["weights"]["digest"] == by_file["method"]["weights"]["digest"]
        assert told(run, *words, "--weights", "none") == alike
    for data in (kept, by_file, alike):
        data.pop("method", None)
    assert by_file in ({}, kept)
    assert run("remove", "weights").code == 0
    again = told(run, *words)
    assert again.pop("method")["weights"] is None
    assert again == alike


@pytest.mark.parametrize("name", SHAPES)
def test_a_queries_file_with_a_weight_brings_it(small: Path, run: Run, name: str) -> None:
    Path(name).write_text(SHAPES[name])
    done = run("import", "queries", name)
    assert done.code == 0
    assert "not used" not in done.out
    assert told(run, "status")["weights"]["name"] == name
    Path("w.tsv").write_text("q1\t3\nq2\t1\n")
    by_file = told(run, "score", "--weights", "w.tsv")["method"]["weights"]["digest"]
    assert told(run, "score")["method"]["weights"]["digest"] == by_file


def test_exported_queries_bring_their_weights_back(weighted: Path, run: Run) -> None:
    digest = told(run, "score")["method"]["weights"]["digest"]
    assert run("export", "queries", "out.jsonl").code == 0
    assert run("remove", "weights").code == 0
    assert run("import", "queries", "out.jsonl").code == 0
    assert told(run, "score")["method"]["weights"]["digest"] == digest


def test_another_import_takes_the_place_and_as_of_shows_the_former(
    weighted: Path, run: Run
) -> None:
    Path("v.tsv").write_text("q1\t1\nq2\t0\n")
    done = run("import", "weights", "v.tsv")
    assert "they take the place of the weights of w.tsv" in done.out
    assert told(run, "score")["method"]["weights"]["left_out"] == ["q2"]
    assert "nothing changed" in run("import", "weights", "v.tsv").out
    assert told(run, "score", "--as-of", "2001-01-01")["method"]["weights"] is None
    line = " ".join(run("score").out.split())
    assert "queries weighted by v.tsv" in line
    assert "in the project since" in line


def test_queries_that_came_later_are_left_out_and_named(weighted: Path, run: Run) -> None:
    Path("more.tsv").write_text("q3\ta third question\n")
    done = run("import", "queries", "more.tsv")
    assert "1 query has no weight, so scores leave them out: q3" in done.out
    assert told(run, "score")["method"]["weights"]["without"] == ["q3"]
    assert "1 query without a weight left out: q3" in " ".join(run("score").out.split())
    assert "1 query without a weight left out: q3" in run("status").out
    assert run("doctor").code == 0


def test_weights_of_other_queries_are_refused(small: Path, run: Run) -> None:
    for text in ("q7\t1\n", "q1\t0\nq7\t1\n"):
        Path("x.tsv").write_text(text)
        done = run("import", "weights", "x.tsv")
        assert done.code == 2
        assert "x.tsv: no query of the project has a weight here above 0" in done.err
        assert told(run, "status")["weights"] is None


def test_by_the_rules_of_a_tool_all_queries_count_alike(weighted: Path, run: Run) -> None:
    assert told(run, "score", "--like", "trec_eval")["method"]["weights"] is None
    words = ("score", "--like", "trec_eval", "--weights", "w.tsv")
    assert told(run, *words)["method"]["weights"]["name"] == "w.tsv"


def test_a_rescued_project_keeps_its_weights(weighted: Path, run: Run) -> None:
    digest = told(run, "score")["method"]["weights"]["digest"]
    assert run("doctor", "--rescue", "new.db").code == 0
    assert told(run, "-p", "new.db", "score")["method"]["weights"]["digest"] == digest


def test_merging_takes_weights_where_there_are_none_and_keeps_those_that_differ(
    small: Path, run: Run
) -> None:
    shutil.copy(small, "theirs.db")
    Path("w.tsv").write_text("q1\t3\nq2\t1\n")
    assert run("-p", "theirs.db", "import", "weights", "w.tsv").code == 0
    assert run("merge", "theirs.db").code == 0
    assert told(run, "status")["weights"]["name"] == "w.tsv"
    assert "weigh" not in run("merge", "theirs.db").out
    Path("v.tsv").write_text("q1\t1\nq2\t1\n")
    assert run("import", "weights", "v.tsv").code == 0
    assert "its queries weigh otherwise; the weights of v.tsv stay" in run("merge", "theirs.db").out
    assert told(run, "status")["weights"]["name"] == "v.tsv"
