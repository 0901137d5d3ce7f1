"""A table below a line of headings, or without one: its rows as records by heading."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import TypeAlias

from annotator.errors import InputError
from annotator.formats.input.source import Source
from annotator.formats.json_values import Record
from annotator.formats.problems import Problems
from annotator.formats.tables import cells
from annotator.text.csv_formulas import original

UNNAMED = "column "
Numbered: TypeAlias = Iterable[tuple[int, str]]


def names(headings: Sequence[str]) -> list[str]:
    """The headings as names that are there once: ``rating`` and ``rating.4``."""
    seen: set[str] = set()
    unique = []
    for place, heading in enumerate(headings, start=1):
        name = heading.strip() or f"{UNNAMED}{place}"
        unique.append(f"{name}.{place}" if name in seen else name)
        seen.add(name)
    return unique


def records(
    source: Source, problems: Problems, *, headless: bool = False
) -> Iterator[tuple[int, Record]]:
    """The rows of a file with the line at which each ends; bad ones are noted.

    Without headings the columns are called 1, 2, ….

    Raises
    ------
    InputError
        If the file is empty.
    """
    lines = source.lines()
    number, first = next(((at, line) for at, line in lines if line.strip()), (0, ""))
    if not first:
        raise InputError(f"{source.name}: is empty")
    delimiter = cells.delimiter_of(first, or_blanks=headless)
    found = cells.split(first, delimiter)
    if headless:
        lines = chain([(number, first)], lines)
        found = [str(place) for place in range(1, len(found) + 1)]
    any_row = False
    for row in _rows(lines, delimiter, names(found), problems):
        any_row = True
        yield row
    if not (any_row or problems.count):
        raise InputError(f"{source.name}: has headings and no row below them")


def _rows(
    lines: Numbered, delimiter: str, headings: Sequence[str], problems: Problems
) -> Iterator[tuple[int, Record]]:
    for number, row, shown in cells.rows(lines, delimiter, len(headings)):
        if isinstance(row, ValueError):
            problems.add(number, str(row), shown)
        else:
            yield number, dict(zip(headings, map(original, row), strict=True))
