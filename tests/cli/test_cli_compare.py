"""Comparisons on the command line."""

from __future__ import annotations

import csv
import io
import json
import shlex
import sys
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from annotator.cli import output, progress
from rubric import holm
from tests.cli.conftest import Run
from tests.projects import finished, start_python

PAIR = {
    "first", "second", "measure", "value", "lower", "upper", "estimate", "zero_filled", "wins",
    "losses", "ties", "p", "p_holm", "ci95", "effect_size", "unjudged", "queries", "verdict",
    "largest_wins", "largest_losses",
}  # fmt: skip
QUERY = {"query", "value", "estimate", "lower", "upper", "unjudged"}
FORMS = ["table", "json", "csv", "tsv", "markdown"]


def only_next(err: str) -> bool:
    """Whether nothing is said but what to do next."""
    return not err or (err.startswith("next: annotator ") and err.count("\n") == 1)


def compared(run: Run, *words: object) -> dict[str, Any]:
    result = run("-p", "demo.db", "compare", *words, "--format", "json")
    assert (result.code, result.err) == (0, "")
    data: dict[str, Any] = json.loads(result.out, parse_constant=pytest.fail)
    return data


def test_two_systems_are_compared_on_both_default_measures(run: Run, demo: Path) -> None:
    data = compared(run, "lsa_200", "bm25_lucene", "--per-query")
    assert [one["measure"] for one in data["comparisons"]] == ["nDCG@3", "nDCG@10"]
    for one in data["comparisons"]:
        assert set(one) >= {*PAIR, "per_query"}
        assert set(one["per_query"][0]) >= QUERY
        assert len(one["per_query"]) == 40
        assert one["wins"] + one["losses"] + one["ties"] == one["queries"]["counted"]
        assert sum(query["unjudged"] for query in one["per_query"]) == one["unjudged"]
        assert one["value"] is None
        assert one["lower"] < one["upper"]
        assert one["p_holm"] is None


def test_numbers_agree_with_the_scoreboard(run: Run, demo: Path) -> None:
    [one] = compared(run, "lsa_200", "bm25_lucene", "-m", "P@5")["comparisons"]
    scores = json.loads(run("-p", demo, "score", "-m", "P@5", "--format", "json").out)
    by_name = {row["system"]: row["measures"][0] for row in scores["systems"]}
    lsa, bm25 = by_name["lsa_200"], by_name["bm25_lucene"]
    assert one["zero_filled"] == pytest.approx(lsa["zero_filled"] - bm25["zero_filled"])
    assert one["lower"] >= lsa["lower"] - bm25["upper"] - 1e-12
    assert one["upper"] <= lsa["upper"] - bm25["lower"] + 1e-12


def test_a_turned_comparison_is_the_mirror_image(run: Run, demo: Path) -> None:
    [one] = compared(run, "lsa_200", "bm25_lucene", "-m", "nDCG@10")["comparisons"]
    [other] = compared(run, "bm25_lucene", "lsa_200", "-m", "nDCG@10")["comparisons"]
    assert (one["lower"], one["upper"]) == pytest.approx((-other["upper"], -other["lower"]))
    assert (one["wins"], one["losses"]) == (other["losses"], other["wins"])
    assert one["p"] == other["p"]
    assert [x["query"] for x in one["largest_wins"]] == [
        x["query"] for x in other["largest_losses"]
    ]


def test_the_table_says_what_is_not_decided_and_marks_estimates(run: Run, demo: Path) -> None:
    result = run("-p", demo, "compare", "lsa_200", "bm25_lucene", "-m", "nDCG@10")
    text = " ".join(result.out.split())
    assert "more labels: perhaps" in text
    assert "labels and 74 unjudged documents." in text
    assert "For queries like these in general, from estimates: p = ~" in text
    assert "value —" in text
    assert "expected ~" in text
    assert "P(first better) 0." in text
    assert "exact up to 12 queries, else (b + 1) / (n + 1) with n = 9,999" in text
    assert max(map(len, result.out.splitlines())) <= 100


def test_the_same_question_has_the_same_answer(run: Run, demo: Path) -> None:
    words = ("-p", demo, "compare", "lsa_200", "tfidf_cosine", "--format", "json")
    assert run(*words).out == run(*words).out


def test_all_pairs_are_adjusted_together_on_one_measure(run: Run, demo: Path) -> None:
    pairs = compared(run, "--all")["comparisons"]
    assert len(pairs) == 10
    assert {one["measure"] for one in pairs} == {"nDCG@10"}
    assert [one["p_holm"] for one in pairs] == holm([one["p"] for one in pairs])
    [alone] = compared(run, pairs[3]["first"], pairs[3]["second"], "-m", "nDCG@10")["comparisons"]
    assert {key: alone[key] for key in ("lower", "upper", "p")} == {
        key: pairs[3][key] for key in ("lower", "upper", "p")
    }


