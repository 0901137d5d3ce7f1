"""Labels of a model are evidence: they go in with model and prompt, and out only by name."""

from __future__ import annotations

import hashlib
import json
import shlex
from collections.abc import Mapping
from pathlib import Path

import pytest

from annotator.actions.judged_pool import judged_pool
from annotator.actions.standing import load_standing
from annotator.domain import AssessorKind
from annotator.store import Desk, Project
from tests.cli.conftest import Run, facts, labels
from tests.projects import open_project

COMMANDS = (
    "score --format json",
    "score --per-query --worst 2 -m AP -m P@5 -m nDCG --format json",
    "score --explain q1 a --format json",
    "compare a b --format json",
    "compare --all --format json",
    "status --format json",
    "diff a b --query q1 --format json",
    "export qrels -",
    "export qrels - --unjudged -1",
    "pool --depth 1 --format json",
)


@pytest.fixture
def prompt(folder: Path) -> Path:
    path = folder / "prompt.txt"
    path.write_text("Grade this document from 0 to 3.\n")
    return path


def given(run: Run, name: str = "m", text: str = "q1 0 d1 0\nq1 0 d2 3\nq2 0 d3 2\n") -> None:
    Path(f"{name}.qrels").write_text(text)
    result = run("import", "judgments", f"{name}.qrels", "--model", name, "--prompt", "prompt.txt")
    assert result.code == 0, result.err


def test_nothing_that_does_not_ask_for_them_differs_with_labels_of_a_model(
    run: Run, small: Path, prompt: Path
) -> None:
    before = [run(*command.split()) for command in COMMANDS]
    given(run)
    given(run, "other", "q2 0 d4 3\nq2 0 d9 1\nq1 0 d1 3\n")
    for command, was in zip(COMMANDS, before, strict=True):
        assert run(*command.split()) == was, command


def test_a_person_who_grades_meets_every_pair_that_only_a_model_has_graded(
    run: Run, small: Path, prompt: Path
) -> None:
    given(run)
    desk = Desk(open_project(small), "ann")
    cards = [card for query in desk.queries() for card in desk.cards(query)]
    assert {(card.docid, card.label) for card in cards} == {
        ("d1", 2), ("d2", 0), ("d3", None), ("d4", None),
    }  # fmt: skip
    assert desk.totals().judged == 2


def test_labels_of_a_model_go_out_when_it_is_named(run: Run, small: Path, prompt: Path) -> None:
    given(run)
    assert labels(run) == "q1 0 d1 2\nq1 0 d2 0\n"
    assert run("export", "qrels", "-", "--assessor", "m").out == (
        "q1 0 d1 0\nq1 0 d2 3\nq2 0 d3 2\n"
    )
    agreement = run("agreement", "--assessor", "m", "--assessor", "labels", "--format", "json")
    assert json.loads(agreement.out)["all"]["shared_pairs"] == 2
    for command in ("score", "compare a b", "status --pool-bias"):
        result = run(*command.split(), "--assessor", "m")
        assert (result.code, result.out) == (2, ""), command


@pytest.mark.parametrize("name", ["m", "x y; $(id)"])
def test_what_is_advised_to_whom_scores_by_a_model_works(
    run: Run, small: Path, prompt: Path, name: str
) -> None:
    given(run, name)
    result = run("score", "--assessor", name)
    assert "is a model" in result.err
    advised = result.err.split("`")[1].replace("FILE", "out.qrels")
    words = shlex.split(advised)
    assert words[0] == "annotator"
    assert run(*words[1:]).code == 0
    assert Path("out.qrels").read_text() == "q1 0 d1 0\nq1 0 d2 3\nq2 0 d3 2\n"


@pytest.mark.parametrize("words", [["--model", "m"], ["--prompt", "prompt.txt"]])
def test_a_model_is_named_with_its_prompt(
    run: Run, small: Path, prompt: Path, words: list[str]
) -> None:
    result = run("import", "judgments", "labels.txt", *words)
    assert (result.code, "--model NAME --prompt FILE" in result.err) == (2, True)


ROW = {"qid": "q1", "docid": "d1", "grade": 1, "model": "m", "prompt_hash": "ab" * 32}


