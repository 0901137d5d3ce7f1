"""Rows of a SQLite file without SQLite: every page of rows is read, whatever leads to it or not.

The format is described at https://www.sqlite.org/fileformat2.html. A table's pages are known by
what their rows look like: strict tables differ in how many values of which kind they hold.
"""

from __future__ import annotations

import sqlite3
import struct
from collections.abc import Container, Iterator, Sequence
from contextlib import closing
from mmap import mmap
from typing import Any, NamedTuple

from annotator.store.sqlite.schema import statements

Row = dict[str, Any]
Content = bytes | mmap

_LEAF = 13  # the first byte of a page with rows of a table
_FILE_HEADER, _PAGE_HEADER = 100, 8
_WIDTHS = (0, 1, 2, 3, 4, 6, 8)
_KINDS: dict[str, tuple[type, ...]] = {
    "INTEGER": (int,),
    "TEXT": (str,),
    "BLOB": (bytes,),
    "REAL": (int, float),
}


class _Column(NamedTuple):
    name: str
    kinds: tuple[type, ...]
    needed: bool

    def takes(self, value: Any) -> bool:
        return not self.needed if value is None else isinstance(value, self.kinds)


def shapes() -> dict[str, list[_Column]]:
    """The columns of every table, the first of which is the row's number and stored as nothing."""
    with closing(sqlite3.connect(":memory:")) as empty:
        for statement in statements():
            empty.execute(statement)
        return {
            table: [
                _Column(name, _KINDS[kind], bool(needed))
                for _, name, kind, needed, _, _ in empty.execute(f"PRAGMA table_info({table})")
            ]
            for (table,) in empty.execute(
                "SELECT name FROM pragma_table_list WHERE strict AND NOT wr"
            )
        }


def carved(
    content: Content, columns: Sequence[_Column], known: Container[int] = ()
) -> Iterator[tuple[int, Row]]:
    """The rows of a table on all pages, but those whose numbers are known; a row may come twice."""
    for number, payload in _cells(content, known):
        try:
            row = _row(_record(payload, len(columns)), columns)
        except (IndexError, ValueError, struct.error):  # nothing that could be a row
            continue
        if row is not None:
            yield number, row


def _cells(content: Content, known: Container[int]) -> Iterator[tuple[int, bytes]]:
    """What may be rows, but those whose numbers are known: number and content."""
    size = _page_size(content)
    for start in range(0, len(content) - size + 1, size):
        header = start or _FILE_HEADER
        if content[header] != _LEAF:
            continue
        cells = int.from_bytes(content[header + 3 : header + 5], "big")
        first = header + _PAGE_HEADER
        for at in range(first, min(first + 2 * cells, start + size - 1), 2):
            cell = start + int.from_bytes(content[at : at + 2], "big") % size
            try:
                length, after = _varint(content, cell)
                number, after = _varint(content, after)
                payload = b"" if number in known else _payload(content, after, length, size)
            except (IndexError, ValueError):
                continue
            if payload:
                yield number, payload


def _page_size(content: Content) -> int:
    said = int.from_bytes(content[16:18], "big")
    if said == 1:
        return 65536
    return said if said >= 512 and not said & (said - 1) else 4096  # as this program makes files


def _varint(content: Content, at: int) -> tuple[int, int]:
    """A number of one to nine bytes, and where it ends."""
    value = 0
    for end in range(at, at + 8):
        value = value << 7 | content[end] & 0x7F
        if content[end] < 0x80:
            return value, end + 1
    value = value << 8 | content[at + 8]
    return value - (1 << 64 if value >> 63 else 0), at + 9


def _payload(content: Content, at: int, length: int, size: int) -> bytes:
    """What a cell holds: on its page, and on a chain of further pages where it is long.

    It may be more than the row, which says itself where it ends, or less where pages are lost.
    """
    most, least = size - 35, (size - 12) * 32 // 255 - 23
    if 0 < length <= most:
        return content[at : at - at % size + size]
    if not 0 < length <= len(content):
        raise ValueError
    here = least + (length - least) % (size - 4)
    here = here if here <= most else least
    parts = [content[at : at + here]]
    page, left = int.from_bytes(content[at + here : at + here + 4], "big"), length - here
    while left > 0 and 1 < page <= len(content) // size:
        start = (page - 1) * size
        page = int.from_bytes(content[start : start + 4], "big")
        parts.append(content[start + 4 : start + size])
        left -= size - 4
    return b"".join(parts)


def _record(payload: bytes, count: int) -> list[Any]:
    """The values of a row, a text that is none in UTF-8 with signs for what cannot be read.

    None at all where there are not ``count`` of them, the first of which is the row's number and
    stored as nothing. Texts and bytes may be cut short; whether they are as they were stored is for
    others to find.
    """
    body, at = _varint(payload, 0)
    kinds = []
    while at < body:
        kind, at = _varint(payload, at)
        kinds.append(kind)
    if len(kinds) != count or kinds[0] != 0:
        return []
    values: list[Any] = []
    for kind in kinds:
        if kind in (10, 11) or kind < 0:
            raise ValueError
        width = _WIDTHS[kind] if kind < 7 else 8 if kind == 7 else max(0, kind - 12) // 2
        raw = payload[body : body + width]
        if len(raw) < width and kind < 12:
            raise ValueError
        values.append(_value(kind, raw))
        body += width
    return values


def _value(kind: int, raw: bytes) -> Any:
    if kind == 0:
        return None
    if kind < 7:
        return int.from_bytes(raw, "big", signed=True)
    if kind == 7:
        return struct.unpack(">d", raw)[0]
    if kind < 10:
        return kind - 8
    return raw.decode("utf-8", "replace") if kind % 2 else raw


def _row(values: Sequence[Any], columns: Sequence[_Column]) -> Row | None:
    """The values by their names, if they can be a row of the table."""
    if not values:
        return None
    named = dict(zip((one.name for one in columns), values, strict=True))
    for column in columns[1:]:
        value = named[column.name]
        if not column.takes(value):
            if column.needed or column is not columns[-1]:
                return None
            value = named[column.name] = None  # damaged alone, and the row is known without it
        if column.kinds == _KINDS["REAL"] and value is not None:
            named[column.name] = float(value)
    del named[columns[0].name]
    return named
