"""A rubric: what each grade means, what it is worth, and a fingerprint of exactly that."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rubric.errors import RubricError
from rubric.gains import Gain

TOP_GRADE = 9
"""The highest grade a rubric may have: each grade is one key."""


@dataclass(frozen=True)
class Level:
    """One grade: a short label, what it means, and examples."""

    grade: int
    label: str
    definition: str
    examples: tuple[str, ...] = ()


@dataclass(frozen=True)
class Rubric:
    """What assessors grade by, and what their grades are worth.

    ``threshold`` is the least grade that counts as relevant in binary measures. Build one with
    :meth:`from_dict`, which checks it.
    """

    name: str
    version: int
    levels: tuple[Level, ...]
    gain: Gain = Gain()
    threshold: int = 1
    instructions: str = ""

    @property
    def top(self) -> int:
        """The highest grade."""
        return self.levels[-1].grade

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Rubric:
        """Build a rubric from the shape that :meth:`to_dict` gives.

        Raises
        ------
        RubricError
            With every fault of the rubric, not only the first.
        """
        faults = _Faults(data)
        levels = faults.levels()
        gain = faults.gain()
        rubric = cls(
            name=faults.text(data, "name", required=True),
            version=faults.whole(data, "version", 1),
            levels=levels,
            gain=gain,
            threshold=faults.whole(data, "threshold", 1),
            instructions=faults.text(data, "instructions"),
        )
        faults.found.extend(_scale_faults(rubric))
        if faults.found:
            raise RubricError(f"rubric {rubric.name or '(no name)'}", faults.found)
        return rubric

    def to_dict(self) -> dict[str, Any]:
        """The rubric as plain values, as its TOML file holds them."""
        gain = list(self.gain.table) if self.gain.table else self.gain.kind
        return {
            "name": self.name,
            "version": self.version,
            "gain": gain,
            "threshold": self.threshold,
            "instructions": self.instructions,
            "levels": [
                {
                    "grade": level.grade,
                    "label": level.label,
                    "definition": level.definition,
                    "examples": list(level.examples),
                }
                for level in self.levels
            ],
        }

    def canonical(self) -> str:
        """The one text that stands for this rubric: JSON, keys sorted, no spaces."""
        return json.dumps(self.to_dict(), ensure_ascii=True, sort_keys=True, separators=(",", ":"))

    @property
    def fingerprint(self) -> str:
        """The hash of the canonical text, with the hash's name: ``sha256:…``."""
        return "sha256:" + hashlib.sha256(self.canonical().encode()).hexdigest()


def _scale_faults(rubric: Rubric) -> list[str]:
    grades = [level.grade for level in rubric.levels]
    found = []
    if 0 not in grades:
        found.append("there is no grade 0")
    if len(set(grades)) < len(grades):
        found.append("a grade is defined twice")
    elif grades != sorted(grades):
        found.append("the grades are not in rising order")
    if grades:
        missing = sorted(set(range(max(grades) + 1)) - set(grades) - {0})
        if missing and max(grades) <= TOP_GRADE:
            found.append("there is a gap: no grade " + ", ".join(map(str, missing)))
        if min(grades) < 0 or max(grades) > TOP_GRADE:
            found.append(f"grades must lie in 0..{TOP_GRADE}, one key each")
        if max(grades) == 0:
            found.append("there is no grade above 0")
        if not 1 <= rubric.threshold <= max(grades):
            found.append(f"the relevance threshold {rubric.threshold} must lie in 1..{max(grades)}")
        found.extend(rubric.gain.faults(max(grades)))
    if rubric.version < 1:
        found.append(f"version must be 1 or more, not {rubric.version}")
    return found


class _Faults:
    """Reads untyped values and remembers what was wrong with them."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        self.data = data
        self.found: list[str] = []
        known = {"name", "version", "gain", "threshold", "instructions", "levels"}
        self.found.extend(f"unknown key {key!r}" for key in data if key not in known)

    def text(
        self, data: Mapping[str, Any], key: str, *, where: str = "", required: bool = False
    ) -> str:
        value = data.get(key, "")
        if not isinstance(value, str):
            self.found.append(f"{where}{key} must be text")
            return ""
        if required and not value.strip():
            self.found.append(f"{where}{key} is empty")
        return value.strip()

    def whole(self, data: Mapping[str, Any], key: str, default: int) -> int:
        value = data.get(key, default)
        if isinstance(value, bool) or not isinstance(value, int):
            self.found.append(f"{key} must be a whole number, not {value!r}")
            return default
        return value

    def gain(self) -> Gain:
        value = self.data.get("gain", "exponential")
        try:
            if isinstance(value, str):
                return Gain.parse(value)
            if isinstance(value, Sequence) and value:
                return Gain.parse(":".join(str(part) for part in value))
        except RubricError as error:
            self.found.extend(error.faults)
            return Gain()
        self.found.append("gain must be exponential, linear or a list with the gain of each grade")
        return Gain()

    def levels(self) -> tuple[Level, ...]:
        rows = self.data.get("levels", [])
        if not isinstance(rows, Sequence) or not all(isinstance(row, Mapping) for row in rows):
            self.found.append("levels must be a list of tables")
            return ()
        if not rows:
            self.found.append("there are no levels")
        return tuple(level for row in rows if (level := self._level(row)))

    def _level(self, row: Mapping[str, Any]) -> Level | None:
        grade = row.get("grade")
        if isinstance(grade, bool) or not isinstance(grade, int):
            self.found.append(f"a level has no whole number as grade: {grade!r}")
            return None
        where = f"grade {grade}: "
        known = {"grade", "label", "definition", "examples"}
        self.found.extend(f"{where}unknown key {key!r}" for key in row if key not in known)
        examples = row.get("examples", [])
        if not isinstance(examples, list) or not all(isinstance(one, str) for one in examples):
            self.found.append(f"{where}examples must be a list of texts")
            examples = []
        return Level(
            grade=grade,
            label=self.text(row, "label", where=where, required=True),
            definition=self.text(row, "definition", where=where, required=True),
            examples=tuple(examples),
        )
