"""The rows of tables and JSON files by field, whatever their columns and keys are called."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from annotator.errors import UsageError
from annotator.formats import json_values
from annotator.formats.fields import Path, is_known
from annotator.formats.hints import Hints
from annotator.formats.input.source import Head, Source
from annotator.formats.json import nested
from annotator.formats.json import records as json_records
from annotator.formats.json_values import Record
from annotator.formats.problems import Problems
from annotator.formats.reader import Kind
from annotator.formats.tables import advice
from annotator.formats.tables import table as tables
from annotator.formats.tables.columns import JOINED, Columns, decided, dotted
from annotator.formats.tables.samples import Sample, sample
from annotator.text.safe import one_line

SHOWN = 20
LONGEST_SHOWN = 200


class Row(NamedTuple):
    """One row: its line, what its fields hold, and all that the file has of it.

    Only fields that the file has are in ``values``. ``raters`` has the grade of each.
    """

    line: int
    columns: Columns
    values: Mapping[str, object]
    raters: Mapping[str, object]
    record: Record

    def id(self, name: str) -> str:
        """The id that a field holds.

        Raises
        ------
        ValueError
            With the reason, if it holds none.
        """
        called = self.columns.names.get(name, name)
        return json_values.identifier({called: self.values.get(name)}, (called,)).strip()

    def text(self, name: str) -> str | None:
        """The text that a field holds, if it holds any.

        Raises
        ------
        ValueError
            If it holds something else.
        """
        called = self.columns.names.get(name, name)
        return json_values.text({called: self.values.get(name)}, (called,))

    def shown(self) -> str:
        """The row as the file has it, or nearly so."""
        if self.columns.is_table:
            return ",".join(map(str, self.record.values()))[:LONGEST_SHOWN]
        return json.dumps(self.record, ensure_ascii=False, default=str)[:LONGEST_SHOWN]


def columns_of(kind: Kind, head: Head) -> tuple[Columns, Sample]:
    """What the columns of a file seem to hold, by its beginning."""
    found = sample(head)
    return decided(kind, found, {}), found


def is_json(head: Head) -> bool:
    """Whether the file has objects rather than lines of cells."""
    return json_records.shape(head) is not None


def chosen(source: Source, problems: Problems, kind: Kind) -> Columns:
    """What the columns of a file hold, of which each row has all; what was taken is noted.

    What is raised is as in :func:`rows`.
    """
    return _Choice(source, problems, kind, sample(source.head())).columns


def rows(source: Source, problems: Problems, kind: Kind) -> Iterator[Row]:
    """Every row; bad lines are noted, and so is what was taken for what.

    Raises
    ------
    InputError
        If a field that is needed is not there, or may be more than one column.
    UsageError
        If the hints name a column that is not there.
    """
    head, hints = source.head(), source.hints
    headless = _by_number(hints, head)
    found = sample(head, headless=headless)
    if found.is_table:
        records = tables.records(source, problems, headless=headless)
    else:
        records = json_records.records(source, problems)
    return rows_of(source, problems, kind, found, records)


def rows_of(
    source: Source,
    problems: Problems,
    kind: Kind,
    found: Sample,
    records: Iterable[tuple[int, Record]],
) -> Iterator[Row]:
    """The same of records, however the file holds them, of which a sample was looked at."""
    choice = _Choice(source, problems, kind, found)
    for line, record in records:
        if not record.keys() <= choice.known:
            choice.extend(record)
        try:
            made = [choice.row(line, record, values) for values in choice.values(record)]
        except ValueError as fault:
            problems.add(line, str(fault))
            continue
        yield from made


class _Choice:
    """The columns of a file, which further keys of later lines may add to."""

    def __init__(self, source: Source, problems: Problems, kind: Kind, found: Sample) -> None:
        self._source, self._problems, self._kind = source, problems, kind
        self._sample = found
        self._decide()

    def extend(self, record: Record) -> None:
        """Take in a record that has keys which were not there before."""
        records = [*self._sample.records, record]
        self._sample = Sample.of_objects(records)
        self._decide()

    def _decide(self) -> None:
        found, hints = self._sample, self._source.hints
        named = {
            name: [path for heading in headings for path in self._named(heading)]
            for name, headings in hints.columns.items()
        }
        self.columns = decided(self._kind, found, named)
        if self.columns.doubts:
            raise advice.doubtful(self._source, self.columns, found)
        if self.columns.missing:
            raise advice.unknown(self._source, self.columns, found)
        self.known = {path[0] for path in found.paths}
        wanted = self.columns.paths()
        self._tree = nested.tree(wanted)
        self._is_flat = all(len(path) == 1 for path in wanted)
        self._problems.read_as = self.columns.said()
        self._problems.unused = [dotted(path) for path in self.columns.unused]

    def values(self, record: Record) -> Sequence[nested.Values]:
        """What stands at the chosen places, in one row or several."""
        if self._is_flat:
            return [{(key,): record[key] for key in self._tree if key in record}]
        return nested.rows(record, self._tree)

    def row(self, line: int, record: Record, values: nested.Values) -> Row:
        """The values by field."""
        named: dict[str, object] = {}
        for name, paths in self.columns.places.items():
            if len(paths) > 1:
                named[name] = _joined(values, paths)
                continue
            several = (*paths, *self.columns.others.get(name, ()))
            there = [values[path] for path in several if path in values]
            if there:
                named[name] = next((one for one in there if one is not None), None)
        raters = {whose: values.get(path) for path, whose in self.columns.raters.items()}
        return Row(line, self.columns, named, raters, record)

    def _named(self, heading: str) -> list[Path]:
        """The paths that a person calls so.

        Raises
        ------
        UsageError
            If there are none.
        """
        if path := self._path(heading):
            return [path]
        parts = [self._path(part) for part in heading.split("+")]
        if len(parts) > 1 and all(parts):
            return [part for part in parts if part]
        what = "column" if self._sample.is_table else "key"
        names = ", ".join(one_line(dotted(path), 40) for path in self._sample.paths[:SHOWN])
        raise UsageError(
            f"{self._source.name}: has no {what} {one_line(heading, 40)}; its {what}s are: {names}"
        )

    def _path(self, heading: str) -> Path | None:
        exact = {dotted(path): path for path in self._sample.paths}
        loose = {name.lower(): path for name, path in reversed(exact.items())}
        return exact.get(heading) or loose.get(heading.lower())


def _joined(values: nested.Values, paths: Sequence[Path]) -> str:
    """One id of several values, as conversations have ``topic_turn``."""
    parts = [
        json_values.identifier({dotted(path): values.get(path)}, (dotted(path),)) for path in paths
    ]
    return JOINED.join(part.strip() for part in parts)


def _by_number(hints: Hints, head: Head) -> bool:
    """Whether the columns are named by number, since there are no headings.

    Raises
    ------
    UsageError
        If there are headings nevertheless.
    """
    names = {part for one in hints.columns.values() for name in one for part in name.split("+")}
    if not names or not all(map(str.isdecimal, names)) or is_json(head):
        return False
    headings = [path[0] for path in sample(head).paths]
    if known := [name for name in headings if is_known((name,))]:
        raise UsageError(
            f"--columns by number is for a table without headings, and the first line has "
            f"{one_line(known[0], 40)}: name the columns by their headings"
        )
    return not names <= set(headings)
