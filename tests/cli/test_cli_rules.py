"""Rules for builds: exit codes by what the labels can tell, checked against every grading."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest
from defusedxml.ElementTree import parse

from rubric import score
from tests.cli.conftest import Run
from tests.projects import qrels_lines, run_lines

TOP = {"a": {"q1": ["d1", "d2", "d3"], "q2": ["d1", "d4"]}, "b": {"q1": ["d3"], "q2": ["d4", "d1"]}}
GRADES = {("q1", "d1"): 3, ("q1", "d2"): 1, ("q2", "d4"): 2}
OPEN = [("q1", "d3"), ("q2", "d1")]
LIMITS = [0.0, 0.1, 0.3, 0.5, 0.6, 0.7, 0.75, 0.8, 0.9, 0.95, 1.0, 1.1]
FILES = ("--qrels", "labels.txt", "--run", "a.run", "b.run")


@pytest.fixture(autouse=True)
def files(folder: Path) -> None:
    """Two runs with two documents that nobody judged."""
    for name, rankings in TOP.items():
        (folder / f"{name}.run").write_text(run_lines(rankings))
    (folder / "labels.txt").write_text(qrels_lines(GRADES))


def worlds(name: str, measure: str) -> list[float]:
    """A system's mean under every grading of what is not judged."""
    found = []
    for grades in product(range(4), repeat=len(OPEN)):
        qrels: dict[str, dict[str, int]] = {}
        for (qid, docid), grade in [*GRADES.items(), *zip(OPEN, grades, strict=True)]:
            qrels.setdefault(qid, {})[docid] = grade
        found.append(float(score(qrels, TOP[name], [measure], top=3)[measure].zero_filled.mean()))
    return found


def expected(lowest: float, highest: float, limit: float) -> int:
    """The exit code that holds whatever the missing grades are; 5 where they decide."""
    return 0 if lowest >= limit else 1 if highest < limit else 5


@pytest.mark.parametrize("measure", ["nDCG@3", "P@2", "RR@3"])
def test_a_score_is_high_enough_only_if_it_is_whatever_the_missing_grades(
    run: Run, measure: str
) -> None:
    found = {name: worlds(name, measure) for name in TOP}
    for limit in LIMITS:
        codes = [expected(min(one), max(one), limit) for one in found.values()]
        code = 1 if 1 in codes else max(codes)
        result = run("score", *FILES, "--fail-under", f"{measure}={limit}")
        assert result.code == code, (limit, result.err)
        assert result.err.count("fails: ") == codes.count(1)
        assert result.err.count("not enough labels to tell: ") == codes.count(5)


@pytest.mark.parametrize("margin", [0.0, 0.05, 0.2, 0.5, 0.9])
@pytest.mark.parametrize("pair", [("a", "b"), ("b", "a")])
def test_a_system_is_no_worse_only_if_it_is_not_whatever_the_missing_grades(
    run: Run, pair: tuple[str, str], margin: float
) -> None:
    first, second = (worlds(name, "nDCG@3") for name in pair)
    apart = [one - other for one, other in zip(first, second, strict=True)]
    code = expected(min(apart), max(apart), -margin)
    runs = [f"{name}.run" for name in pair]
    words = ("compare", "--qrels", "labels.txt", *runs, "-m", "nDCG@3", "--fail-if-worse")
    result = run(*words, "--margin", margin)
    assert result.code == code, result.err


def test_what_is_not_known_says_how_many_labels_would_tell(run: Run) -> None:
    words = ("score", *FILES[:4], "--fail-under")
    result = run(*words, "nDCG@3=0.9")
    assert result.code == 5
    assert "at most 2 more labels would tell" in result.err
    Path("labels.txt").write_text(qrels_lines({**GRADES, OPEN[0]: 3, OPEN[1]: 3}))
    assert run(*words, "nDCG@3=0.9").code == 0


@pytest.mark.parametrize(("judged", "told"), [(range(4), False), (range(20), True)])
def test_an_estimate_passes_no_rule_on_labels_of_few_queries(
    run: Run, judged: range, told: bool
) -> None:
    found = {f"q{at}": [f"d{at}-{rank}" for rank in range(1, 11)] for at in range(40)}
    Path("long.run").write_text(run_lines(found))
    few = {
        (f"q{at}", f"d{at}-{rank}"): (3 if rank < 8 else 0)
        for at in judged
        for rank in range(1, 11)
    }
    Path("few.txt").write_text(qrels_lines({**few, **{(f"q{at}", "other"): 1 for at in range(40)}}))
    result = run("score", "--qrels", "few.txt", "--run", "long.run", "--fail-under", "P@10=0.3")
    assert len(few) >= 30
    assert result.code == (0 if told else 5), result.err


def test_the_demo_tells_how_many_labels_a_comparison_takes(run: Run, demo: Path) -> None:
    words = ("compare", "lsa_200", "bm25_lucene", "-m", "nDCG@10", "--fail-if-worse")
    result = run("-p", demo, *words, "--margin", "0")
    assert result.code == 5
    assert "more labels would tell" in result.err
    assert run("-p", demo, *words).code == 0
    turned = ("compare", "ql_dirichlet", "bm25_lucene", *words[3:])
    assert run("-p", demo, *turned).code == 1


def test_a_build_server_reads_every_rule(run: Run) -> None:
    words = ("--fail-under", "nDCG@3=0.1", "--fail-under", "P@2=0.95", "--junit", "rules.xml")
    result = run("score", *FILES, *words)
    suite = next(iter(parse("rules.xml").getroot() or []))
    counts = {key: int(suite.attrib[key]) for key in ("tests", "failures", "skipped", "errors")}
    cases = list(suite)
    assert counts["tests"] == len(cases) == 4
    for tag, key in (("failure", "failures"), ("skipped", "skipped")):
        assert counts[key] == sum(one.find(tag) is not None for one in cases)
    assert counts["failures"] == result.err.count("fails: ")
    assert run("score", *FILES, *words).code == result.code  # the file is its own: it is replaced


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["score", *FILES, "--fail-under", "0.4"], "expected a measure and a number"),
        (["score", *FILES, "--fail-under", "nDCG@3=high"], "such as nDCG@10=0.45"),
        (["score", *FILES, "--fail-under", "nDCG@3=nan"], "such as nDCG@10=0.45"),
        (["score", *FILES, "--junit", "x.xml"], "--junit is for rules"),
        (["score", *FILES, "--explain", "q1", "--fail-under", "P@1=1"], "--explain is of one"),
        (["compare", *FILES, "--all", "--fail-if-worse"], "go with two systems"),
        (["score", "--models", "--fail-under", "P@1=1"], "leave --models or --fail-under out"),
        (["compare", "a", "b", "--models", "--fail-if-worse"], "leave --models or"),
        (["score", *FILES, "--fail-under", "P@1=1", "--junit", "labels.txt"], "is there already"),
    ],
)
def test_a_rule_that_cannot_be_read_is_said_in_a_line(
    run: Run, words: list[str], message: str
) -> None:
    result = run(*words)
    assert result.code == 2
    assert message in result.err


@pytest.mark.parametrize("name", ["<b>&\"'", "\x1b]0;x\x07", "\u202eevil\ufffe"])
def test_no_name_breaks_the_xml(run: Run, small: Path, name: str) -> None:
    assert run("import", "run", "a.run", "--name", name).code == 0
    run("score", "--fail-under", "P@1=0.5", "--junit", "rules.xml")
    assert parse("rules.xml").getroot() is not None
