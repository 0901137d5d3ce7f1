"""``disagreement``: what becomes of the answer by whose labels it is computed."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from annotator.scoring import choices
from rubric import score
from tests.cli.conftest import Run
from tests.projects import run_lines

RUNS = {
    "a": {"q1": ["d1", "d2", "d3"], "q2": ["d4", "d5"], "q3": ["d7", "d8"]},
    "b": {"q1": ["d3", "d4", "d1"], "q2": ["d5", "d6"], "q3": ["d8", "d9"]},
    "c": {"q1": ["d2", "d1"], "q2": ["d6", "d4"], "q3": ["d9", "d7"]},
}
POOLED = {
    qid: sorted({docid for run in RUNS.values() for docid in run[qid]})
    for qid in ("q1", "q2", "q3")
}
ANN = {"q1": {"d1": 3, "d2": 0, "d3": 1, "d4": 0}, "q2": {"d4": 2, "d5": 1, "d6": 0}}
BEN = {"q1": {"d1": 1, "d2": 2, "d3": 1}, "q2": {"d4": 0, "d5": 1}, "q3": {"d7": 1, "d8": 0}}
CLEO = {"q1": {"d1": 2}, "q3": {"d7": 0, "d8": 0, "d9": 2}}

PEOPLE = {"ann": ANN, "ben": BEN, "cleo": CLEO}
Labels = dict[str, dict[str, int]]


@pytest.fixture
def project(run: Run, folder: Path) -> Path:
    """Three systems on three queries, labels of three people, the latest cleo's."""
    (folder / "queries.tsv").write_text("".join(f"{qid}\ttext of {qid}\n" for qid in POOLED))
    assert run("init").code == 0
    assert run("import", "queries", "queries.tsv").code == 0
    for name, rankings in RUNS.items():
        (folder / f"{name}.run").write_text(run_lines(rankings))
    assert run("import", "run", *(f"{name}.run" for name in RUNS)).code == 0
    assert run("pool").code == 0
    for who, labels in PEOPLE.items():
        text = "".join(
            f"{qid} 0 {docid} {grade}\n"
            for qid, grades in labels.items()
            for docid, grade in grades.items()
        )
        (folder / f"{who}.qrels").write_text(text)
        assert run("import", "qrels", f"{who}.qrels", "--assessor", who).code == 0
    return folder / "judgments.db"


def looked(run: Run, *words: object) -> dict[str, Any]:
    result = run("disagreement", *words, "--format", "json")
    assert result.code == 0, result.err
    data: dict[str, Any] = json.loads(result.out, parse_constant=pytest.fail)
    return data


def mean(labels: Labels, system: str, measure: str) -> float:
    each = score(labels, RUNS[system], measure, top=3)[measure].zero_filled
    return float(np.nanmean(each)) if not np.isnan(each).all() else float("nan")


def choosable(*people: str) -> dict[tuple[str, str], list[int]]:
    """The grades that each pooled document can have: those that were given, or any."""
    given: dict[tuple[str, str], set[int]] = {
        (qid, docid): set() for qid, docids in POOLED.items() for docid in docids
    }
    for who in people:
        for qid, grades in PEOPLE[who].items():
            for docid, grade in grades.items():
                given[qid, docid].add(grade)
    return {pair: sorted(grades) or [0, 1, 2, 3] for pair, grades in given.items()}


def differences(first: str, second: str, measure: str, *people: str) -> list[float]:
    """The difference of two systems under every choice."""
    every = choosable(*people)
    found = []
    for grades in product(*every.values()):
        labels: Labels = {}
        for (qid, docid), grade in zip(every, grades, strict=True):
            labels.setdefault(qid, {})[docid] = grade
        found.append(mean(labels, first, measure) - mean(labels, second, measure))
    return [one for one in found if one == one]


@pytest.mark.parametrize("people", [("ann", "ben", "cleo"), ("ann", "ben"), ("ben", "cleo")])
@pytest.mark.parametrize("measure", ["nDCG@2", "P@2", "RR@3"])
def test_whoever_is_right_the_difference_is_within_bounds_that_some_choice_reaches(
    run: Run, project: Path, measure: str, people: tuple[str, ...]
) -> None:
    named = [word for who in people for word in ("--assessor", who)]
    for pair in looked(run, "-m", measure, *named)["pairs"]:
        every = differences(pair["first"], pair["second"], measure, *people)
        assert pair["bounds"] == "exact"
        assert (pair["lower"], pair["upper"]) == pytest.approx((min(every), max(every)))
        assert pair["holds_whoever_is_right"] == (min(every) > 1e-9)


