"""Rubrics: all faults told, one fingerprint a content, files and presets read as they are."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotator.errors import InputError, UsageError
from annotator.rubric_files import from_toml, load, presets, to_toml
from rubric import Rubric, RubricError
from tests.projects import write


def valid() -> dict[str, Any]:
    return {
        "name": "mine",
        "version": 1,
        "gain": [0, 1, 3],
        "threshold": 1,
        "instructions": "Judge.",
        "levels": [
            {"grade": grade, "label": f"label {grade}", "definition": f"means {grade}"}
            for grade in range(3)
        ],
    }


def faults(data: dict[str, Any]) -> list[str]:
    with pytest.raises(RubricError) as caught:
        Rubric.from_dict(data)
    return list(caught.value.faults)


def changed(change: Callable[[dict[str, Any]], object]) -> dict[str, Any]:
    data = valid()
    change(data)
    return data


FAULTS: list[tuple[Callable[[dict[str, Any]], object], str]] = [
    (lambda d: d["levels"].pop(0), "there is no grade 0"),
    (lambda d: d["levels"].pop(1), "no grade 1"),
    (lambda d: d["levels"][1].update(grade=2), "a grade is defined twice"),
    (lambda d: d["levels"].reverse(), "not in rising order"),
    (lambda d: d["levels"][2].update(grade=10), "must lie in 0..9"),
    (lambda d: d["levels"][0].update(grade=-1), "must lie in 0..9"),
    (lambda d: d["levels"].__delitem__(slice(1, 3)), "no grade above 0"),
    (lambda d: d.update(levels=[]), "there are no levels"),
    (lambda d: d.update(levels="0 1 2"), "levels must be a list of tables"),
    (lambda d: d["levels"][1].update(grade="1"), "no whole number as grade"),
    (lambda d: d["levels"][1].update(grade=True), "no whole number as grade"),
    (lambda d: d["levels"][1].update(definition=" "), "grade 1: definition is empty"),
    (lambda d: d["levels"][1].pop("definition"), "grade 1: definition is empty"),
    (lambda d: d["levels"][1].update(label=""), "grade 1: label is empty"),
    (lambda d: d["levels"][1].update(label=7), "grade 1: label must be text"),
    (lambda d: d["levels"][1].update(examples="one"), "grade 1: examples must be a list"),
    (lambda d: d["levels"][1].update(gian=1), "grade 1: unknown key 'gian'"),
    (lambda d: d.update(gain=[0, 3, 1]), "gains must not decrease"),
    (lambda d: d.update(gain=[0, 1]), "2 values for 3 grades"),
    (lambda d: d.update(gain=[1, 2, 3]), "grade 0 must have gain 0"),
    (lambda d: d.update(gain=[0, 0, 0]), "no grade has a gain above 0"),
    (lambda d: d.update(gain=[0, 1, float("inf")]), "not a finite number"),
    (lambda d: d.update(gain="steep"), "expected exponential"),
    (lambda d: d.update(gain=3), "gain must be"),
    (lambda d: d.update(gain=[0, 1, "x"]), "expected exponential"),
    (lambda d: d.update(threshold=0), "threshold 0 must lie in 1..2"),
    (lambda d: d.update(threshold=3), "threshold 3 must lie in 1..2"),
    (lambda d: d.update(threshold="1"), "threshold must be a whole number"),
    (lambda d: d.update(version=0), "version must be 1 or more"),
    (lambda d: d.update(version=1.5), "version must be a whole number"),
    (lambda d: d.update(name=""), "name is empty"),
    (lambda d: d.update(name=["x"]), "name must be text"),
    (lambda d: d.update(instructions=1), "instructions must be text"),
    (lambda d: d.update(treshold=1), "unknown key 'treshold'"),
]


@pytest.mark.parametrize(("change", "fault"), FAULTS)
def test_a_fault_of_a_rubric_is_told(
    change: Callable[[dict[str, Any]], object], fault: str
) -> None:
    assert any(fault in found for found in faults(changed(change)))


def test_all_faults_are_told_at_once() -> None:
    found = faults(
        {
            "name": "",
            "version": 0,
            "gain": [0, 2, 1],
            "threshold": 9,
            "extra": 1,
            "levels": [
                {"grade": 1, "label": "", "definition": "x"},
                {"grade": 3, "label": "x", "definition": ""},
            ],
        }
    )
    for fault in (
        "name is empty",
        "version must",
        "must not decrease",
        "threshold 9",
        "unknown key 'extra'",
        "grade 1: label is empty",
        "grade 3: definition is empty",
        "no grade 0",
        "no grade 2",
        "3 values for 4 grades",
    ):
        assert any(fault in one for one in found), fault


TEXT = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=12).filter(str.strip)


@st.composite
def any_rubrics(draw: st.DrawFn) -> Rubric:
    top = draw(st.integers(1, 9))
    steps = draw(st.lists(st.floats(0, 100, allow_nan=False), min_size=top, max_size=top))
    table = [0.0]
    for step in steps:
        table.append(table[-1] + step)
    return Rubric.from_dict(
        {
            "name": draw(TEXT),
            "version": draw(st.integers(1, 2**40)),
            "gain": draw(st.sampled_from(["linear", "exponential"])) if not any(steps) else table,
            "threshold": draw(st.integers(1, top)),
            "instructions": draw(st.text(st.characters(exclude_categories=["Cs"]), max_size=20)),
            "levels": [
                {
                    "grade": grade,
                    "label": draw(TEXT),
                    "definition": draw(TEXT),
                    "examples": draw(st.lists(TEXT, max_size=2)),
                }
                for grade in range(top + 1)
            ],
        }
    )


@settings(max_examples=60, deadline=None, derandomize=True)
@given(any_rubrics())
def test_toml_and_stored_text_keep_a_rubric_and_its_fingerprint(rubric: Rubric) -> None:
    for again in (
        from_toml(to_toml(rubric), "rubric.toml"),
        Rubric.from_dict(json.loads(rubric.canonical())),
    ):
        assert again == rubric
        assert again.fingerprint == rubric.fingerprint


@pytest.mark.parametrize(
    "change",
    [
        lambda d: d.update(name="other"),
        lambda d: d.update(version=2),
        lambda d: d.update(gain=[0, 1, 4]),
        lambda d: d.update(gain="linear"),
        lambda d: d.update(threshold=2),
        lambda d: d.update(instructions="Judge well."),
        lambda d: d["levels"][0].update(label="other"),
        lambda d: d["levels"][1].update(definition="other"),
        lambda d: d["levels"][2].update(examples=["one"]),
        lambda d: (
            d["levels"].append({"grade": 3, "label": "x", "definition": "y"})
            or d.update(gain=[0, 1, 3, 3])
        ),
    ],
)
def test_any_change_changes_the_fingerprint(change: Callable[[dict[str, Any]], object]) -> None:
    assert Rubric.from_dict(changed(change)).fingerprint != Rubric.from_dict(valid()).fingerprint


def test_the_fingerprint_does_not_depend_on_how_the_file_is_written() -> None:
    data = valid()
    shuffled = dict(reversed(data.items())) | {"gain": [0.0, 1.0, 3.0]}
    assert Rubric.from_dict(shuffled).fingerprint == Rubric.from_dict(data).fingerprint
    assert Rubric.from_dict(data).fingerprint.startswith("sha256:")


def test_the_presets_are_valid_and_keep_their_names() -> None:
    found = presets()
    assert "general" in found
    for name, rubric in found.items():
        assert rubric.name == name
        assert load(name) == rubric
        assert 1 <= rubric.threshold <= rubric.top
        assert rubric.gain.values(rubric.top)[0] == 0


def test_a_rubric_is_read_from_a_file_with_or_without_byte_order_mark(tmp_path: Path) -> None:
    rubric = Rubric.from_dict(valid())
    for start in ("", "\ufeff"):
        assert load(str(write(tmp_path / "mine.toml", start + to_toml(rubric)))) == rubric


def test_a_bad_rubric_file_is_refused_with_its_faults(tmp_path: Path) -> None:
    path = write(tmp_path / "mine.toml", "name = ''\nversion = 0\n")
    with pytest.raises(InputError, match="not a valid rubric") as caught:
        load(str(path))
    assert len(caught.value.details) >= 3
    with pytest.raises(InputError, match="not a TOML file"):
        load(str(write(tmp_path / "bad.toml", "name = ")))
    (tmp_path / "latin.toml").write_bytes(b"name = '\xe9'")
    with pytest.raises(InputError, match="not UTF-8"):
        load(str(tmp_path / "latin.toml"))


def test_a_name_that_is_neither_preset_nor_file_is_refused() -> None:
    with pytest.raises(UsageError, match="neither a preset"):
        load("genral")
