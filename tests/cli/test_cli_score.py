"""The scoreboard on the command line."""

from __future__ import annotations

import csv
import json
import math
import re
from pathlib import Path
from typing import Any

import pytest

from rubric import Verdict
from tests.cli.conftest import Run
from tests.projects import finished, start_python

METHOD = {
    "k",
    "gain",
    "ties",
    "empty_ideal",
    "missing_queries",
    "rubric",
    "pool",
    "assessors",
    "tool",
}
MEASURE = {
    "measure", "value", "lower", "upper", "expected", "condensed", "zero_filled", "judged",
    "unjudged", "queries", "p10", "median", "ci95", "worst",
}  # fmt: skip
QUERY = {
    "query", "value", "lower", "upper", "expected", "condensed", "zero_filled", "unjudged"
}  # fmt: skip


def scores(run: Run, *words: str) -> dict[str, Any]:
    result = run("score", "--format", "json", *words)
    assert (result.code, result.err) == (0, "")
    data: dict[str, Any] = json.loads(result.out, parse_constant=pytest.fail)
    return data


def test_json_keeps_the_contract(run: Run, small: Path) -> None:
    data = scores(run, "--per-query")
    assert set(data["method"]) >= METHOD
    assert set(data["method"]["rubric"]) >= {"name", "version", "fingerprint"}
    assert [one["system"] for one in data["systems"]] == ["a", "b"]
    for system in data["systems"]:
        assert [one["measure"] for one in system["measures"]] == ["nDCG@3", "nDCG@10"]
        for measure in system["measures"]:
            assert set(measure) >= {*MEASURE, "per_query"}
            assert set(measure["queries"]) >= {"scored", "undefined", "missing"}
            assert all(set(one) >= QUERY for one in measure["per_query"])


def test_json_has_no_queries_unless_asked(run: Run, small: Path) -> None:
    assert "per_query" not in scores(run)["systems"][0]["measures"][0]


@pytest.mark.parametrize("form", ["table", "json", "csv", "tsv", "markdown"])
@pytest.mark.parametrize("rubric", ["general", "dl-passage"])
def test_undefined_is_never_nan(run: Run, small: Path, form: str, rubric: str) -> None:
    run("rubric", "set", rubric)
    for words in ([], ["--per-query"]):
        result = run("score", "--format", form, "-m", "nDCG@2,P@1,R@5,RR@3,Hit@1", *words)
        assert result.code == 0
        assert "nan" not in result.out.lower()


def test_the_numbers_are_those_of_hand(run: Run, small: Path) -> None:
    [a, b] = scores(run, "-m", "nDCG@2", "--empty-ideal", "exclude")["systems"]
    assert a["measures"][0]["value"] is None
    assert a["measures"][0]["condensed"] == pytest.approx(1.0)
    assert b["measures"][0]["condensed"] == pytest.approx(1 / math.log2(3))


def test_measures_come_in_the_order_given_each_once(run: Run, small: Path) -> None:
    data = scores(run, "-m", "P@1,nDCG@10(gain=linear)", "-m", "P@1", "-m", "P@2(rel=2), RR@5")
    names = [one["measure"] for one in data["systems"][0]["measures"]]
    assert names == ["P@1", "nDCG@10(gain=linear)", "P@2(rel=2)", "RR@5"]


def test_options_travel_with_the_numbers(run: Run, small: Path) -> None:
    data = scores(
        run, "--gain", "0:1:2:5", "--threshold", "2", "--ties", "trec", "--empty-ideal", "zero",
        "--missing-queries", "exclude", "--system", "b", "--assessor", "labels",
    )  # fmt: skip
    method = data["method"]
    assert (method["gain"], method["threshold"], method["ties"]) == ("0:1:2:5", 2, "trec")
    assert (method["empty_ideal"], method["missing_queries"]) == ("zero", "exclude")
    assert method["assessors"] == ["labels"]
    assert [one["system"] for one in data["systems"]] == ["b"]


def test_a_number_that_is_open_is_marked_in_the_table(run: Run, demo: Path) -> None:
    table = run("-p", demo, "score", "-m", "P@5").out
    rows = {line.split()[0]: line for line in table.splitlines() if "%" in line and "]" in line}
    assert "lsa_200          ~" in rows["lsa_200"]
    assert "26 unjudged" in rows["lsa_200"]
    assert "~" not in rows["bm25_lucene"]
    assert "—" not in rows["bm25_lucene"]
    assert "gain exponential" in table
    assert max(map(len, table.splitlines())) <= 100


def test_csv_has_a_row_a_system_and_measure_at_full_precision(run: Run, demo: Path) -> None:
    data = scores(run, "-p", str(demo))
    rows = list(csv.DictReader(run("-p", demo, "score", "--format", "csv").out.splitlines()))
    assert len(rows) == 10
    for row in rows:
        [measure] = [
            one
            for system in data["systems"]
            if system["system"] == row["system"]
            for one in system["measures"]
            if one["measure"] == row["measure"]
        ]
        for key in ("value", "lower", "upper", "condensed", "zero_filled", "p10", "median"):
            assert (float(row[key]) if row[key] else None) == measure[key]
        assert row["method"] == data["method"]["fingerprint"]
        assert json.loads(row["worst"]) == [one["query"] for one in measure["worst"]]
        assert len(measure["worst"]) == 20


