"""What retrieval lost and what ranking lost, on the command line."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Run


@pytest.fixture
def split(run: Run, folder: Path) -> Path:
    """``low`` found the only relevant document and ranked it second; ``never`` did not find it."""
    Path("low.run").write_text("q1 Q0 d2 1 9 a\nq1 Q0 d1 2 8 a\n")
    Path("never.run").write_text("q1 Q0 d2 1 9 b\nq1 Q0 d3 2 8 b\n")
    Path("labels.txt").write_text("q1 0 d1 2\nq1 0 d2 0\nq1 0 d3 0\n")
    for words in (
        ("init",),
        ("import", "run", "low.run", "never.run"),
        ("pool",),
        ("import", "qrels", "labels.txt"),
    ):
        assert run(*words).code == 0
    return folder / "judgments.db"


def ceilings(run: Run, *words: object) -> dict[str, Any]:
    result = run("ceiling", *words, "--format", "json")
    assert (result.code, result.err) == (0, "")
    data: dict[str, Any] = json.loads(result.out, parse_constant=pytest.fail)
    return data


def test_the_loss_is_split_into_never_found_and_ranked_low(run: Run, split: Path) -> None:
    low, never = ceilings(run, "-m", "nDCG@1", "-n", "2")["systems"]
    numbers = ("score", "ceiling", "never_found", "ranked_low")
    assert [low["measures"][0][key] for key in numbers] == [0.0, 1.0, 0.0, 1.0]
    assert [never["measures"][0][key] for key in numbers] == [0.0, 0.0, 1.0, 0.0]
    assert (low["gap"], low["measures"][0]["open"]) == (None, False)


def test_two_cutoffs_stand_side_by_side_with_the_gap_named(run: Run, split: Path) -> None:
    out = run("ceiling").out
    assert "gap = nDCG@10 - nDCG@3" in out
    assert "first 100 candidates (no ranking is longer than 2)" in out
    assert not {"~", "°"} & set(out)
    gap = ceilings(run, "low", "-m", "nDCG@1", "-m", "nDCG@2")
    assert gap["method"]["gap"] == "nDCG@2 - nDCG@1"
    assert gap["systems"][0]["gap"] == pytest.approx(0.6309, abs=1e-4)


def test_numbers_with_unjudged_candidates_are_marked_and_flagged(run: Run, demo: Path) -> None:
    result = run("-p", demo, "ceiling", "lsa_200", "-m", "nDCG@10", "-n", "10")
    [row] = [line for line in result.out.splitlines() if line.startswith("lsa_200")]
    assert (row.count("~"), row.count("°")) == (0, 4)
    assert "74 unjudged" in row
    assert "° counts unjudged documents as grade 0" in result.out
    assert max(map(len, result.out.splitlines())) <= 100


def test_an_open_ideal_is_marked_too(run: Run, demo: Path) -> None:
    [row] = [
        line
        for line in run("-p", demo, "ceiling", "-m", "nDCG@10", "-n", "10").out.splitlines()
        if line.startswith("bm25_lucene")
    ]
    assert (row.count("~"), row.count("°")) == (0, 4)
    assert "ideal open" in row


@pytest.mark.parametrize("ties", ["displayed", "score", "trec", "average"])
def test_the_score_is_that_of_the_scoreboard(run: Run, split: Path, ties: str) -> None:
    Path("tied.run").write_text("q1 Q0 d2 1 9 a\nq1 Q0 d1 2 9 a\n")
    assert run("import", "run", "tied.run").code == 0
    words = ("--ties", ties, "-m", "nDCG@1", "--format", "json")
    scores = json.loads(run("score", *words).out)["systems"]
    expected = [one["measures"][0]["zero_filled"] for one in scores]
    found = ceilings(run, *words[:4])["systems"]
    assert [one["measures"][0]["score"] for one in found] == pytest.approx(expected)


def test_undefined_queries_are_left_out_and_counted(run: Run, small: Path) -> None:
    [a] = ceilings(run, "a")["systems"]
    assert (a["measures"][0]["scored"], a["measures"][0]["undefined"]) == (1, 1)
    assert a["measures"][0]["flags"] == ["1 unjudged", "1 undefined"]


def test_nothing_defined_gives_no_number(run: Run, split: Path) -> None:
    Path("labels.txt").write_text("q1 0 d1 0\n")
    assert run("import", "qrels", "labels.txt").code == 0
    measure = ceilings(run, "low")["systems"][0]["measures"][0]
    assert (measure["score"], measure["ceiling"], measure["scored"]) == (None, None, 0)
    assert run("ceiling").code == 0


def test_csv_has_a_row_a_system_and_measure(run: Run, split: Path) -> None:
    rows = list(csv.DictReader(run("ceiling", "--format", "csv").out.splitlines()))
    assert [(row["system"], row["measure"]) for row in rows][:2] == [
        ("low", "nDCG@3"),
        ("low", "nDCG@10"),
    ]
    assert (
        rows[0]["method"]
        == json.loads(run("ceiling", "--format", "json").out)["method"]["fingerprint"]
    )


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["-m", "P@5"], "measure P@5: a ceiling needs nDCG with a cutoff"),
        (["-m", "nDCG"], "measure nDCG: a ceiling needs nDCG with a cutoff"),
        (["-n", "5"], "measure nDCG@10: a ceiling needs nDCG with a cutoff of at most the 5"),
        (["lows"], "(did you mean low?)"),
        (["-n", "0"], "0 is not in the range"),
    ],
)
def test_what_has_no_ceiling_is_said_in_a_line(
    run: Run, split: Path, words: list[str], message: str
) -> None:
    result = run("ceiling", *words)
    assert (result.code, result.out) == (2, "")
    assert message in result.err
