"""What is removed by command is out, listed and named, and comes back again."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run, labels

WAYS = [("query", "q1"), ("system", "b"), ("labels", "--assessor", "labels")]


def scores(run: Run) -> list[dict[str, str]]:
    text = run("score", "-m", "nDCG@3", "--format", "csv").out
    return list(csv.DictReader(io.StringIO(text)))


@pytest.mark.parametrize("words", WAYS)
def test_a_dry_run_says_what_would_go_and_changes_nothing(
    run: Run, small: Path, words: tuple[str, ...]
) -> None:
    before = labels(run), scores(run)
    dry = run("remove", *words, "--dry-run")
    assert dry.code == 0, dry.err
    assert "dry run: nothing was changed" in dry.err
    assert (labels(run), scores(run)) == before
    assert json.loads(run("remove", "list", "--format", "json").out) == []
    assert run("remove", *words).out == dry.out
    assert (labels(run), scores(run)) != before


@pytest.mark.parametrize("words", WAYS)
def test_what_is_removed_is_listed_in_every_format_and_comes_back(
    run: Run, small: Path, words: tuple[str, ...]
) -> None:
    before = labels(run), scores(run)
    assert "`annotator remove undo`" in run("remove", *words).err
    (listed,) = json.loads(run("remove", "list", "--format", "json").out)
    assert list(listed) == ["removal", "kind", "what", "at"]
    (row,) = csv.DictReader(io.StringIO(run("remove", "list", "--format", "csv").out))
    assert row == {name: str(value) for name, value in listed.items()}
    assert str(listed["what"]) in run("remove", "list").out
    dry = run("remove", "undo", "--dry-run")
    assert "dry run" in dry.err
    assert run("remove", "undo", listed["removal"]).code == 0
    assert (labels(run), scores(run)) == before
    assert json.loads(run("remove", "list", "--format", "json").out) == []


@pytest.mark.parametrize(
    "words",
    [
        ("undo",),
        ("undo", "7"),
        ("query", "nobody"),
        ("system", "nobody"),
        ("labels",),
        ("labels", "--assessor", "nobody"),
    ],
)
def test_what_cannot_be_removed_or_put_back_is_refused_in_a_line(
    run: Run, small: Path, words: tuple[str, ...]
) -> None:
    result = run("remove", *words)
    assert result.code == 2
    assert result.out == ""
    assert len(result.err.splitlines()) == 1


def test_the_help_names_each_way(run: Run) -> None:
    shown = run("remove", "--help").out
    assert all(name in shown for name in ("query", "system", "labels", "list", "undo"))


@pytest.mark.parametrize(
    "words",
    [
        ("score", "--system", "b"),
        ("compare", "a", "b"),
        ("pool", "--system", "b"),
        ("export", "run", "b", "-"),
        ("ceiling", "b"),
    ],
)
def test_a_system_that_was_removed_is_named_as_such_wherever_it_is_asked_for(
    run: Run, small: Path, words: tuple[str, ...]
) -> None:
    run("remove", "system", "b")
    result = run(*words)
    assert result.code == 2
    assert "b was taken out of the project" in result.err
    assert "`annotator remove undo`" in result.err
