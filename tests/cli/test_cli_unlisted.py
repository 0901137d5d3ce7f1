"""Qrels that list relevant documents only: nothing is claimed, and what to do is said and works."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run

QUERIES = [f"q{number}" for number in range(15)]


@pytest.fixture
def files(folder: Path) -> None:
    """A good run finds each query's only relevant document early, a bad one never."""
    good = [f"{qid} Q0 {qid}-{at} {at} {9 - at} good" for qid in QUERIES for at in range(1, 6)]
    bad = [f"{qid} Q0 other{qid}-{at} {at} {9 - at} bad" for qid in QUERIES for at in range(1, 6)]
    Path("good.run").write_text("\n".join(good) + "\n")
    Path("bad.run").write_text("\n".join(bad) + "\n")
    Path("one.qrels").write_text("".join(f"{qid} 0 {qid}-2 1\n" for qid in QUERIES))
    Path("queries.tsv").write_text("".join(f"{qid}\ttext of {qid}\n" for qid in QUERIES))


@pytest.fixture(params=["files", "project"])
def scored(request: pytest.FixtureRequest, run: Run, files: None) -> list[str]:
    """The words that score the two, from files or in a project."""
    if request.param == "files":
        return ["--qrels", "one.qrels", "good.run", "bad.run"]
    for words in (
        ["init"],
        ["import", "queries", "queries.tsv"],
        ["import", "run", "bad.run", "good.run"],
        ["pool"],
        ["import", "qrels", "one.qrels"],
    ):
        assert run(*words).code == 0
    return []


def test_nothing_is_expected_and_the_order_is_by_zero_filled_scores(
    run: Run, scored: list[str]
) -> None:
    result = run("score", "-m", "nDCG@5,RR@5", *scored)
    assert "~" not in result.out
    assert result.out.index("good") < result.out.index("bad")
    assert "the order of the systems, is by zero-filled scores" in " ".join(result.out.split())
    assert "15 labels (0 of grade 0) look chosen by what the documents are" in result.err
    assert "--unlisted zero" in result.err
    data = json.loads(run("score", "-m", "nDCG@5", "--format", "json", *scored).out)
    assert data["method"]["expected"]["withheld"] == "labels chosen by what the documents are"
    assert {system["measures"][0]["expected"] for system in data["systems"]} == {None}
    assert data["neighbours"] == []


def test_what_is_not_listed_may_be_said_to_be_irrelevant(run: Run, scored: list[str]) -> None:
    words = ["score", "-m", "RR@5", "--unlisted", "zero", "--format", "json", *scored]
    result = run(*words)
    assert "look chosen" not in result.err
    data = json.loads(result.out)
    values = {one["system"]: one["measures"][0]["value"] for one in data["systems"]}
    assert values == {"good": 0.5, "bad": 0.0}
    assert data["method"]["unlisted"] == "zero"
    table = run("score", "-m", "RR@5", "--unlisted", "zero", *scored).out
    assert "without a label: grade 0" in " ".join(table.split())


def test_a_project_of_such_labels_names_no_leader(run: Run, files: None) -> None:
    for words in (
        ["init"],
        ["import", "queries", "queries.tsv"],
        ["import", "run", "bad.run", "good.run"],
        ["pool"],
    ):
        assert run(*words).code == 0
    assert "leader on" not in run("status").out
    assert "not known: nothing that a system returned is judged yet" in run("status").out
    assert run("import", "qrels", "one.qrels").code == 0
    assert "not known: the 15 labels (0 of grade 0) look chosen" in run("status").out
    said = run("compare", "bad", "good", "-m", "nDCG@10").out
    assert said.splitlines()[1].startswith("Not known yet whether bad or good is better")
    assert "\nOpen: " in said
    assert "ahead" not in said
    assert "which claims nothing" in " ".join(said.split())
    assert "P(first better)" not in said