def test_beyond_the_choices_that_are_tried_bounds_are_sound_and_called_loose(
    run: Run, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    exact = {(one["first"], one["second"]): one for one in looked(run, "-m", "nDCG@2")["pairs"]}
    monkeypatch.setattr(choices, "MOST", 2)
    for one in looked(run, "-m", "nDCG@2")["pairs"]:
        tight = exact[one["first"], one["second"]]
        assert one["bounds"] == "loose"
        assert one["lower"] <= tight["lower"] + 1e-9
        assert one["upper"] >= tight["upper"] - 1e-9
    assert " loose" in run("disagreement", "-m", "nDCG@2").out


def test_each_way_to_label_scores_as_a_file_with_these_labels(
    run: Run, project: Path, folder: Path
) -> None:
    latest = {qid: dict[str, int]() for qid in POOLED}
    for labels in PEOPLE.values():
        for qid, grades in labels.items():
            latest[qid] |= grades
    every = choosable(*PEOPLE)
    ends = {
        name: {qid: {d: end(every[q, d]) for q, d in every if q == qid} for qid in POOLED}
        for name, end in (("the strictest", min), ("the most generous", max))
    }
    ways = {f"{who} alone": labels for who, labels in PEOPLE.items()} | ends
    found = looked(run, "-m", "nDCG@3")
    assert [one["name"] for one in found["labellings"]] == [
        *("the labels that hold", "ann alone", "ben alone", "cleo alone"),
        *("the strictest", "the most generous"),
    ]
    for one in found["labellings"]:
        labels = ways.get(one["name"], latest)
        assert one["labels"] == sum(map(len, labels.values()))
        for system in one["systems"]:
            if one["labels"] == len(every):
                assert system["point"] == pytest.approx(mean(labels, system["system"], "nDCG@3"))
            assert system["lower"] <= mean_with_zeros(labels, system["system"]) <= system["upper"]
    assert (found["judged_twice"], found["disputed"]) == (7, 4)


def mean_with_zeros(labels: Labels, system: str) -> float:
    """With every open document graded 0; undefined queries left out."""
    whole = {qid: dict.fromkeys(docids, 0) | labels.get(qid, {}) for qid, docids in POOLED.items()}
    return mean(whole, system, "nDCG@3")


def test_drawn_sets_take_each_query_from_one_of_its_assessors(run: Run, project: Path) -> None:
    """Q1 has three assessors, q2 two and q3 two: twelve sets, each as likely in its query."""
    found = looked(run, "-m", "P@2")
    latest: Labels = {}
    for labels in PEOPLE.values():
        for qid, grades in labels.items():
            latest.setdefault(qid, {}).update(grades)
    people = {qid: [who for who, one in PEOPLE.items() if qid in one] for qid in POOLED}
    for pair in found["pairs"]:
        ahead = []
        for chosen in product(*people.values()):
            labels = {
                qid: latest[qid] | PEOPLE[who][qid] for qid, who in zip(people, chosen, strict=True)
            }
            apart = mean(labels, pair["first"], "P@2") - mean(labels, pair["second"], "P@2")
            ahead.append(apart > 1e-12)
        assert len(ahead) == 12
        assert pair["ahead"] == pytest.approx(sum(ahead) / 12, abs=0.06)
    assert found["drawn"]["draws"] == 1000
    assert looked(run, "-m", "P@2") == found
    assert looked(run, "-m", "P@2", "--seed", "5")["drawn"]["seed"] == 5


def test_it_begins_with_what_it_comes_to(run: Run, project: Path) -> None:
    text = " ".join(run("disagreement", "-m", "P@1").out.split())
    assert text.startswith("7 documents were graded by two or more assessors, 4 of them")
    for pair in looked(run, "-m", "P@1")["pairs"]:
        first, second = pair["first"], pair["second"]
        if pair["holds_whoever_is_right"]:
            assert f"{first} is ahead of {second} whichever assessor is right" in text
        if pair["depends_on_whom_you_ask"]:
            assert f"The order of {first} and {second} depends on whom you ask" in text


@pytest.mark.parametrize("form", ["csv", "tsv", "markdown"])
def test_every_form_has_every_way_to_label(run: Run, project: Path, form: str) -> None:
    result = run("disagreement", "--format", form)
    assert result.code == 0
    for name in ("the labels that hold", "ann alone", "cleo alone", "the most generous"):
        assert name in result.out


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("--assessor", "ann"), "at least two assessors"),
        (("--assessor", "ann", "--assessor", "zoe"), "no labels of zoe"),
        (("a",), "a comparison needs two systems"),
        (("a", "zzz"), "no system zzz"),
        (("-m", "P@5,nDCG@3"), "on one measure"),
    ],
)
def test_what_cannot_be_compared_is_refused(
    run: Run, project: Path, words: tuple[str, ...], why: str
) -> None:
    result = run("disagreement", *words)
    assert result.code == 2
    assert why in result.err
