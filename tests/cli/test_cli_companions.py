"""Near-duplicates and catalog coverage on the command line."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from annotator.store import Project
from tests.cli.conftest import Run
from tests.projects import open_project

TEXT = "heat transfer to a slender body of revolution at high speed in thin air"


@pytest.fixture
def copies(run: Run, folder: Path) -> Path:
    """``same`` shows a text and its copy, ``varied`` two texts; d9 has none, d8 is in no run."""
    Path("same.run").write_text("q1 Q0 d1 1 9 a\nq1 Q0 d2 2 8 a\nq1 Q0 d9 3 7 a\nq2 Q0 d1 1 9 a\n")
    Path("varied.run").write_text("q1 Q0 d1 1 9 b\nq1 Q0 d3 2 8 b\nq2 Q0 d3 1 9 b\n")
    texts = {"d1": TEXT, "d2": TEXT.upper() + "!", "d3": "Another matter. " * 9, "d8": "Unseen"}
    lines = (json.dumps({"_id": docid, "text": text}) for docid, text in texts.items())
    Path("texts.jsonl").write_text("\n".join(lines) + "\n")
    for words in (
        ("init",),
        ("import", "run", "same.run", "varied.run"),
        ("pool",),
        ("import", "documents", "texts.jsonl"),
    ):
        assert run(*words).code == 0
    return folder / "judgments.db"


def companions(run: Run, *words: object) -> list[dict[str, Any]]:
    result = run("companions", *words, "--format", "json")
    assert (result.code, result.err) == (0, "")
    systems: list[dict[str, Any]] = json.loads(result.out, parse_constant=pytest.fail)["systems"]
    return systems


def test_copies_are_found_and_places_without_text_are_reported(run: Run, copies: Path) -> None:
    [same], [varied] = (one["at"] for one in companions(run))
    assert (same["near_duplicates"], same["with_text"], same["without_text"]) == (1, 3, 1)
    assert same["near_duplicate_rate"] == pytest.approx(1 / 3)
    assert varied["near_duplicates"] == 0
    # Four documents are known: the one that no run names was not kept.
    assert (same["distinct"], same["catalog"], same["catalog_coverage"]) == (3, 4, 0.75)
    assert varied["catalog_coverage"] == 0.5


def test_a_cutoff_sees_no_further(run: Run, copies: Path) -> None:
    [system] = companions(run, "-k", "1", "-k", "2", "--system", "same")
    assert [at["k"] for at in system["at"]] == [1, 2]
    assert [at["near_duplicates"] for at in system["at"]] == [0, 1]
    assert [at["distinct"] for at in system["at"]] == [1, 2]


def test_the_table_names_counts_and_method(run: Run, copies: Path) -> None:
    out = run("companions").out
    [row] = [line for line in out.splitlines() if line.startswith("same")]
    assert "33.3% (1 of 3)" in row
    assert "75.0% (3 of 4)" in row
    assert "1 without text" in row
    assert "at least 0.8" in out


def test_csv_has_a_row_a_system_and_cutoff(run: Run, copies: Path) -> None:
    words = ("companions", "-k", "1", "-k", "2", "--format", "csv")
    rows = list(csv.DictReader(run(*words).out.splitlines()))
    assert [(row["system"], row["k"]) for row in rows] == [
        ("same", "1"), ("same", "2"), ("varied", "1"), ("varied", "2"),
    ]  # fmt: skip


def test_without_systems_there_is_nothing_to_count(run: Run, folder: Path) -> None:
    assert run("init").code == 0
    result = run("companions")
    assert result.code == 2
    assert "import run" in result.err


def test_texts_come_query_by_query(run: Run, copies: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    project = open_project(copies)
    whole = type(project.documents).texts

    def counted(table: Any, numbers: list[int]) -> Any:
        asked.append(len(numbers))
        return whole(table, numbers)

    monkeypatch.setattr(type(project.documents), "texts", counted)
    companions(run)
    assert asked == [4, 2]


def test_texts_are_those_of_the_documents_asked_for(copies: Path) -> None:
    project: Project = open_project(copies)
    numbers = project.documents.ids(["d1", "d3", "d9"])
    found = {number: text for number, _, text in project.documents.texts(numbers.values())}
    assert set(found) == {numbers["d1"], numbers["d3"]}
    assert found[numbers["d1"]] == TEXT
    assert project.documents.count() == 4
    many = [numbers["d1"], *range(1000, 2600)]
    assert [number for number, _, _ in project.documents.texts(many)] == [numbers["d1"]]
