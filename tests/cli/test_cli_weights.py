"""``--weights``: the same in a project and for files, in every number that can be weighted."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.cli.conftest import Run

QUERIES = [f"q{at}" for at in range(1, 7)]
WEIGHTS = dict(zip(QUERIES, (5, 1, 0.5, 3, 0, 2), strict=True))
FILES = ["--qrels", "labels.qrels", "--run", "a.run", "b.run"]


@pytest.fixture
def both(run: Run, folder: Path) -> Path:
    """Two runs and labels, as files and in a project; some documents are unjudged."""
    rng = np.random.default_rng(0)
    for name in "ab":
        lines = [
            f"{qid} Q0 d{docid} {rank} {9 - rank} {name}\n"
            for qid in QUERIES
            for rank, docid in enumerate(rng.permutation(6)[:4], 1)
        ]
        Path(f"{name}.run").write_text("".join(lines))
    labels = [
        f"{qid} 0 d{docid} {rng.integers(0, 4)}\n"
        for qid in QUERIES
        for docid in range(6)
        if docid < 5 or qid == "q4"
    ]
    Path("labels.qrels").write_text("".join(labels))
    Path("q.tsv").write_text("".join(f"{qid}\ttext of {qid}\n" for qid in QUERIES))
    Path("w.tsv").write_text("".join(f"{qid}\t{weight}\n" for qid, weight in WEIGHTS.items()))
    for words in (
        ("init",),
        ("import", "queries", "q.tsv"),
        ("import", "run", "a.run", "b.run"),
        ("pool",),
        ("import", "qrels", "labels.qrels"),
    ):
        assert run(*words).code == 0
    return folder


def told(run: Run, *words: str) -> dict[str, Any]:
    done = run(*words, "--format", "json")
    assert done.code == 0, done.err
    data: dict[str, Any] = json.loads(done.out, parse_constant=pytest.fail)
    return data


def average(queries: list[dict[str, Any]], key: str) -> float:
    counted = [one for one in queries if one[key] is not None]
    return float(
        np.average(
            [one[key] for one in counted], weights=[WEIGHTS[one["query"]] for one in counted]
        )
    )


@pytest.mark.parametrize("where", [[], FILES])
def test_every_mean_is_weighted_and_the_method_says_so(
    run: Run, both: Path, where: list[str]
) -> None:
    words = ["-m", "nDCG@3,P@2,RBP", "--weights", "w.tsv"]
    data = told(run, "score", *where, *words, "--per-query")
    assert data["method"]["weights"]["name"] == "w.tsv"
    assert data["method"]["weights"]["left_out"] == ["q5"]
    for system in data["systems"]:
        for one in system["measures"]:
            queries = one["per_query"]
            assert "q5" not in {query["query"] for query in queries}
            for key in ("zero_filled", "condensed", "lower", "upper"):
                assert one[key] == pytest.approx(average(queries, key), abs=1e-12)
    line = " ".join(run("score", *where, *words).out.split())
    assert "queries weighted by w.tsv" in line
    assert "1 query of weight 0 left out" in line
    compared = told(run, "compare", *(where or ["a", "b"]), *words, "--per-query")
    for pair in compared["comparisons"]:
        assert pair["zero_filled"] == pytest.approx(average(pair["per_query"], "zero_filled"))
        assert pair["queries"]["counted"] + pair["queries"]["undefined"] == 5
    split = told(run, "ceiling", *where, "-m", "nDCG@3", "-n", "4", "--weights", "w.tsv")
    scores = {one["system"]: one["measures"][0]["zero_filled"] for one in data["systems"]}
    for one in split["systems"]:
        assert one["measures"][0]["score"] == pytest.approx(scores[one["system"]], abs=1e-12)


@pytest.mark.parametrize("where", [[], FILES])
def test_equal_weights_change_nothing_but_the_method(
    run: Run, both: Path, where: list[str]
) -> None:
    Path("same.tsv").write_text("".join(f"{qid}\t2.5\n" for qid in QUERIES))
    for words in (["score", *where], ["compare", *(where or ["a", "b"])], ["ceiling", *where]):
        plain, weighted = told(run, *words), told(run, *words, "--weights", "same.tsv")
        plain.pop("method")
        assert weighted.pop("method")["weights"]["left_out"] == []
        assert weighted == plain


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("w.csv", "{},{}\n"),
        ("w.txt", "{} {}\n"),
        ("h.csv", None),
        ("h.jsonl", None),
    ],
)
def test_weights_come_in_any_form(run: Run, both: Path, name: str, line: str | None) -> None:
    rows = WEIGHTS.items()
    if line:
        Path(name).write_text("".join(line.format(*row) for row in rows))
    elif name.endswith("csv"):
        lines = [f'{qid},"text, of {qid}",{weight}\n' for qid, weight in rows]
        Path(name).write_text("query_id,query,weight\n" + "".join(lines))
    else:
        lines = [json.dumps({"_id": qid, "text": "x", "weight": w}) + "\n" for qid, w in rows]
        Path(name).write_text("".join(lines))
    expected = told(run, "score", "--weights", "w.tsv")
    found = told(run, "score", "--weights", name)
    assert found["systems"] == expected["systems"]
    assert found["method"]["weights"]["digest"] == expected["method"]["weights"]["digest"]


@pytest.mark.parametrize(
    ("text", "code", "message"),
    [
        ("q1\t1\nq2\t-1\n", 3, "w2.tsv:2: the weight of q2 must be a number of 0 or more: -1"),
        ("q1\t1\nq2\tnan\n", 3, "w2.tsv:2: the weight of q2"),
        ("q1\t1\nq2\tinf\n", 3, "w2.tsv:2: the weight of q2"),
        ("q1\t1\nq2\tmuch\n", 3, "w2.tsv:2: the weight of q2"),
        ("q1\t1\nq1\t2\n", 3, "w2.tsv:2: query q1 has another weight above: 1"),
        ("q1\n", 3, "w2.tsv:1: expected a query id and its weight"),
        ("q1\t0\nq2\t0\n", 3, "every weight is 0"),
        ("q1\t1\nq2\t1\n", 3, "4 queries have no weight: q3, q4, q5, q6"),
        ("".join(f"q{at}\t0\n" for at in range(1, 7)) + "z\t1\n", 3, "has the weight 0"),
        ("", 3, "empty"),
    ],
)
def test_bad_weights_are_refused_by_name(
    run: Run, both: Path, text: str, code: int, message: str
) -> None:
    Path("w2.tsv").write_text(text)
    for words in (["score"], ["score", *FILES], ["compare", "a", "b"]):
        done = run(*words, "--weights", "w2.tsv")
        assert (done.code, done.out) == (code, "")
        assert message in done.err


def test_weights_of_other_queries_are_named(run: Run, both: Path) -> None:
    with Path("w.tsv").open("a") as more:
        more.write("elsewhere\t4\n")
    data = told(run, "score", "--weights", "w.tsv")
    assert data["method"]["weights"]["not_scored"] == ["elsewhere"]
    out = " ".join(run("score", "--weights", "w.tsv").out.split())
    assert "1 query of it not scored: elsewhere" in out
