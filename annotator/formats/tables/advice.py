"""What to type where a file's columns are not known: a guess by what is in them, to be checked."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from annotator.errors import InputError
from annotator.formats.ambiguous import command
from annotator.formats.fields import Path
from annotator.formats.hints import typed_list
from annotator.formats.input.source import Source
from annotator.formats.reader import Kind
from annotator.formats.tables.columns import Columns, decided, shown
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


def guess(columns: Columns, sample: Sample) -> dict[str, Path]:
    """What may be which: what is known by name, and the rest by what it looks like."""
    places = {name: paths[0] for name, paths in columns.places.items()}
    looks = [look for path in columns.unused if (look := _look(sample, path))]
    found: dict[str, Path] = {}
    for name in WANTED[columns.kind]:
        free = [one for one in looks if one.path not in found.values()]
        if name in places:
            found[name] = places[name]
        elif best := _best(columns.kind, name, free):
            found[name] = best.path
    lists = [path for path in columns.unused if path in sample.lists]
    if columns.kind is Kind.DOCUMENTS and "docid" not in found and "url" in places:
        found["docid"] = places.pop("url")
    elif lists and columns.kind is not Kind.DOCUMENTS and "docid" not in places:
        found["docid"] = lists[0]
        found.pop("rank", None)
        found.pop("grade", None)
    if "rank" in found or found.get("docid") in sample.lists:
        found.pop("score", None)
    order = ("query", "docid", "text", "title", "grade", "rank", "score", "assessor")
    found |= {name: path for name, path in places.items() if name not in found}
    return {name: found[name] for name in order if name in found}


def _typed(found: Mapping[str, Path]) -> str:
    return typed_list(f"{name}={shown([path])}" for name, path in found.items())


def _look(sample: Sample, path: Path) -> _Look | None:
    values = [value for value in sample.values(path) if value not in (None, "")]
    if not values or any(isinstance(value, dict) for value in values):
        return None
    flat = [one[0] if isinstance(one, list) and len(one) == 1 else one for one in values]
    if any(isinstance(one, list | float | bool) and not isinstance(one, float) for one in flat):
        return None
    return _Look(path, [str(one).strip() for one in flat])


def _best(kind: Kind, name: str, looks: Sequence[_Look]) -> _Look | None:
    """The column that looks most like the field, if any does."""
    if name in ("query", "docid"):
        return _best_id(kind, name, looks)
    if name == "text":
        return max(looks, key=lambda one: one.length, default=None)
    if name == "title":
        fit = [one for one in looks if not one.are_numbers]
        return max(fit, key=lambda one: one.length, default=None)
    if name == "grade":
        few = [one for one in looks if len(set(one.values)) <= FEW_GRADES and one.is_one_word]
        return min(reversed(few), key=_grade_likeness, default=None)
    if name == "rank":
        return next((one for one in looks if one.are_whole and "1" in one.values), None)
    return next((one for one in looks if one.are_numbers and one.different > 0), None)


def _grade_likeness(look: _Look) -> tuple[bool, bool, bool, float]:
    """The less, the more a column looks like grades: whole numbers, not all the same, short."""
    constant = len(set(look.values)) == 1
    return not look.are_whole, not look.are_numbers, constant, look.length


def _best_id(kind: Kind, name: str, looks: Sequence[_Look]) -> _Look | None:
    """The most different words; of a query in many rows, the first that come again."""
    fit = [one for one in looks if one.is_one_word and one.length <= 2 * WIDTH]
    if name == "query" and kind in (Kind.RUN, Kind.QRELS) and fit:
        again = [one for one in fit if one.different < 1 and not one.are_whole]
        return [*again, *fit][0]
    if fit or name == "docid":
        return max(fit, key=lambda one: one.different, default=None)
    return min(looks, key=lambda one: one.length, default=None)


def unknown(source: Source, columns: Columns, sample: Sample) -> InputError:
    """The refusal of a file whose columns say too little: what there is, and what to type."""
    what = "columns" if sample.is_table else "keys"
    names = ", ".join(one_line(".".join(path), WIDTH) for path in sample.paths[:MOST_NAMES])
    more = ", …" if sample.paths[MOST_NAMES:] else ""
    missing = " and ".join(_expected(columns))
    lines = [f"its {what} are: {names}{more}", *_guessed(source, columns, sample)]
    return InputError(
        f"{source.name}: cannot be read as {columns.kind}: no {what[:-1]} for {missing} is known",
        lines,
    )


def headless(kind: Kind, source: Source, sample: Sample) -> InputError:
    """The refusal of a table without headings: its columns by number, as they may be."""
    why = f"{source.name}: cannot be read as {kind}: it is a table without headings"
    lines = ["it begins:", *_beginning(source), "put a line of headings above it"]
    return InputError(why, [*lines, *_guessed(source, decided(kind, sample, {}), sample)])


def _expected(columns: Columns) -> list[str]:
    return [{"rank": "rank or score"}.get(name, name) for name in columns.missing]


def _guessed(source: Source, columns: Columns, sample: Sample) -> list[str]:
    """The command that reads the file so, if there is one."""
    found = guess(columns, sample)
    made = decided(columns.kind, sample, {name: [path] for name, path in found.items()})
    if made.missing:
        return [f"none of them looks like {' or '.join(_expected(made))}"]
    return [
        "say which is which, for instance (a guess, by what is in them):",
        f"  {command(columns.kind, source, '--columns', _typed(found))}",
    ]


def doubtful(source: Source, columns: Columns, sample: Sample) -> InputError:
    """The refusal of a file in which more than one column may be the same thing."""
    name, paths = next(iter(columns.doubts.items()))
    listed = ", ".join(one_line(shown([path]), WIDTH) for path in paths)
    lines = ["it begins:", *_beginning(source), *_readings(source, columns, name, paths)]
    if columns.raters:
        lines.append("several columns of grades are several people's: name each with grade=")
    what = MEANS.get(name, f"the {name}")
    return InputError(f"{source.name}: is not clear: {what} may be {listed}", lines)


def _beginning(source: Source) -> list[str]:
    return [f"  {one_line(line, width=76)}" for line in source.head(SHOWN)]


def _readings(source: Source, columns: Columns, name: str, paths: Sequence[Path]) -> Iterator[str]:
    """How each of the columns may be chosen."""
    for path in paths:
        places = {one: shown(found) for one, found in columns.places.items()}
        places[name] = shown([path])
        if name == "query" and columns.kind is Kind.QUERIES:
            places["text"] = shown([paths[0]]) if path != paths[0] else shown([path])
        typed = typed_list(f"{one}={found}" for one, found in places.items())
        how = command(columns.kind, source, "--columns", typed)
        yield f"if it is {one_line(shown([path]), WIDTH)}: {how}"
