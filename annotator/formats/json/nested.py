"""Objects inside objects: what paths there are, and rows of what stands at some of them.

A list of objects makes a row of each; a list of anything else is one value.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TypeAlias

from annotator.formats.fields import SURE, Path, plain
from annotator.formats.json_values import Record

DEEPEST = 8
MOST_PATHS = 500
MOST_ROWS = 1_000_000
DOCUMENTS = {*SURE["docids"], *SURE["relevant"]}

Tree: TypeAlias = dict[str, "Tree | None"]
Values: TypeAlias = dict[Path, object]


def paths(records: Iterable[Record]) -> list[Path]:
    """The paths to values in any of the objects, in order of appearance."""
    found: dict[Path, None] = {}
    for record in records:
        for path in _paths(record, ()):
            found[path] = None
            if len(found) == MOST_PATHS:
                return list(found)
    return list(found)


def _paths(record: Record, above: Path) -> Iterator[Path]:
    for key, value in record.items():
        path = (*above, key)
        inside = objects_in(value)
        if inside and len(path) < DEEPEST and not _is_rated(path, value):
            for one in inside:
                yield from _paths(one, path)
        else:
            yield path


def _is_rated(path: Path, value: object) -> bool:
    """Whether it is a list of documents written as an object: ``{document: grade}``."""
    return (
        isinstance(value, dict)
        and plain(path[-1]) in DOCUMENTS
        and all(isinstance(one, int | float) for one in value.values())
    )


def objects_in(value: object) -> list[Record]:
    """The objects that a value is, or that it lists."""
    if isinstance(value, list):
        return [one for one in value if isinstance(one, dict)]
    return [value] if isinstance(value, dict) and value else []


def tree(wanted: Iterable[Path]) -> Tree:
    """The paths by their keys; None is the end of one."""
    top: Tree = {}
    for path in sorted(wanted, key=len):
        node = top
        for key in path[:-1]:
            inside = node.get(key)
            if inside is None:
                inside = node[key] = {}
            node = inside
        node.setdefault(path[-1], None)
    return top


def rows(record: Mapping[str, object], wanted: Tree, above: Path = ()) -> list[Values]:
    """A row for each entry of the lists of objects on the way to what is wanted.

    Raises
    ------
    ValueError
        If a list has something else than objects, or there are too many rows.
    """
    found: list[Values] = [{}]
    for key, inside in wanted.items():
        if key not in record:
            continue
        path, value = (*above, key), record[key]
        if inside is None:
            for row in found:
                row[path] = value
            continue
        parts = _parts(value, inside, path)
        if len(found) * len(parts) > MOST_ROWS:
            raise ValueError(f"more than {MOST_ROWS:,} rows in one object")
        found = [{**row, **part} for row in found for part in parts]
    return found


def _parts(value: object, inside: Tree, path: Path) -> list[Values]:
    if value is None:
        return [{}]
    entries = value if isinstance(value, list) else [value]
    found: list[Values] = []
    for entry in entries:
        if not isinstance(entry, dict):
            where = ".".join(path)[:60]
            raise ValueError(f"expected an object, or a list of objects, under {where}")
        found += rows(entry, inside, path)
    return found
