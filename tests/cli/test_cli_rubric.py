"""Rubrics on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from annotator.rubric_files import presets
from tests.cli.conftest import Run


def edited(run: Run, old: str, new: str) -> None:
    text = run("rubric", "show", "general").out
    assert old in text
    Path("mine.toml").write_text(text.replace(old, new), "utf-8")


def test_the_presets_are_listed(run: Run) -> None:
    rows = json.loads(run("rubric", "list", "--format", "json").out)
    assert [row["name"] for row in rows] == list(presets())
    assert "0 Not relevant" in run("rubric", "list").out


@pytest.mark.parametrize("name", presets())
def test_a_shown_rubric_can_be_used_as_a_file(run: Run, name: str) -> None:
    Path("mine.toml").write_text(run("rubric", "show", name).out, "utf-8")
    assert run("init", "--rubric", "mine.toml").code == 0
    assert run("rubric", "show").out == Path("mine.toml").read_text("utf-8")
    assert f"{name} v1" in run("rubric", "show", "--format", "text").out


def test_a_new_rubric_starts_without_labels_and_the_old_brings_them_back(
    run: Run, small: Path
) -> None:
    edited(run, "version = 1", "version = 2")
    result = run("rubric", "set", "mine.toml")
    assert (result.code, result.out) == (0, "")
    assert "now grades by general v2, before by general v1" in result.err
    assert "2 labels no longer count" in result.err
    assert run("export", "qrels", "-").out == ""
    assert "2 labels count" in run("rubric", "set", "general").err
    assert "2 labels count" in run("rubric", "set", "mine.toml", "--carry-labels").err
    assert "nothing was changed" in run("rubric", "set", "mine.toml").err


def test_another_text_needs_a_higher_version(run: Run, small: Path) -> None:
    edited(run, "Marginal", "Hardly")
    result = run("rubric", "set", "mine.toml")
    assert result.code == 2
    assert "set `version = 2`" in result.err
    assert run("rubric", "show").out == run("rubric", "show", "general").out


def test_a_lower_version_is_no_new_version(run: Run, small: Path) -> None:
    edited(run, "version = 1", "version = 5")
    run("rubric", "set", "mine.toml")
    edited(run, "version = 1", "version = 3")
    assert "set `version = 6`" in run("rubric", "set", "mine.toml").err


def test_labels_above_the_new_scale_are_not_carried(run: Run, small: Path) -> None:
    text = run("rubric", "show", "general").out.replace('"general"', '"two"')
    levels = text.split("[[levels]]")
    Path("two.toml").write_text("[[levels]]".join(levels[:3]), "utf-8")
    result = run("rubric", "set", "two.toml", "--carry-labels")
    assert result.code == 2
    assert "labels of grade 2" in result.err
    assert run("rubric", "set", "two.toml").code == 0
    assert run("score").code == 0


def test_an_invalid_rubric_lists_its_faults(run: Run, small: Path) -> None:
    Path("mine.toml").write_text('name = "x"\nversion = 0\n')
    result = run("rubric", "set", "mine.toml")
    assert result.code == 3
    assert len(result.err.splitlines()) > 2


def test_measures_are_listed_with_formula_and_source(run: Run) -> None:
    assert "formula     relevant in top k / k" in run("rubric", "measures").out
    assert {
        "measure",
        "says",
        "formula",
        "source",
        "parameters",
        "also",
        "bounds",
        "difference",
    } == set(json.loads(run("rubric", "measures", "--format", "json").out)[0])
