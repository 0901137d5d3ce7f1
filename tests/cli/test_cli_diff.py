"""Two rankings of one query on the command line."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Run
from tests.cli.strict_page import page_of

RANKED = {"a": ["d1", "d2", "d3", "d4", "d5"], "b": ["d2", "d1", "d6", "d3", "d4"]}
GRADES = {"d1": 2, "d2": 0, "d3": 1}


@pytest.fixture
def files(folder: Path) -> Path:
    """Two runs, their qrels, and the texts of one query and of one document."""
    for name, documents in RANKED.items():
        rows = [f"q1 Q0 {one} {at} {9 - at} {name}\n" for at, one in enumerate(documents, 1)]
        (folder / f"{name}.run").write_text("".join(rows))
    (folder / "labels.txt").write_text("".join(f"q1 0 {one} {n}\n" for one, n in GRADES.items()))
    (folder / "queries.tsv").write_text("q1\tfirst question\n")
    (folder / "texts.jsonl").write_text('{"_id": "d6", "title": "new one", "text": "body"}\n')
    return folder


@pytest.fixture
def project(files: Path, run: Run) -> Path:
    """The same as a project."""
    for words in (
        ("init",),
        ("import", "queries", "queries.tsv"),
        ("import", "run", "a.run", "b.run"),
        ("pool",),
        ("import", "documents", "texts.jsonl"),
        ("import", "qrels", "labels.txt"),
    ):
        assert run(*words).code == 0
    return files


def moves(run: Run, *words: object) -> dict[str, Any]:
    result = run("diff", "a", "b", "--query", "q1", *words, "--format", "json")
    assert (result.code, result.err) == (0, "")
    data: dict[str, Any] = json.loads(result.out)
    return data


@pytest.mark.parametrize("k", [1, 2, 3, 4, 5, 99])
def test_every_document_that_either_has_so_high_is_there_once_with_both_ranks(
    run: Run, project: Path, k: int
) -> None:
    found = {one["document"]: one for one in moves(run, "-k", k)["moves"]}
    assert set(found) == set(RANKED["a"][:k]) | set(RANKED["b"][:k])
    for docid, one in found.items():
        first, second = (dict(zip(each, range(1, 9), strict=False)) for each in RANKED.values())
        assert (one["first"], one["second"]) == (first.get(docid), second.get(docid))
        both = docid in first and docid in second
        assert one["up"] == (first[docid] - second[docid] if both else None)
        assert one["grade"] == GRADES.get(docid)


def test_people_read_what_moved_and_what_nobody_judged(run: Run, project: Path) -> None:
    text = run("diff", "a", "b", "--query", "q1", "-k", 3).out
    rows = [line.split() for line in text.splitlines()]
    assert ["1", "2", "↑1", "0", "d2"] in rows
    assert ["2", "1", "↓1", "2", "d1"] in rows
    assert ["3", "—", "new", "unjudged", "d6", "new", "one"] in rows
    assert ["4", "3", "gone", "1", "d3"] in rows
    said = " ".join(text.split())
    assert "first question" in said
    assert "have 2 documents in common; 1 new, 1 gone. Not judged: 1." in said


def test_files_give_what_a_project_gives(run: Run, project: Path) -> None:
    of_project = moves(run)
    words = ("--qrels", "labels.txt", "a.run", "b.run", "--query", "q1", "--format", "json")
    texts = ("--queries", "queries.tsv", "--documents", "texts.jsonl")
    assert json.loads(run("diff", *words, *texts).out) == of_project


def test_rows_for_programs_have_full_numbers(run: Run, project: Path) -> None:
    out = run("diff", "a", "b", "--query", "q1", "--format", "csv").out
    rows = list(csv.DictReader(out.splitlines()))
    assert [row["document"] for row in rows] == ["d2", "d1", "d6", "d3", "d4", "d5"]
    assert [row["up"] for row in rows] == ["1", "-1", "", "-1", "-1", ""]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["a", "--query", "q1"], "two rankings are put side by side, not 1"),
        (["a", "a", "--query", "q1"], "a cannot be compared with itself"),
        (["a", "gone", "--query", "q1"], "no system gone in the project; there are: a, b"),
        (["a", "b", "--query", "q2"], "no query q2; did you mean q1?"),
        (["a", "b"], "Missing option '--query'"),
        (["a", "b", "--query", "q1", "--assessor", "nobody"], "no assessor nobody"),
    ],
)
def test_what_cannot_be_shown_is_said_in_a_line(
    run: Run, project: Path, words: list[str], message: str
) -> None:
    result = run("diff", *words)
    assert (result.code, result.out) == (2, "")
    assert message in result.err


def test_a_page_of_its_own_has_what_people_read_and_loads_nothing(run: Run, project: Path) -> None:
    words = ("diff", "a", "b", "--query", "q1", "--format")
    Path("diff.html").write_text(run(*words, "html").out)
    page = page_of("diff.html")
    for line in run(*words, "markdown").out.splitlines():
        for cell in line.strip("|").split("|"):
            if not set(cell) <= set("-: "):
                assert any(cell.strip() in text for text in page.texts), cell


@pytest.mark.parametrize("form", ["table", "json", "csv", "tsv", "markdown", "html"])
def test_no_title_leaves_its_cell(run: Run, project: Path, form: str) -> None:
    hostile = {"_id": "d1", "title": "\x1b]0;x\x07=cmd()|<b>\u202e\nnext", "text": "t"}
    Path("more.jsonl").write_text(json.dumps(hostile))
    assert run("import", "documents", "more.jsonl").code == 0
    result = run("diff", "a", "b", "--query", "q1", "--format", form)
    assert result.code == 0
    assert not set("\x1b\x07\u202e") & set(result.out)
    assert not any(line.startswith(("=", "next")) for line in result.out.splitlines())