@pytest.mark.parametrize("lacking", ["model", "prompt_hash"])
def test_a_row_of_a_model_without_model_or_prompt_hash_is_refused(
    run: Run, small: Path, lacking: str
) -> None:
    bad = {key: value for key, value in ROW.items() if key != lacking}
    Path("m.jsonl").write_text(f"{json.dumps(ROW)}\n{json.dumps({**bad, 'docid': 'd2'})}\n")
    before = small.read_bytes()
    result = run("import", "judgments", "m.jsonl")
    assert (result.code, "m.jsonl:2" in result.err or "line 2" in result.err) == (3, True)
    assert "--model NAME --prompt FILE" in result.err
    assert small.read_bytes() == before


def test_an_entry_that_only_says_it_is_of_a_model_is_refused(run: Run, small: Path) -> None:
    Path("m.jsonl").write_text(
        '{"qid": "q1", "docid": "d1", "grade": 1, "assessor": "m", "assessor_kind": "model"}\n'
    )
    result = run("import", "judgments", "m.jsonl")
    assert (result.code, "--model NAME --prompt FILE" in result.err) == (3, True)


ANSWERS: list[tuple[object, str, int | None, str]] = [
    (2, "ok", 2, "ok"),
    ("3", "ok", 3, "ok"),
    ("2.0", "success", 2, "ok"),
    (0, "ok", 0, "ok"),
    (0, "failed", None, "failed"),
    (3, "timeout", None, "timeout"),
    (None, "ok", None, "empty"),
    ("", "ok", None, "empty"),
    ("  ", "ok", None, "empty"),
    (4, "ok", None, "out of range"),
    (-1, "ok", None, "out of range"),
    (10**8, "ok", None, "out of range"),
    ("I think 2", "ok", None, "unreadable"),
    (1.5, "ok", None, "unreadable"),
    (True, "ok", None, "unreadable"),
]


def test_an_answer_that_is_no_grade_stays_a_failure_and_is_never_zero(
    run: Run, small: Path
) -> None:
    Path("m.jsonl").write_text(
        "".join(
            json.dumps(ROW | {"docid": f"x{n}", "grade": grade, "status": status}) + "\n"
            for n, (grade, status, _, _) in enumerate(ANSWERS)
        )
    )
    (found,) = facts(run, "judgments", "m.jsonl")
    failed = [kind for _, _, grade, kind in ANSWERS if grade is None]
    said = {key: count for key, count in found.items() if key.startswith("answers that failed")}
    assert said == {f"answers that failed: {one}": failed.count(one) for one in set(failed)}
    project = open_project(small)
    numbers = project.documents.names()
    stored = {
        numbers[one.document]: (one.grade, json.loads(one.answer).get("status", "ok"))
        for one in project.models.answers(project.models.models()["m"], [1])
    }
    assert stored == {f"x{n}": (grade, kind) for n, (*_, grade, kind) in enumerate(ANSWERS)}
    assert run("export", "qrels", "-", "--assessor", "m").out.count("\n") == 4


def test_what_a_file_says_of_its_model_is_kept_and_comes_back(
    run: Run, small: Path, prompt: Path
) -> None:
    row = ROW | {"version": "2026-05", "temperature": 0.5, "cost": 0.001, "answer": "Grade: 1",
                 "at": "2026-05-01T00:00:00Z"}  # fmt: skip
    Path("m.jsonl").write_text(json.dumps(row) + "\n")
    assert run("import", "judgments", "m.jsonl").code == 0
    given(run, "other")
    (first, *others) = [
        event
        for event in open_project(small).judgments.events()
        if event.assessor_kind is AssessorKind.MODEL
    ]
    assert json.loads(first.answer or "") == {
        "model": "m", "prompt": "ab" * 32, "version": "2026-05", "temperature": 0.5,
        "cost": 0.001, "raw": "Grade: 1",
    }  # fmt: skip
    hashed = hashlib.sha256(prompt.read_bytes()).hexdigest()
    assert json.loads(others[0].answer or "") == {"model": "other", "prompt": hashed}
    log = run("export", "judgments", "-").out
    Path("log.jsonl").write_text(log)
    assert run("init", "again.db").code == 0
    for words in (("queries", "queries.tsv"), ("judgments", "log.jsonl")):
        assert run("import", *words, "-p", "again.db").code == 0
    assert run("-p", "again.db", "export", "judgments", "-").out == log
    assert run("doctor", "-p", "again.db").code == 0