def test_a_terminal_is_told_how_many_pairs_there_are_and_how_far_it_is(
    run: Run, demo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    quiet = run("compare", "-p", demo, "--all", "-m", "P@5")
    assert quiet.err == ""
    monkeypatch.setattr(output, "has_status", lambda: True)
    monkeypatch.setattr(progress, "FIRST_AFTER", 0.0)
    monkeypatch.setattr(progress, "EVERY", 0.0)
    told = run("compare", "-p", demo, "--all", "-m", "P@5")
    assert told.out == quiet.out
    assert told.err.startswith("\r\x1b[K10 pairs of systems to compare")
    assert "9 of 10 pairs" in told.err
    assert told.err.endswith("left\r\x1b[K")


def test_systems_are_scored_once_however_many_pairs_they_are_in(
    run: Run, demo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def never(*_: object) -> None:
        raise AssertionError("scored again for a pair")

    monkeypatch.setattr("rubric.results.comparison.evaluate", never)
    assert run("compare", "-p", demo, "--all").code == 0


def test_a_matrix_of_named_systems(run: Run, demo: Path) -> None:
    words = ("--all", "-m", "P@5", "--system", "bm25_lucene", "--system", "tfidf_cosine")
    out = run("-p", demo, "compare", *words).out
    assert "P@5, differences" in out
    assert "lsa_200" not in out
    assert out.startswith("bm25_lucene comes first of 2 systems: ahead of 1 of the others.")
    assert "bm25_lucene is ahead of tfidf_cosine on P@5" in " ".join(out.split())
    assert "!" in out
    assert "Adjusted p" in out


def test_csv_has_a_row_a_pair_and_a_row_a_query(run: Run, demo: Path) -> None:
    words = ["-p", demo, "compare", "--all", "--format", "csv"]
    rows = list(csv.DictReader(run(*words).out.splitlines()))
    assert len(rows) == 10
    assert rows[0]["verdict"]
    made = json.loads(run(*words[:-1], "json").out)["method"]
    assert rows[0]["method"] == made["fingerprint"]
    queries = list(csv.DictReader(run(*words, "--per-query").out.splitlines()))
    assert len(queries) == 400
    assert set(queries[0]) >= {"first", "second", "measure", *QUERY, "method"}


def test_options_travel_with_the_numbers(run: Run, small: Path) -> None:
    result = run(
        "compare", "a", "b", "--gain", "linear", "--threshold", "2", "--ties", "trec",
        "--empty-ideal", "zero", "--missing-queries", "exclude", "--assessor", "labels",
        "--format", "json",
    )  # fmt: skip
    method = json.loads(result.out)["method"]
    assert (method["gain"], method["threshold"], method["ties"]) == ("linear", 2, "trec")
    assert (method["empty_ideal"], method["missing_queries"]) == ("zero", "exclude")
    assert (method["assessors"], method["seed"]) == (["labels"], 0)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["a"], "a comparison is of two systems, not 1"),
        (["a", "b", "c"], "not 3"),
        (["a", "a"], "a cannot be compared with itself"),
        (["a", "gone"], "no system gone in the project; there are: a, b"),
        (["a", "b", "--system", "a"], "--system goes with --all"),
        (["a", "--all"], "--all takes no names"),
        (["--all", "-m", "P@1,P@2"], "--all is on one measure, not 2"),
        (["--all", "--system", "a"], "only a is there"),
        (["--all", "--per-query"], "--per-query goes with two systems"),
        (["a", "b", "-m", "RR", "--ties", "average"], "ties can be averaged"),
        (["a", "b", "--threshold", "9"], "has no grade 9"),
    ],
)
def test_what_cannot_be_compared_is_said_in_a_line(
    run: Run, small: Path, words: list[str], message: str
) -> None:
    result = run("compare", *words)
    assert (result.code, result.out) == (2, "")
    assert message in result.err
    assert "Traceback" not in result.err


def test_a_wrong_name_gets_the_nearest(run: Run, demo: Path) -> None:
    result = run("-p", demo, "compare", "lsa", "bm25")
    assert result.code == 2
    assert "(did you mean lsa_200?)" in result.err


