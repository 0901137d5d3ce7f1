"""What to say of grades that a rubric does not have: which there are, and `--grades` to copy."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from decimal import Decimal
from typing import Protocol

from annotator.domain import GradeFault
from annotator.errors import InputError, UsageError
from annotator.formats import each_qrel
from annotator.formats.hints import typed_list
from annotator.formats.input.source import Source
from annotator.formats.input.standard_input import STANDARD_INPUT
from annotator.formats.problems import Problems

MOST_GRADES = 12
"""Of a file's different grades that are shown."""

NOTHING = {"na", "n/a", "#n/a", "nan", "none", "null", "-", "?", "unjudged", "not judged"}
"""How tables say that there is no grade."""

YES_OR_NO = {"true": 1, "yes": 1, "false": 0, "no": 0}

Grade = str | Decimal


class Grades(Protocol):
    """The grades of a file, wherever they are kept."""

    def distinct(self) -> Sequence[int]:
        """The different grades, rising."""

    def faults(self, top: int) -> Iterator[GradeFault]:
        """The rows that keep the file from being used: grades above the highest, contradictions."""


def note_faults(grades: Grades, top: int, scale: str, problems: Problems) -> None:
    """Note the rows with a grade above ``top``, or with two grades of one assessor for a pair.

    ``scale`` says in words what goes up to ``top``.
    """
    others = problems.count
    for row in grades.faults(top):
        if row.line_before is not None:
            why = f"grade {row.grade} for a pair that {problems.unit} {row.line_before} gives "
            why += f"{row.grade_before}"
        else:
            why = f"grade {row.grade} is outside {scale} (0 to {top})"
            if not others and not problems.advice:
                problems.advice = advice(grades.distinct(), top)
        problems.add(row.line, why, f"{row.qid} {row.docid}")


class _Every(dict[Grade, int]):
    """A scale that takes every grade, and remembers it."""

    def __bool__(self) -> bool:
        return True

    def __contains__(self, grade: object) -> bool:
        return True

    def __missing__(self, grade: Grade) -> int:
        self[grade] = 0
        return 0


def advice_on(source: Source, top: int) -> str:
    """The same for a file of which some grades are no whole numbers; empty if all are.

    The file is read once more, up to where there are more grades than can be shown.
    """
    if source.name == STANDARD_INPUT or source.hints.grades:
        return ""
    seen = _Every()
    again = Source(source.path, replace(source.hints, grades=seen, watch=None))
    with suppress(InputError, UsageError):
        for _ in each_qrel(again, Problems(source.name)):
            if len(seen) > MOST_GRADES:
                return ""
    numbers = sorted(grade for grade in seen if isinstance(grade, Decimal))
    words = sorted(grade for grade in seen if isinstance(grade, str) and grade)
    whole = all(number == int(number) for number in numbers)
    if whole and (numbers or not words) and not (words and {*words} <= NOTHING | YES_OR_NO.keys()):
        return ""  # any other word in a file of whole numbers is a slip of the pen
    return advice([*numbers, *words], top)


def advice(grades: Sequence[Grade | int], top: int) -> str:
    """Which grades a file has, and how they may be given a meaning in a rubric of 0 to ``top``."""
    shown = grades[:MOST_GRADES]
    listed = ", ".join(map(str, shown)) + (", …" if grades[MOST_GRADES:] else "")
    scale = typed_list(f"{grade}:{_meaning(grade, shown, top)}" for grade in shown)
    told = " (-1 leaves unjudged)" if ":-1" in scale else ""
    whole = all(not isinstance(one, str) and one == int(one) for one in grades)
    other = "use a rubric that has them (`annotator rubric --help`) or " if whole else ""
    return (
        f"the file's grades are {listed}: {other}say what each is in the rubric, for instance "
        f"--grades {shlex.quote(scale)}{told}"
    )


def _meaning(grade: Grade | int, grades: Sequence[Grade | int], top: int) -> int | str:
    """A whole number as it is, but for the highest; a decimal by its share; a word is unknown."""
    if isinstance(grade, str):
        return -1 if grade in NOTHING else YES_OR_NO.get(grade, "GRADE")
    numbers = [one for one in grades if not isinstance(one, str)]
    if all(one == int(one) for one in numbers):
        return max(-1, min(int(grade), top))
    return max(-1, round(grade / max(*numbers, 1) * top))