def test_labels_of_a_model_come_once_and_never_of_two_prompts_under_one_name(
    run: Run, small: Path, prompt: Path
) -> None:
    given(run)
    words = ("judgments", "m.qrels", "--model", "m", "--prompt", "prompt.txt")
    (again,) = facts(run, *words)
    assert (again["entries added"], again["entries stored already"]) == (0, 3)
    prompt.write_text("Another one.\n")
    result = run("import", *words)
    assert (result.code, "--assessor NAME" in result.err) == (2, True)
    assert run("import", *words, "--assessor", "m, second prompt").code == 0


def test_labels_of_a_model_are_taken_out_and_put_back_by_its_name(
    run: Run, small: Path, prompt: Path
) -> None:
    given(run)
    assert "labels withdrawn  2" in run("remove", "labels", "--query", "q1").out
    assert run("remove", "undo").code == 0
    assert run("remove", "labels", "--assessor", "m").code == 0
    assert run("export", "qrels", "-", "--assessor", "m").out == ""
    assert run("remove", "undo").code == 0
    assert run("export", "qrels", "-", "--assessor", "m").out.count("\n") == 3
    assert run("doctor").code == 0


def test_labels_of_models_have_a_part_in_what_is_expected_where_that_is_asked_for(
    run: Run, small: Path, prompt: Path
) -> None:
    words = ("compare", "a", "b", "-m", "nDCG@10", "--format", "json")
    result = run(*words, "--models")
    assert (result.code, "--model NAME --prompt FILE" in result.err) == (2, True)
    given(run, "m", "q2 0 d3 3\nq2 0 d4 0\nq1 0 d1 3\nq1 0 d2 0\n")
    (without,) = json.loads(run(*words).out)["comparisons"]
    asked = json.loads(run(*words, "--models").out)
    (found,) = asked["comparisons"]
    assert asked["method"]["expected"]["models"] == ["m"]
    assert found["better_without"] == without["p_better"] != found["p_better"]
    assert without["better_without"] is None
    same = ("value", "lower", "upper", "zero_filled", "labels", "unjudged", "p", "ci95",
            "effect_size")  # fmt: skip
    assert {key: found[key] for key in same} == {key: without[key] for key in same}
    assert found["expected"] > without["expected"]
    said = run("compare", "a", "b", "-m", "nDCG@10", "--models").out
    assert "labels of 1 language model" in said
    assert "without them open" in " ".join(said.split())


def test_files_without_a_project_have_no_labels_of_models(run: Run, small: Path) -> None:
    words = ("--qrels", "labels.txt", "a.run", "b.run", "--models")
    result = run("compare", *words)
    assert (result.code, "--models" in result.err) == (2, True)


def test_orders_of_judging_know_the_labels_of_models_and_say_so(
    run: Run, small: Path, prompt: Path
) -> None:
    given(run, "m", "q2 0 d3 3\nq2 0 d4 0\nq1 0 d1 3\nq1 0 d2 0\nq1 0 d7 1\nq9 0 d1 1\n")
    project = open_project(small)
    pool, names = judged_pool(project), project.documents.names()
    assert pool.ranks.models is not None
    numbered = {number: pair for pair, number in pairs_by_number(project, names).items()}
    steps = pool.ranks.models.columns.sum(axis=2)
    said = {numbered[pool.pairs[at]]: steps[at] for at in zip(*pool.pooled.nonzero(), strict=True)}
    assert said == {("q1", "d1"): 3, ("q1", "d2"): 0, ("q2", "d3"): 3, ("q2", "d4"): 0}
    standing = load_standing(project, "decide", ["a", "b"])
    assert standing.basis is not None
    assert standing.basis.models == ("m",)
    assert run("plan", "a", "b").code == 0


def pairs_by_number(project: Project, names: Mapping[int, str]) -> dict[tuple[str, str], int]:
    qids = {number: qid for qid, number in project.queries.ids().items()}
    numbers, queries, documents = (part.tolist() for part in project.pool.numbered_pairs())
    named = [(qids[one], names[two]) for one, two in zip(queries, documents, strict=True)]
    return dict(zip(named, numbers, strict=True))