@pytest.mark.parametrize("name", ["=cmd()", "\x1b]0;gone\x07", "\u202eevil", "<b>|x"])
@pytest.mark.parametrize("form", FORMS)
def test_hostile_names_cannot_leave_their_cell(run: Run, small: Path, name: str, form: str) -> None:
    Path("more.jsonl").write_text(json.dumps({"_id": name, "text": "more"}))
    Path("c.run").write_text(f"q1 Q0 d1 1 5 c\n{name} Q0 d1 1 5 c\n", "utf-8")
    Path("rel.txt").write_text(f"q1 0 d1 2\n{name} 0 d1 1\n", "utf-8")
    assert run("import", "queries", "more.jsonl").code == 0
    assert run("import", "run", "c.run", "--name", name).code == 0
    assert run("import", "qrels", "rel.txt").code == 0
    for words in (["a", name], ["a", name, "--per-query"], ["--all"]):
        result = run("compare", *words, "--format", form)
        assert result.code == 0
        assert only_next(result.err)
        assert not set("\x1b\x07\u202e") & set(result.out + result.err)
        if form in ("csv", "tsv"):
            reader = csv.reader(result.out.splitlines(), delimiter="," if form == "csv" else "\t")
            assert not any(cell.startswith("=") for row in reader for cell in row)


def test_comparing_never_loads_the_screens(demo: Path) -> None:
    script = (
        "import sys; from annotator.cli import main; main(['-p', sys.argv[1], 'compare', '--all']);"
        "print('LOADED', *sys.modules)"
    )
    loaded = finished(start_python(script, demo.absolute())).split("LOADED")[1].split()
    assert not {"textual", "rich"} & set(loaded)


def test_queries_that_a_system_did_not_answer_may_be_left_out(run: Run, folder: Path) -> None:
    Path("a.run").write_text("q1 Q0 d1 1 9 a\nq2 Q0 d1 1 9 a\n")
    Path("b.run").write_text("q2 Q0 d2 1 9 b\nq3 Q0 d2 1 9 b\n")
    Path("c.run").write_text("q3 Q0 d1 1 9 c\n")
    run("init")
    assert run("import", "run", "a.run", "b.run", "c.run").code == 0
    words = ("compare", "--all", "--missing-queries", "exclude", "--format", "json", "--per-query")
    pairs = json.loads(run(*words).out)["comparisons"]
    queries = {one["first"] + one["second"]: one["per_query"] for one in pairs}
    assert [one["query"] for one in queries["ab"]] == ["q2"]
    assert [one["query"] for one in queries["bc"]] == ["q3"]
    assert queries["ac"] == []
    for form in FORMS:
        result = run("compare", "a", "c", "--missing-queries", "exclude", "--format", form)
        assert result.code == 0
        assert only_next(result.err)
    assert "defined for none of these queries" in run(*words[:1], "a", "c", *words[2:4]).out


@pytest.mark.parametrize("form", FORMS)
def test_without_any_label_nothing_is_decided(run: Run, folder: Path, form: str) -> None:
    Path("a.run").write_text("q1 Q0 d1 1 9 a\n")
    Path("b.run").write_text("q1 Q0 d2 1 9 b\n")
    run("init")
    assert run("import", "run", "a.run", "b.run").code == 0
    for words in (["compare", "a", "b"], ["compare", "--all"], ["ceiling"], ["companions"]):
        result = run(*words, "--format", form)
        assert result.code == 0
        assert only_next(result.err)
        assert "nan" not in result.out.lower().replace("annotator", "")


@pytest.mark.parametrize(
    ("pair", "wanted", "code"),
    [
        (("bm25_lucene", "ql_dirichlet"), "proved", 0),
        (("bm25_lucene", "ql_dirichlet"), "credible", 0),
        (("ql_dirichlet", "bm25_lucene"), "credible", 1),
        (("lsa_200", "bm25_lucene"), "credible", 1),
    ],
)
def test_a_build_fails_unless_the_first_is_better_and_surely_so(
    run: Run, demo: Path, pair: tuple[str, str], wanted: str, code: int
) -> None:
    words = ("-p", demo, "compare", *pair, "-m", "nDCG@10", "--fail-unless", wanted)
    result = run(*words)
    assert result.code == code
    assert ("fails: it is credible that" in result.err) == bool(code)
    assert "Traceback" not in result.err


def test_a_demand_goes_with_two_systems(run: Run, demo: Path) -> None:
    result = run("-p", demo, "compare", "--all", "--fail-unless", "proved")
    assert result.code == 2
    assert "--fail-unless and --fail-if-worse go with two systems" in result.err


