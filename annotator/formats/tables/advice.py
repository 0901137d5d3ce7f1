"""What to type where a file's columns are not known: a guess by what is in them, to be checked."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from annotator.errors import InputError
from annotator.formats.fields import Path
from annotator.formats.input.source import Source
from annotator.formats.reader import Kind
from annotator.formats.tables.columns import Columns, shown
from annotator.formats.tables.samples import Sample
from annotator.text.safe import one_line

WIDTH = 40
SHOWN = 3
MOST_NAMES = 20
FEW_GRADES = 12
WANTED: Mapping[Kind, tuple[str, ...]] = {
    Kind.QUERIES: ("query", "text"),
    Kind.DOCUMENTS: ("docid", "text", "title"),
    Kind.RUN: ("query", "rank", "score", "docid"),
    Kind.QRELS: ("query", "grade", "docid"),
}
MEANS = {"query": "the query", "docid": "the document", "grade": "the grade", "text": "the text"}


@dataclass(frozen=True)
class _Look:
    """What the values of a column look like."""

    path: Path
    values: Sequence[str]

    @property
    def different(self) -> float:
        return len(set(self.values)) / max(len(self.values), 1)

    @property
    def length(self) -> float:
        return sum(map(len, self.values)) / max(len(self.values), 1)

    @property
    def is_one_word(self) -> bool:
        return all(len(value.split()) == 1 for value in self.values)

    @property
    def are_whole(self) -> bool:
        return all(re.fullmatch(r"[+-]?[0-9]{1,9}", value) for value in self.values)

    @property
    def are_numbers(self) -> bool:
        number = r"[+-]?[0-9]*[.,]?[0-9]+(?:e[+-]?[0-9]+)?"
        return all(re.fullmatch(number, value, re.IGNORECASE) for value in self.values)


def guess(columns: Columns, sample: Sample) -> str:
    """What ``--columns`` might be: what is known by name, and the rest by what it looks like."""
    places = {name: paths[0] for name, paths in columns.places.items()}
    looks = [look for path in columns.unused if (look := _look(sample, path))]
    found: dict[str, Path] = {}
    for name in WANTED[columns.kind]:
        if name in places:
            found[name] = places[name]
        elif best := _best(name, [one for one in looks if one.path not in found.values()]):
            found[name] = best.path
    if "rank" in found:
        found.pop("score", None)
    order = ("query", "docid", "text", "title", "grade", "rank", "score", "assessor")
    found |= {name: path for name, path in places.items() if name not in found}
    listed = [f"{name}={shown([found[name]])}" for name in order if name in found]
    return shlex.quote(",".join(listed)) if listed else ""


def _look(sample: Sample, path: Path) -> _Look | None:
    values = [value for value in sample.values(path) if value not in (None, "")]
    if not values or any(isinstance(value, dict) for value in values):
        return None
    flat = [one[0] if isinstance(one, list) and len(one) == 1 else one for one in values]
    if any(isinstance(one, list | float | bool) and not isinstance(one, float) for one in flat):
        return None
    return _Look(path, [str(one).strip() for one in flat])


def _best(name: str, looks: Sequence[_Look]) -> _Look | None:
    """The column that looks most like the field, if any does."""
    if name in ("query", "docid"):
        fit = [one for one in looks if one.is_one_word and one.length <= 2 * WIDTH]
        others = [one for one in looks if one not in fit]
        return min(fit, key=lambda one: -one.different, default=None) or (
            min(others, key=lambda one: one.length, default=None) if name == "query" else None
        )
    if name == "text":
        return max(looks, key=lambda one: one.length, default=None)
    if name == "title":
        fit = [one for one in looks if not one.are_numbers]
        return max(fit, key=lambda one: one.length, default=None)
    if name == "grade":
        few = [one for one in looks if len(set(one.values)) <= FEW_GRADES and one.is_one_word]
        return min(few, key=lambda one: (not one.are_whole, not one.are_numbers, one.length),
                   default=None)  # fmt: skip
    if name == "rank":
        return next((one for one in looks if one.are_whole and "1" in one.values), None)
    return next((one for one in looks if one.are_numbers and one.different > 0), None)


def unknown(source: Source, columns: Columns, sample: Sample) -> InputError:
    """The refusal of a file whose columns say too little: what there is, and what to type."""
    what = "columns" if sample.is_table else "keys"
    names = ", ".join(one_line(".".join(path), WIDTH) for path in sample.paths[:MOST_NAMES])
    more = ", …" if sample.paths[MOST_NAMES:] else ""
    missing = " and ".join(_expected(columns))
    lines = [f"its {what} are: {names}{more}", *_typed(source, columns, sample)]
    return InputError(
        f"{source.name}: cannot be read as {columns.kind}: no {what[:-1]} for {missing} is known",
        lines,
    )


def _expected(columns: Columns) -> list[str]:
    return [{"rank": "rank or score"}.get(name, name) for name in columns.missing]


def _typed(source: Source, columns: Columns, sample: Sample) -> list[str]:
    typed = guess(columns, sample)
    if not typed:
        return ["say which is which with --columns FIELD=NAME,…"]
    return [
        "say which is which, for instance (a guess, by what is in them):",
        f"  annotator import {columns.kind} --columns {typed} {shlex.quote(one_line(source.name))}",
    ]


def doubtful(source: Source, columns: Columns, sample: Sample) -> InputError:
    """The refusal of a file in which more than one column may be the same thing."""
    name, paths = next(iter(columns.doubts.items()))
    listed = ", ".join(one_line(shown([path]), WIDTH) for path in paths)
    lines = ["it begins:", *_beginning(source), *_readings(source, columns, name, paths)]
    if columns.raters:
        lines.append("several columns of grades are several people's: name each with grade=")
    return InputError(
        f"{source.name}: is not clear: {MEANS[name]} may be {listed}; nothing was imported", lines
    )


def _beginning(source: Source) -> list[str]:
    return [f"  {one_line(line, width=76)}" for line in source.head(SHOWN)]


def _readings(source: Source, columns: Columns, name: str, paths: Sequence[Path]) -> Iterator[str]:
    """How each of the columns may be chosen."""
    for path in paths:
        places = {one: shown(found) for one, found in columns.places.items()}
        places[name] = shown([path])
        if name == "query" and columns.kind is Kind.QUERIES:
            places["text"] = shown([paths[0]]) if path != paths[0] else shown([path])
        typed = shlex.quote(",".join(f"{one}={found}" for one, found in places.items()))
        where = shlex.quote(one_line(source.name))
        yield (
            f"if it is {one_line(shown([path]), WIDTH)}: annotator import {columns.kind} "
            f"--columns {typed} {where}"
        )
