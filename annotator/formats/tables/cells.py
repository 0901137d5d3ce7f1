"""Splits the lines of tables into cells, and puts their quotes right.

A quoted cell is one that begins and ends with a quote and has only doubled ones between. Where tabs
divide the cells any other quote is a letter, and no cell goes beyond its line. Where commas,
semicolons or bars do, a quoted cell may run over lines, and a quote that closes badly is a fault.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator
from typing import TypeAlias

from annotator.formats.input.source import LONGEST_LINE
from annotator.text.plural import counted

DELIMITERS = "\t,;|"
BLANKS = " "
QUOTED = re.compile('"(?:[^"]|"")*"')
TAB_CELL = re.compile(r'("(?:[^"]|"")*"|[^\t]*)(?:\t|$)')
SHOWN = 200
WIDE = 3
"""Columns from which rows that happen to lie inside one quoted cell are not by chance."""

Row: TypeAlias = tuple[int, list[str] | ValueError, str]
"""The line at which a row ends, its cells or what is wrong, and how it looks, tabs as ``\\t``."""


def delimiter_of(line: str, *, or_blanks: bool = False) -> str:
    """What splits a line most; or else blanks, if they may."""
    best = max(DELIMITERS, key=lambda one: (_well_quoted(line, one), len(split(line, one))))
    return BLANKS if or_blanks and len(split(line, best)) == 1 else best


def split(line: str, delimiter: str) -> list[str]:
    """The cells of one line."""
    if delimiter == BLANKS:
        return line.split()
    if delimiter == "\t":
        return [unquoted(cell) for cell in line.split("\t")]
    csv.field_size_limit(LONGEST_LINE)
    try:
        return next(csv.reader([line], delimiter=delimiter), [])
    except csv.Error:
        return [line]


def _well_quoted(line: str, delimiter: str) -> bool:
    """Whether all quotes of a line stand around whole cells, and there are several cells."""
    try:
        cells = next(csv.reader([line], delimiter=delimiter, strict=True), [])
    except csv.Error:
        return False
    return len(cells) > 1


def unquoted(cell: str) -> str:
    """A cell as it was before it was quoted."""
    if not (cell.startswith('"') and QUOTED.fullmatch(cell)):
        return cell
    return cell[1:-1].replace('""', '"')


def tab_cells(line: str, width: int, meaning: str = "as in the heading") -> list[str]:
    """The cells of a line that tabs divide.

    Raises
    ------
    ValueError
        If they are not as many as they must be: why.
    """
    cells = line.split("\t")
    if len(cells) == width:
        return [unquoted(cell) for cell in cells] if '"' in line else cells
    if '"' in line and len(cells) > width:  # a quoted cell may hold a tab
        found = [cell[1] for cell in TAB_CELL.finditer(line)]
        found = found[: len(found) - (not found[-1] and not line.endswith("\t"))]
        if len(found) == width:
            return [unquoted(cell) for cell in found]
    reason = f"expected {counted(width, 'cell')} {meaning}, found {len(cells)}"
    if '"' in line:
        reason += (
            "; in a file with tabs no quoted cell runs over a line end: save the table with "
            "commas, or as JSON lines"
        )
    raise ValueError(reason)


def rows(lines: Iterable[tuple[int, str]], delimiter: str, width: int) -> Iterator[Row]:
    """The rows of a table with so many columns, blank lines left out."""
    if delimiter in DELIMITERS[1:]:
        yield from _quoted_rows(_Lines(lines), delimiter, width)
        return
    for number, line in lines:
        if not line.strip():
            continue
        found: list[str] | ValueError
        try:
            by_blanks = delimiter == BLANKS
            found = _checked(line.split(), width) if by_blanks else tab_cells(line, width)
        except ValueError as fault:
            found = fault
        yield number, found, line.replace("\t", "\\t") if len(line) < SHOWN else line[:SHOWN]


class _Lines:
    """Lines for a CSV reader, which remember those of the row that is being read."""

    def __init__(self, lines: Iterable[tuple[int, str]]) -> None:
        self._lines = iter(lines)
        self.number = 0
        self.row: list[str] = []

    def __iter__(self) -> Iterator[str]:
        for number, line in self._lines:
            self.number = number
            self.row.append(line)
            yield f"{line}\n"

    def shown(self) -> str:
        """The end of the row as it stands in the file."""
        return self.row[-1][:SHOWN]


def _quoted_rows(lines: _Lines, delimiter: str, width: int) -> Iterator[Row]:
    csv.field_size_limit(LONGEST_LINE)
    reader = csv.reader(lines, delimiter=delimiter, strict=True)
    while True:
        lines.row.clear()
        try:
            cells = next(reader)
            if any(map(str.strip, cells)):
                _check_alone(lines.row, delimiter, width)
                yield lines.number, _checked(cells, width), lines.shown()
        except StopIteration:
            return
        except ValueError as fault:
            yield lines.number, fault, lines.shown()
        except csv.Error as error:
            begun = lines.number - len(lines.row) + 1
            if "unexpected end" in str(error):
                reason = "not CSV: a quote opens here that nothing closes"
                yield begun, ValueError(reason), lines.row[0][:SHOWN]
                return
            misquoted = ValueError(_misquoted(error, begun, lines.number))
            yield lines.number, misquoted, lines.shown()
            reader = csv.reader(lines, delimiter=delimiter, strict=True)


def _misquoted(error: csv.Error, begun: int, line: int) -> str:
    if "expected after" not in str(error):
        return f"not CSV: {error}"
    opened = f" that line {begun} opens" if begun < line else ""
    return (
        f"not CSV: a quote{opened} closes before its cell ends; inside a quoted cell write a quote "
        "twice"
    )


def _check_alone(lines: list[str], delimiter: str, width: int) -> None:
    """Refuse a row of several lines that are rows by themselves."""
    if len(lines) > 1 and width >= WIDE:
        alone = csv.reader(lines, delimiter=delimiter, quoting=csv.QUOTE_NONE)
        if all(len(row) == width for row in alone):
            raise ValueError(
                f"not clear: a quote opens {counted(len(lines) - 1, 'line')} above and closes "
                "here, and each of these lines is a whole row by itself; where a quote is a "
                "letter, put its cell in quotes and write it twice"
            )


def _checked(cells: list[str], width: int) -> list[str]:
    if len(cells) != width:
        expected = counted(width, "cell")
        raise ValueError(f"expected {expected} as in the heading, found {len(cells)}")
    return cells