@pytest.mark.parametrize("form", FORMS)
def test_bounds_that_no_grading_may_reach_are_called_loose_beside_the_number(
    run: Run, demo: Path, form: str
) -> None:
    words = ("-p", demo, "compare", "lsa_200", "bm25_lucene", "--per-query", "--format", form)
    loose = run(*words, "-m", "bpref").out
    assert "loose" in loose
    assert "loose" not in run(*words, "-m", "nDCG@10").out
    if form in ("table", "markdown"):
        bounds = [line for line in loose.splitlines() if "[lower, upper]" in line]
        assert any("(loose)" in line for line in bounds)
        assert "loose bounds hold, but no grading may reach them" in " ".join(loose.split())


def test_whether_bounds_are_exact_is_a_key_of_every_row(run: Run, demo: Path) -> None:
    for measure, said in (("bpref", "loose"), ("AP@10", "exact"), ("ERR@10", "exact")):
        [one] = compared(run, "lsa_200", "bm25_lucene", "-m", measure, "--per-query")["comparisons"]
        assert one["bounds"] == said
        assert said in {query["bounds"] for query in one["per_query"]}
        words = ("compare", "lsa_200", "bm25_lucene", "-m", measure, "--format", "csv")
        [row] = csv.DictReader(run("-p", demo, *words).out.splitlines())
        assert row["bounds"] == said
    listed = json.loads(run("rubric", "measures", "--format", "json").out)
    by_name = {row["measure"]: row["difference"] for row in listed}
    assert "loose" in by_name["bpref"]
    assert by_name["nDCG[@k]"] == "exact"


@pytest.mark.parametrize("like", [None, "trec_eval", "ir_measures", "ranx", "sklearn"])
def test_a_run_is_equal_to_its_own_copy_under_every_rule(
    run: Run, folder: Path, like: str | None
) -> None:
    Path("x.qrels").write_text("1 0 a 3\n1 0 b 0\n2 0 c -1\n3 0 d 0\n")
    rows = "".join(
        f"{qid} Q0 {docid} {rank} {9 - rank // 2} t\n"
        for qid in "123"
        for rank, docid in enumerate("uavbwcx", start=1)
    )
    Path("one.run").write_text(rows)
    Path("two.run").write_text(rows)
    measures = "nDCG@3,nDCG@10,R@3,P@3,RBP"
    if like != "sklearn":  # which averages over ties
        measures += ",RR@3,AP@3,AP,Hit@3,ERR@3,F@3,Rprec,bpref,infAP"
    words = ["compare", "--qrels", "x.qrels", "one.run", "two.run", "-m", measures]
    data = json.loads(run(*words, *(["--like", like] if like else []), "--format", "json").out)
    for one in data["comparisons"]:
        assert (one["verdict"], one["lower"], one["upper"]) == ("equal", 0.0, 0.0), one["measure"]
        assert one["bounds"] == "exact"


def next_of(run: Run, *words: object) -> list[str]:
    """The words of the command that is to be typed next."""
    err = run(*words).err
    assert only_next(err)
    return shlex.split(err.partition("  ")[0])[2:] if err else []


def test_the_next_step_is_a_command_that_works(
    run: Run, demo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps = {
        tuple(next_of(run, "-p", demo, "compare", *pair, "-m", measure))
        for pair in combinations(("lsa_200", "bm25_lucene", "tfidf_cosine"), 2)
        for measure in ("nDCG@3", "nDCG@10", "AP")
    }
    steps.add(tuple(next_of(run, "-p", demo, "compare", "--all")))
    steps.add(tuple(next_of(run, "-p", demo, "status")))
    kinds = {step[2] for step in steps if step}
    assert {"grade", "diff"} <= kinds
    for step in sorted(steps):
        monkeypatch.setattr(sys, "stdin", io.StringIO(""))
        more = {"grade": ("--plain", "--assessor", "ann"), "import": ("--help",)}
        assert not step or run(*step, *more.get(step[2], ())).code == 0


def test_where_all_that_is_pooled_is_judged_the_next_step_pools_more(run: Run, small: Path) -> None:
    Path("all.txt").write_text("q1 0 d1 2\nq1 0 d2 0\nq2 0 d3 1\nq2 0 d4 1\n")
    assert run("import", "qrels", "all.txt").code == 0
    Path("c.run").write_text("q1 Q0 d9 1 9 c\nq2 Q0 d3 1 7 c\n")
    assert run("import", "run", "c.run").code == 0
    step = next_of(run, "compare", "a", "c")
    assert step[0] == "pool"
    assert run(*step).code == 0
    assert next_of(run, "compare", "a", "c")[0] == "grade"
