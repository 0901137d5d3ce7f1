"""``score --explain``: what each rank adds, and where the loss is."""

from __future__ import annotations

import csv
import json
import math
import re
from pathlib import Path

import pytest

from tests.cli.conftest import Run

RUNS = {
    "one": ["a", "b", "c", "d", "e"],
    "short": ["c"],
    "open": ["x", "c", "a"],
}
GRADES = {"a": 2, "b": 0, "c": 3, "d": 1, "e": 0}


@pytest.fixture
def article(run: Run, folder: Path) -> Path:
    """Five documents of grades 2, 0, 3, 1, 0, ranked in this order and in others."""
    for name, ranked in RUNS.items():
        lines = [f"q Q0 {one} {rank} {9 - rank} {name}" for rank, one in enumerate(ranked, 1)]
        Path(f"{name}.run").write_text("\n".join(lines) + "\n")
    Path("labels.qrels").write_text(
        "".join(f"q 0 {one} {grade}\n" for one, grade in GRADES.items())
    )
    Path("texts.jsonl").write_text('{"_id": "c", "title": "The best", "text": "Of all."}\n')
    Path("q.tsv").write_text("q\twhat is best\nother\tsomething else\n")
    run("init")
    assert run("import", "queries", "q.tsv").code == 0
    assert run("import", "run", *(f"{name}.run" for name in RUNS)).code == 0
    assert run("pool").code == 0
    assert run("import", "documents", "texts.jsonl").code == 0
    assert run("import", "qrels", "labels.qrels").code == 0
    return folder


def test_each_rank_is_gain_times_discount_and_the_ideal_stands_beside(
    run: Run, article: Path
) -> None:
    done = run("score", "--explain", "q", "one", "-m", "nDCG@5", "--format", "json")
    [one] = json.loads(done.out)["explanations"]
    assert [place["document"] for place in one["places"]] == RUNS["one"]
    assert [place["grade"] for place in one["places"]] == [2, 0, 3, 1, 0]
    assert [place["gain"] for place in one["places"]] == [3, 0, 7, 1, 0]
    contributions = [place["contribution"] for place in one["places"]]
    assert contributions == pytest.approx([3.0, 0, 3.5, 0.430677, 0], abs=1e-6)
    assert one["norm"] == pytest.approx(7 + 3 / math.log2(3) + 1 / 2)
    assert one["zero_filled"] == pytest.approx(sum(contributions) / one["norm"])
    assert one["lost"] == pytest.approx(sum(place["lost"] for place in one["places"]))
    ideal = [(place["ideal"], place["ideal_grade"], place["ideal_rank"]) for place in one["places"]]
    assert ideal == [("c", 3, 3), ("a", 2, 1), ("d", 1, 4), (None, None, None), (None, None, None)]


def test_the_table_says_where_the_loss_is(
    run: Run, article: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for width in (60, 80, 140):
        monkeypatch.setenv("COLUMNS", str(width))
        out = run("score", "--explain", "q", "one", "-m", "nDCG@5").out
        said = " ".join(out.split())
        assert "Query q: what is best" in said
        assert "0.7379 = 6.9307 / 9.3928; the ideal ranking has 1.0000." in said
        assert "Lost 0.2621, most of it at rank 1 (0.4259): a (grade 2), where c (grade 3)" in said
        assert "now at rank 3" in said
        assert re.search(r"^ +3  c +3 +7 +0.5000 +3.5000", out, flags=re.M)
        assert "The best" in out
        assert max(map(len, out.splitlines())) <= width


def test_an_unjudged_place_is_flagged_with_what_it_could_add(run: Run, article: Path) -> None:
    done = run("score", "--explain", "q", "open", "-m", "P@1,nDCG@3", "--format", "json")
    precision, ndcg = json.loads(done.out)["explanations"]
    assert precision["places"][0]["could_change"] == [0, 1]
    assert precision["places"][0]["grade"] is None
    assert (precision["value"], precision["lower"], precision["upper"]) == (None, 0, 1)
    assert [place["could_change"] for place in ndcg["places"]][1:] == [None, None]
    table = run("score", "--explain", "q", "open", "-m", "P@1").out
    assert "[0.0000, 1.0000]" in table
    assert re.search(r"^ +1  x +\?", table, flags=re.M)


def test_a_ranking_that_ends_early_shows_what_is_missing(run: Run, article: Path) -> None:
    done = run("score", "--explain", "q", "short", "-m", "nDCG@5,AP", "--format", "json")
    for one in json.loads(done.out)["explanations"]:
        assert [place["document"] for place in one["places"]] == ["c", None, None]
        assert [place["ideal"] for place in one["places"]] == ["c", "a", "d"]
        assert one["places"][1]["ideal_rank"] is None
    assert "not returned" in run("score", "--explain", "q", "short", "-m", "AP").out


def test_every_measure_is_explained_in_every_form(run: Run, article: Path) -> None:
    names = "nDCG@3,DCG@3,P@3,R@3,F@3,Hit@3,RR,AP,Rprec,RBP,ERR,bpref,infAP,Judged@3"
    done = run("score", "--explain", "q", "-m", names, "--format", "json")
    told = json.loads(done.out)["explanations"]
    assert len(told) == 14 * 3
    for one in told:
        total = sum(place["share"] for place in one["places"])
        assert total == pytest.approx(one["zero_filled"], abs=1e-9)
    written = run("score", "--explain", "q", "-m", names, "--format", "csv").out
    rows = list(csv.DictReader(written.splitlines()))
    assert len(rows) == sum(len(one["places"]) for one in told)
    assert {row["method"] for row in rows} == {json.loads(done.out)["method"]["fingerprint"]}
    for form in ("table", "markdown", "tsv"):
        assert run("score", "--explain", "q", "-m", names, "--format", form).code == 0


def test_a_query_without_relevant_documents_is_undefined(run: Run, article: Path) -> None:
    out = run("score", "--explain", "other", "-m", "nDCG@3").out
    assert out.count("Undefined: the query has no relevant judged document.") == 3


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--explain", "othe"], "no query othe; did you mean other?"),
        (["--explain", "q", "tow"], "no system tow in the project"),
        (["--explain", "q", "--ties", "average", "-m", "P@1"], "of one order"),
        (["--explain", "q", "--per-query"], "of one query"),
        (["--explain", "q", "--worst", "3"], "of one query"),
        (["--explain", "q", "--histogram"], "of one query"),
    ],
)
def test_what_cannot_be_explained_is_one_line(
    run: Run, article: Path, words: list[str], message: str
) -> None:
    done = run("score", *words)
    assert (done.code, done.out) == (2, "")
    assert message in done.err
    assert done.err.count("\n") == 1
