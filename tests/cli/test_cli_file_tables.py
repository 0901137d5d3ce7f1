"""Explanations, ceilings and companions of files say what those of a project say."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Run

TEXT = "heat transfer to a slender body of revolution at high speed in thin air"
RUNS = {
    "same": {"q1": ["d1", "d2", "d9"], "q2": ["d1", "d4"]},
    "varied": {"q1": ["d1", "d3", "d5"], "q2": ["d3", "d4", "d7"]},
}
LABELS = {"q1": {"d1": 1, "d2": 0, "d3": 3, "d9": 0, "d5": 2}, "q2": {"d1": 0, "d3": 1, "d4": 2}}
TEXTS = {"d1": TEXT, "d2": TEXT.upper() + "!", "d3": "Another matter. " * 9, "d4": "Third"}
FILES = ["--qrels", "labels.qrels", "--run", "same.run", "varied.run"]


@pytest.fixture
def both(run: Run, folder: Path) -> Path:
    """The same runs, labels and texts as files and in a project."""
    for name, queries in RUNS.items():
        lines = [
            f"{qid} Q0 {docid} {rank} {9 - rank} x\n"
            for qid, docids in queries.items()
            for rank, docid in enumerate(docids, 1)
        ]
        Path(f"{name}.run").write_text("".join(lines))
    rows = [f"{qid} 0 {one} {grade}\n" for qid, of in LABELS.items() for one, grade in of.items()]
    Path("labels.qrels").write_text("".join(rows) + "q2 0 d7 -1\n")
    documents = [json.dumps({"_id": docid, "text": text}) for docid, text in TEXTS.items()]
    Path("texts.jsonl").write_text("\n".join(documents) + "\n")
    Path("q.tsv").write_text("q1\tfirst question\nq2\tsecond question\n")
    for words in (
        ("init",),
        ("import", "queries", "q.tsv"),
        ("import", "run", "same.run", "varied.run"),
        ("pool",),
        ("import", "documents", "texts.jsonl"),
        ("import", "qrels", "labels.qrels"),
    ):
        assert run(*words).code == 0
    return folder


def told(run: Run, *words: str) -> dict[str, Any]:
    done = run(*words, "--format", "json")
    assert done.code == 0, done.err
    data: dict[str, Any] = json.loads(done.out, parse_constant=pytest.fail)
    return data


@pytest.mark.parametrize("qid", ["q1", "q2"])
def test_an_explanation_of_files_is_that_of_the_project(run: Run, both: Path, qid: str) -> None:
    measures = ["-m", "nDCG@2,nDCG,AP,RR,P@3", "--ties", "trec"]
    here = told(run, "score", "--explain", qid, *measures)
    texts = ["--queries", "q.tsv", "--documents", "texts.jsonl"]
    there = told(run, "score", *FILES, *texts, "--explain", qid, *measures)
    assert there["explanations"] == here["explanations"]
    assert there["text"] == here["text"]
    assert [one["places"] for one in here["explanations"]]


def test_a_ceiling_of_files_is_that_of_the_project(run: Run, both: Path) -> None:
    for words in (["-n", "3", "-m", "nDCG@1,nDCG@3"], ["-n", "2", "-m", "nDCG@2"], []):
        here, there = told(run, "ceiling", *words), told(run, "ceiling", *FILES, *words)
        assert there["systems"] == here["systems"]
        assert there["method"]["gap"] == here["method"]["gap"]


def test_companions_of_files_are_those_of_the_project(run: Run, both: Path) -> None:
    words = ["-k", "1", "-k", "3", "--catalog", "20"]
    here = told(run, "companions", *words)
    there = told(run, "companions", *FILES, "--documents", "texts.jsonl", *words)
    assert there == here
    assert here["systems"][0]["at"][1]["near_duplicates"] == 1
    assert here["method"]["catalog"] == "20 documents, as declared"


def test_texts_of_queries_come_with_the_worst_of_files(run: Run, both: Path) -> None:
    for words in ([], ["--histogram"], ["--worst", "1"], ["--format", "json"]):
        done = run("score", *FILES, "--queries", "q.tsv", *words)
        assert done.code == 0
        assert "question" in done.out
    assert "Worst queries" not in run("score", *FILES).out


@pytest.mark.parametrize("project", [True, False])
def test_a_catalog_is_a_number_or_a_file_of_ids_or_documents(
    run: Run, both: Path, project: bool
) -> None:
    where = [] if project else FILES
    Path("ids.txt").write_text("d1\nd3\nd4\nelsewhere\n\n")
    for declared, coverage, outside in (
        ("8", 4 / 8, 0),
        ("ids.txt", 2 / 4, 2),
        ("texts.jsonl", 3 / 4, 1),
    ):
        data = told(run, "companions", *where, "--catalog", declared)
        [same] = data["systems"][0]["at"]
        assert (same["catalog_coverage"], same["outside"]) == (coverage, outside)
        line = run("companions", *where, "--catalog", declared).out
        assert ("outside the catalog" in line) == bool(outside)
        assert data["method"]["catalog"] in " ".join(line.split())


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (
            ["companions", "--catalog", "3"],
            2,
            "of 3 documents a system cannot show 5 different ones",
        ),
        (["companions", "--catalog", "0"], 2, "a catalog has at least one document"),
        (["companions", "--catalog", "none.txt"], 3, "none.txt"),
        (["companions", "--catalog", "same.run"], 3, "same.run"),
        (["companions", *FILES, "--documents", "q.tsv"], 3, "q.tsv: none of its documents"),
        (["companions", "--documents", "texts.jsonl"], 2, "go with --qrels FILE"),
        (["ceiling", "--run", "same.run"], 2, "go with --qrels FILE"),
        (["ceiling", "--qrels", "labels.qrels"], 2, "needs at least one --run FILE"),
        (["ceiling", *FILES, "-m", "P@5"], 2, "a ceiling needs nDCG"),
        (["score", *FILES, "--queries", "others.tsv"], 3, "none of its queries"),
        (["score", *FILES, "--explain", "q9"], 2, "no query q9; did you mean q2?"),
        (["score", *FILES, "--explain", "q1", "--system", "same"], 2, "files have none"),
    ],
)
def test_what_cannot_be_done_with_files_is_told(
    run: Run, both: Path, words: list[str], code: int, message: str
) -> None:
    Path("others.tsv").write_text("7\tanother question\n")
    done = run(*words)
    assert (done.code, done.out) == (code, "")
    assert message in done.err
