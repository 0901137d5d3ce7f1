"""What the readers of tables share: CSV, TSV or semicolons, below a line of headings."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Mapping, Sequence

from annotator.counted import counted
from annotator.errors import InputError, UsageError
from annotator.formats.problems import Problems
from annotator.formats.source import LONGEST_LINE, Source
from annotator.formulas import original
from annotator.sanitise import one_line

DELIMITERS = "\t,;"

# What a column is called, without blanks, hyphens and underscores.
NAMES: Mapping[str, frozenset[str]] = {
    "qid": frozenset({"qid", "queryid", "topic", "topicid", "topicnumber"}),
    "query": frozenset({"query", "querytext", "keyword", "keywords", "searchterm", "question"}),
    "docid": frozenset(
        {"docid", "documentid", "corpusid", "pid", "passageid", "productid", "docno", "document"}
    ),
    "grade": frozenset(
        {"grade", "rating", "relevance", "label", "judgment", "judgement", "gain", "rel"}
    ),
    "assessor": frozenset({"assessor", "rater", "judge", "annotator", "user", "useremail"}),
    "rank": frozenset({"rank", "position", "docposition"}),
    "score": frozenset({"score"}),
    "id": frozenset({"id"}),
    "title": frozenset({"title", "name"}),
    "text": frozenset({"text", "contents", "content", "body", "description"}),
    "url": frozenset({"url", "link"}),
}


def headings(line: str) -> list[str]:
    """The cells of a line that may be one of headings, split at what splits it most."""
    return [cell.strip() for cell in _cells(line, _delimiter(line))]


def fields(cells: Sequence[str]) -> dict[str, list[int]]:
    """Where each known field stands among the headings."""
    found: dict[str, list[int]] = {}
    for place, cell in enumerate(cells):
        plain = re.sub(r"[\s_-]", "", cell).lower()
        for field, names in NAMES.items():
            if plain in names:
                found.setdefault(field, []).append(place)
    return found


class Table:
    """A table whose columns are known by their headings, or by what the hints say of them.

    Raises
    ------
    InputError
        If the file is empty, or its first line cannot be read.
    UsageError
        If the hints name a heading that is not there.
    """

    def __init__(self, source: Source, problems: Problems) -> None:
        self._source, self._problems = source, problems
        first = next((line for _, line in source.lines() if line.strip()), "")
        if not first:
            raise InputError(f"{source.name}: is empty")
        self._delimiter = _delimiter(first)
        self.headings = headings(first)
        self.fields = fields(self.headings)
        for field, names in source.hints.columns.items():
            self.fields[field] = [self._place(name) for name in names]

    def _place(self, name: str) -> int:
        lower = [heading.lower() for heading in self.headings]
        if name.lower() not in lower:
            shown = ", ".join(one_line(heading, width=40) for heading in self.headings[:20])
            raise UsageError(f"{self._source.name}: has no column {name}; its columns are: {shown}")
        return lower.index(name.lower())

    def place(self, *names: str) -> int | None:
        """Where the first of these fields that is there stands."""
        return next((self.fields[name][0] for name in names if name in self.fields), None)

    def needed(self, *names: str) -> int:
        """Where the first of these fields that is there stands; one must be.

        Raises
        ------
        InputError
            If none is.
        """
        place = self.place(*names)
        if place is None:
            shown = ", ".join(one_line(heading, width=40) for heading in self.headings[:20])
            raise InputError(
                f"{self._source.name}: no column is called {' or '.join(names)}; its columns are: "
                f"{shown}; say which it is: --columns {names[-1]}=HEADING"
            )
        return place

    def rows(self) -> Iterator[tuple[int, list[str]]]:
        """The rows below the headings with the line each ends at; other lengths are noted."""
        csv.field_size_limit(LONGEST_LINE)
        reader = csv.reader(
            (f"{line}\n" for _, line in self._source.lines()),
            delimiter=self._delimiter,
            strict=True,
        )
        seen_heading = False
        while True:
            try:
                row = next(reader)
            except StopIteration:
                return
            except csv.Error as error:
                self._problems.add(reader.line_num, f"not CSV: {error}")
                return
            if not any(map(str.strip, row)):
                continue
            if not seen_heading:
                seen_heading = True
            elif len(row) != len(self.headings):
                cells = counted(len(self.headings), "cell")
                self._problems.add(
                    reader.line_num,
                    f"expected {cells} as in the heading, found {len(row)}",
                    self._delimiter.join(row),
                )
            else:
                yield reader.line_num, [original(cell) for cell in row]


def _delimiter(line: str) -> str:
    return max(DELIMITERS, key=lambda delimiter: len(_cells(line, delimiter)))


def _cells(line: str, delimiter: str) -> list[str]:
    csv.field_size_limit(LONGEST_LINE)
    try:
        return next(csv.reader([line], delimiter=delimiter), [])
    except csv.Error:
        return [line]