def test_the_worst_queries_come_with_their_texts_at_any_width(
    run: Run, demo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for width in ("60", "80", "100", "180"):
        monkeypatch.setenv("COLUMNS", width)
        out = run("-p", demo, "score").out
        assert "bootstrap 95%" in out
        assert "recent data on shock-induced" in out
        listed = run("-p", demo, "score", "-m", "P@5", "--worst", "7", "--system", "lsa_200").out
        assert len(re.findall(r"^(?:lsa_200)? +\d+ +~?0\.\d{4}.*[a-z]{4}", listed, re.M)) == 7


def test_the_method_goes_into_a_file_beside_rows_for_programs(run: Run, demo: Path) -> None:
    for words in (["score"], ["compare", "--all"], ["ceiling"], ["companions"]):
        done = run("-p", demo, *words, "--format", "csv", "--method", "made.json")
        made = json.loads(Path("made.json").read_text("utf-8"))
        assert {row["method"] for row in csv.DictReader(done.out.splitlines())} == {
            made["fingerprint"]
        }
        assert made["in_words"].endswith("annotator 0.1.0")
    Path("labels.json").write_text('{"a": 1}')
    refused = run("-p", demo, "score", "--method", "labels.json")
    assert (refused.code, refused.out) == (2, "")
    assert Path("labels.json").read_text() == '{"a": 1}'


def test_csv_of_queries_has_a_row_each(run: Run, demo: Path) -> None:
    words = ["score", "--format", "tsv", "--per-query", "-m", "nDCG@3"]
    rows = list(csv.DictReader(run("-p", demo, *words).out.splitlines(), delimiter="\t"))
    assert len(rows) == 5 * 40
    assert rows[0]["query"] == "5"


HOSTILE = ["=cmd()", "\x1b]0;gone\x07", "@SUM(1)", "\u202eevil", "<b>|x", "007"]


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("form", ["table", "json", "csv", "tsv", "markdown"])
def test_hostile_names_cannot_leave_their_cell(run: Run, small: Path, name: str, form: str) -> None:
    Path("c.run").write_text(f"q1 Q0 d1 1 5 c\n{name} Q0 d1 1 5 c\n", "utf-8")
    assert run("import", "run", "c.run", "--name", name).code == 0
    Path("more.jsonl").write_text(json.dumps({"_id": name, "text": "more"}))
    assert run("import", "queries", "more.jsonl").code == 0
    assert run("import", "run", "c.run", "--name", name, "--replace").code == 0
    for words in (["score", "--per-query"], ["status", "--per-query"]):
        result = run(*words, "--format", form)
        assert result.code == 0
        assert not set("\x1b\x07\u202e") & set(result.out + result.err)
        if form in ("csv", "tsv"):
            delimiter = "," if form == "csv" else "\t"
            for row in csv.reader(result.out.splitlines(), delimiter=delimiter):
                assert not row[0].startswith(("=", "@"))
        if name == "007":
            assert "007" in result.out
        if form == "json":
            assert json.dumps(name) in result.out


def test_scoring_never_loads_the_screens(demo: Path) -> None:
    script = (
        "import sys; from annotator.cli import main; main(['-p', sys.argv[1], 'score']);"
        "print('LOADED', *sys.modules)"
    )
    loaded = finished(start_python(script, demo.absolute())).split("LOADED")[1].split()
    assert "numpy" in loaded
    assert not {"textual", "rich"} & set(loaded)


def test_a_system_that_came_after_the_pool_is_expected_and_told_what_places_it(
    run: Run, small: Path
) -> None:
    Path("new.run").write_text("q1 Q0 d9 1 9 new\nq1 Q0 d1 2 8 new\nq2 Q0 d3 1 7 new\n")
    assert run("import", "run", "new.run").code == 0
    told = run("status").err
    assert "new is not in the pool: label 2 documents to place it" in told
    assert "pool takes them in" in told
    assert "leader on nDCG@10" in run("status").out
    found = json.loads(run("score", "-m", "nDCG@10", "--format", "json").out)
    pairs, systems = found["neighbours"], found["systems"]
    assert {one["verdict"] for one in pairs} <= {str(word) for word in Verdict}
    assert len(pairs) == len(systems) - 1
    [new] = [one["measures"][0] for one in systems if one["system"] == "new"]
    assert new["value"] is None
    assert new["lower"] <= new["expected95"][0] <= new["expected"] <= new["expected95"][1]
    assert new["expected95"][1] <= new["upper"]
    for query in new["worst"]:
        assert query["lower"] <= query["expected95"][0] <= query["expected"]
        assert query["expected"] <= query["expected95"][1] <= query["upper"]
