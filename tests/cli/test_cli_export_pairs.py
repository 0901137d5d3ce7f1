"""``export pairs``: what is open goes to other tools, and their answers come back."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Run
from tests.projects import labels_of, open_project

OPEN = [("q2", "d3"), ("q2", "d4")]
FORMS = ("jsonl", "csv", "label-studio", "argilla", "doccano")
GRADES = {"d3": 2, "d4": 0}
AT = "2026-02-03T10:20:30+01:00"


def answered_lines(text: str) -> str:
    """As somebody adds grades to each line."""
    found = [json.loads(line) for line in text.splitlines()]
    told = [one | {"grade": GRADES[one["docid"]], "assessor": "kim"} for one in found]
    return "".join(f"{json.dumps(one)}\n" for one in told)


def answered_table(text: str) -> str:
    """As a spreadsheet saves it with the last column filled in."""
    head, *rows = csv.reader(text.splitlines())
    lines = [",".join([*head, "assessor"])]
    for row in rows:
        lines.append(",".join([*row[:-1], str(GRADES[row[head.index("docid")]]), "kim"]))
    return "\n".join(lines) + "\n"


def answered_label_studio(text: str) -> str:
    """As Label Studio exports its tasks in full."""
    tasks = json.loads(text)
    for number, task in enumerate(tasks):
        grade = str(GRADES[task["data"]["docid"]])
        task |= {"id": number, "annotations": [{
            "id": number, "completed_by": {"id": 1, "email": "kim"}, "was_cancelled": False,
            "created_at": AT, "lead_time": 12.5,
            "result": [{"value": {"choices": [grade]}, "from_name": "rel", "type": "choices"}],
        }]}  # fmt: skip
    return json.dumps(tasks)


def answered_argilla(text: str) -> str:
    """As Argilla exports its records."""
    records = json.loads(text)
    for record in records:
        answer = {
            "value": GRADES[record["metadata"]["docid"]],
            "user_id": "kim",
            "status": "submitted",
        }
        record["responses"] = {"rel": [answer]}
    return json.dumps(records)


def answered_doccano(text: str) -> str:
    """As doccano exports labels of classes."""
    found = [json.loads(line) for line in text.splitlines()]
    told = [one | {"id": at, "label": [str(GRADES[one["docid"]])]} for at, one in enumerate(found)]
    return "".join(f"{json.dumps(one)}\n" for one in told)


ANSWERED: dict[str, Callable[[str], str]] = {
    "jsonl": answered_lines,
    "csv": answered_table,
    "label-studio": answered_label_studio,
    "argilla": answered_argilla,
    "doccano": answered_doccano,
}


@pytest.mark.parametrize("form", FORMS)
def test_what_is_written_is_open_blind_and_its_answers_come_back(
    run: Run, small: Path, form: str
) -> None:
    result = run("export", "pairs", "-", "--as", form)
    assert (result.code, result.err) == (0, "")
    for system in ("a.run", '"a"', '"b"', "rank", "score"):
        assert system not in result.out
    assert "d1" not in result.out
    Path("answers").write_text(ANSWERED[form](result.out))
    who = ("--assessor", "kim") if form == "doccano" else ()
    assert run("import", "qrels", "answers", *who).code == 0
    found = {pair: grade for pair, grade in labels_of(open_project(small)).items() if pair in OPEN}
    assert found == {("q2", "d3"): 2, ("q2", "d4"): 0}
    people = {one.assessor for one in open_project(small).judgments.events()}
    assert "kim" in people
    assert json.loads(run("export", "pairs", "-", "--as", "argilla").out) == []


def test_times_of_label_studio_come_back(run: Run, small: Path) -> None:
    text = run("export", "pairs", "-", "--as", "label-studio").out
    Path("answers.json").write_text(answered_label_studio(text))
    assert run("import", "judgments", "answers.json").code == 0
    latest = list(open_project(small).judgments.events())[-2:]
    assert [one.seconds for one in latest] == [12.5, 12.5]
    assert {datetime.fromisoformat(one.at) for one in latest} == {datetime.fromisoformat(AT)}


def test_a_line_has_query_text_and_what_each_grade_means(run: Run, small: Path) -> None:
    run("import", "documents", "texts.jsonl")
    Path("more.jsonl").write_text('{"_id": "d3", "title": "Three", "text": "=cmd|x", "rank": 1}\n')
    run("import", "documents", "more.jsonl")
    lines: list[dict[str, Any]] = [
        json.loads(line) for line in run("export", "pairs", "-").out.splitlines()
    ]
    assert sorted((one["qid"], one["docid"]) for one in lines) == OPEN
    (three,) = [one for one in lines if one["docid"] == "d3"]
    assert (three["query"], three["title"], three["text"]) == ("second question", "Three", "=cmd|x")
    assert set(three["grades"]) == {"0", "1", "2", "3"}
    assert "fields" not in three
    rows = list(csv.DictReader(run("export", "pairs", "-", "--as", "csv").out.splitlines()))
    assert {row["text"] for row in rows} == {"'=cmd|x", ""}


def test_pairs_can_be_those_that_one_assessor_has_not_judged(run: Run, small: Path) -> None:
    Path("kim.txt").write_text("q1 0 d1 1\nq2 0 d3 1\n")
    assert run("import", "qrels", "kim.txt", "--assessor", "kim").code == 0

    def open_for(*words: str) -> list[tuple[str, str]]:
        lines = run("export", "pairs", "-", *words).out.splitlines()
        return sorted((one["qid"], one["docid"]) for one in map(json.loads, lines))

    assert open_for() == [("q2", "d4")]
    assert open_for("--assessor", "kim") == [("q1", "d2"), ("q2", "d4")]
    assert "no assessor zoe" in run("export", "pairs", "-", "--assessor", "zoe").err


def test_without_a_pool_the_next_step_is_named(run: Run) -> None:
    run("init")
    result = run("export", "pairs", "-")
    assert result.code == 2
    assert "`annotator pool`" in result.err
