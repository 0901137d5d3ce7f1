"""``plan``: what is left to do for each thing one may want to know."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from annotator.actions import judged_pool as pools
from annotator.actions.plans import plan
from annotator.actions.standing import load_standing
from annotator.report.standing_text import standing_sentences
from annotator.store import Project
from rubric.choose.forecast import forecast
from tests.cli.conftest import Run
from tests.projects import begin, open_project, run_lines, write


@pytest.fixture(autouse=True)
def brief(monkeypatch: pytest.MonkeyPatch) -> None:
    """Few worlds are enough here."""
    monkeypatch.setattr(
        pools, "forecast", lambda *given, **more: forecast(*given, **more, worlds=2)
    )


def planned(run: Run, *words: object) -> dict[str, Any]:
    result = run("plan", *words, "--format", "json")
    assert (result.code, result.err) == (0, "")
    data: dict[str, Any] = json.loads(result.out, parse_constant=pytest.fail)
    return data


def test_full_coverage_is_counted_and_verdicts_are_forecast(run: Run, demo: Path) -> None:
    found = planned(run, "-p", demo, "lsa_200", "bm25_lucene")
    assert (found["judged"], found["left"]) == (793, 74)
    coverage, verdict, best = found["goals"]
    assert (coverage["labels"], coverage["fewest"], coverage["order"]) == (74, 74, "depth")
    assert verdict["goal"] == "verdict on lsa_200 and bm25_lucene"
    assert verdict["order"] == "decide lsa_200 bm25_lucene"
    for goal in (verdict, best):
        assert 0 <= goal["fewest"] <= goal["labels"] <= goal["most"] <= 74


def test_the_labels_to_a_verdict_are_the_same_wherever_they_are_told(run: Run, demo: Path) -> None:
    systems = ("lsa_200", "bm25_lucene")
    goal = planned(run, "-p", demo, *systems)["goals"][1]
    text = run("compare", "-p", demo, *systems, "-m", "nDCG@10", "--format", "json").out
    (compared,) = json.loads(text)["comparisons"]
    told = [compared[key] for key in ("more_labels", "more_labels_low", "more_labels_high")]
    assert [goal["labels"], goal["fewest"], goal["most"]] == told
    labels, fewest, most = told
    key = standing_sentences(load_standing(open_project(demo), "decide", systems))[-1]
    assert f"about {labels} more labels ({fewest} to {most})" in key
    for words in (("status",), ("score", "-m", "nDCG@10"), ("compare", *systems, "-m", "nDCG@10")):
        said = run(*words[:1], "-p", demo, *words[1:]).out
        assert f"about {fewest} to {most} more labels" in " ".join(said.split())


@pytest.mark.parametrize("measure", ["nDCG@3", "P@5", "RR@10"])
def test_goals_are_of_the_measure_that_is_asked_for(run: Run, demo: Path, measure: str) -> None:
    systems = ("lsa_200", "bm25_lucene")
    found = planned(run, "-p", demo, *systems, "-m", measure)
    assert found["measure"] == measure
    orders = [goal["order"] for goal in found["goals"]]
    assert orders == ["depth", f"decide lsa_200 bm25_lucene -m {measure}", f"best -m {measure}"]
    text = run("compare", "-p", demo, *systems, "-m", measure, "--format", "json").out
    (compared,) = json.loads(text)["comparisons"]
    assert found["goals"][1]["reached"] == (compared["verdict"] != "open")
    if compared["verdict"] == "open":
        assert found["goals"][1]["labels"] == compared["more_labels"]
    assert f"Verdicts are on {measure}" in run("plan", "-p", demo, "-m", measure).out.replace(
        "\n", " "
    )


def test_depth_beyond_the_pool_counts_what_is_not_pooled(run: Run, demo: Path) -> None:
    assert planned(run, "-p", demo, "-k", 20)["goals"][0]["labels"] > 74
    assert planned(run, "-p", demo, "-k", 1)["goals"][0]["labels"] < 74


def test_what_is_not_pooled_yet_is_told(run: Run, demo: Path) -> None:
    assert planned(run, "-p", demo)["unpooled"] == 0
    late = write(demo.with_name("late.run"), run_lines({"5": ["new-1", "new-2"]}))
    assert run("import", "run", "-p", demo, late).code == 0
    found = planned(run, "-p", demo)
    assert (found["left"], found["unpooled"]) == (74, 2)
    text = " ".join(run("plan", "-p", demo).out.split())
    assert "2 documents are not pooled: `annotator pool`" in text


def test_the_pace_is_the_assessors_own_else_everybodys_else_assumed(run: Run, small: Path) -> None:
    assert planned(run, "--assessor", "ann")["timed"] == 0
    text = run("plan", "--assessor", "ann").out
    assert "20 s a judgment, assumed" in " ".join(text.split())
    project = open_project(small)
    times = iter(range(0, 10_000, 7))
    session = begin(project)
    session._clock = lambda: float(next(times))
    for _ in range(6):
        assert session.card
        session.grade(session.card.pair, 1)
        session.undo()
    found = planned(run, "--assessor", "ann")
    assert found["timed"] == 6
    assert found["goals"][0]["seconds"] == found["pace"] * found["goals"][0]["labels"]
    assert planned(run, "--assessor", "zoe")["pace"] == found["pace"]
    told = f"{found['pace']:.1f} s a judgment"
    assert told in run("plan").out
    assert told in run("status").out


@pytest.mark.parametrize("form", ["csv", "tsv", "markdown"])
def test_each_form_names_every_goal(run: Run, small: Path, form: str) -> None:
    result = run("plan", "a", "b", "--format", form)
    assert result.code == 0
    for goal in ("every top 10 judged", "verdict on a and b", "best system, to within 0.01"):
        assert goal in result.out


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("-m", "AP"), "no order decides on AP"),
        (("-m", "nonsense"), "nonsense"),
        (("a",), "two systems"),
        (("a", "a"), "two systems"),
        (("a", "zzz"), "no system zzz"),
    ],
)
def test_systems_that_make_no_pair_are_refused(
    run: Run, small: Path, words: tuple[str, ...], why: str
) -> None:
    result = run("plan", *words)
    assert result.code == 2
    assert why in result.err


def test_without_a_pool_the_next_step_is_named(run: Run) -> None:
    run("init")
    result = run("plan")
    assert (result.code, result.out) == (2, "")
    assert "`annotator pool`" in result.err


def test_what_takes_too_long_is_left_and_said(small: Path) -> None:
    project: Project = open_project(small)
    times = iter(range(1000))
    made = plan(project, patience=0, clock=lambda: float(next(times)))
    more = made.goals[-1].more
    assert more is not None
    assert (more.labels, more.unfinished) == (None, 1)
