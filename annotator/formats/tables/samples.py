"""The first records of a file, by which its columns are known."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from annotator.formats.fields import Path
from annotator.formats.input.source import Head
from annotator.formats.json import nested
from annotator.formats.json import records as json_records
from annotator.formats.json_values import Record
from annotator.formats.tables import cells
from annotator.formats.tables import table as tables

MOST = 200
LONG = 40
TRIED = 20


@dataclass(frozen=True, eq=False)
class Sample:
    """Some records, with all paths to their values; ``is_table`` if their keys are headings."""

    records: Sequence[Record]
    paths: Sequence[Path]
    is_table: bool

    @classmethod
    def of_objects(cls, records: Sequence[Record]) -> Sample:
        """Records of JSON."""
        return cls(records, nested.paths(records), is_table=False)

    @cached_property
    def lists(self) -> frozenset[Path]:
        """The paths to lists of values, and to objects such as ``{document: grade}``."""
        return frozenset(
            path
            for path in self.paths
            if isinstance(next(filter(None, self.values(path)), None), list | dict)
        ) | frozenset(self._empty_lists())

    def _empty_lists(self) -> Iterable[Path]:
        for path in self.paths:
            values = [value for value in self.values(path) if value is not None]
            if values and all(value == [] for value in values):
                yield path

    def values(self, path: Path) -> list[object]:
        """What stands there, of every row; nothing where it is missing."""
        if self.is_table:
            return [record.get(path[0]) for record in self.records]
        return [row[path] for row in self.rows(path) if path in row]

    def rows(self, *wanted: Path) -> Iterable[nested.Values]:
        """The rows with these values."""
        tree = nested.tree(wanted)
        for record in self.records:
            try:
                yield from nested.rows(record, tree)
            except ValueError:
                continue

    def are_equal(self, paths: Iterable[Path]) -> bool:
        """Whether no row has two of the paths with different values."""
        several = list(paths)
        return all(
            len({str(row[path]) for path in several if row.get(path) is not None}) < 2
            for row in self.rows(*several)
        )


def sample(head: Head, *, headless: bool = False) -> Sample:
    """The first records of what may be a table or JSON."""
    return _sample(head.text if len(head) > 1 or "\n" in head.text else head[0], headless)


@lru_cache(maxsize=4)
def _sample(text: str, headless: bool) -> Sample:
    lines = [line for line in text.split("\n") if line.strip() and not line.startswith("#")]
    head = Head(lines[:TRIED], text)
    if json_records.shape(head) is not None:
        return Sample.of_objects(json_records.sample(head))
    every = [line for line in text.split("\n") if line.strip()]
    delimiter = cells.delimiter_of(every[0], or_blanks=headless)
    names = tables.names(cells.split(every[0], delimiter))
    if len(names) > nested.MOST_PATHS:
        return Sample([], [], is_table=True)
    if headless:
        names = [str(place) for place in range(1, len(names) + 1)]
    numbered = enumerate(every[0 if headless else 1 :][:MOST], start=1)
    found = cells.rows(numbered, delimiter, len(names))
    records: list[Record] = [
        dict(zip(names, row, strict=True)) for _, row, _ in found if isinstance(row, list)
    ]
    return Sample(records, [(name,) for name in names], is_table=True)
