"""A TREC run: query, Q0, document, rank, score, tag."""

from __future__ import annotations

import gc
from array import array
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from math import isfinite

import numpy as np

from annotator.formats.problems import Problems
from annotator.formats.reader import Reader
from annotator.formats.source import Head, Source
from annotator.records import RunTable

COLUMNS = 6
UNDERSCORE = ord("_")  # Python's own numbers may have it, those of other programs may not


def recognise(head: Head) -> bool:
    """Most lines have Q0 as second of at least five columns, or an integer rank and a score."""
    return sum(map(_fits, head)) * 2 >= len(head)


def _fits(line: str) -> bool:
    fields = line.encode().split()
    if len(fields) < 5 or line.startswith(("{", "[", "<")):
        return False
    if fields[1].upper() == b"Q0":
        return True
    return len(fields) > 5 and not fault(fields)


def read(source: Source, problems: Problems) -> RunTable:
    """Read the ranking; words after the tag are left out, as TREC's own tools do."""
    columns = _Columns()
    with _uncollected():
        for first, rows in source.field_blocks():
            if columns.take(rows, first):
                continue
            for number, fields in enumerate(rows, start=first):
                if fields and not columns.take([fields], number):
                    problems.add(number, fault(fields), b" ".join(fields).decode())
    return columns.table()


@contextmanager
def _uncollected() -> Iterator[None]:
    """Look for no cycles among millions of lists that have none: it takes a third of the time."""
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


class _Codes(dict[bytes, int]):
    """Numbers ids in the order of their first appearance, as they are looked up."""

    def __missing__(self, name: bytes) -> int:
        self[name] = code = len(self)
        return code


class _Columns:
    """The columns of a run as they fill, many rows at a time: row by row takes twice as long."""

    def __init__(self) -> None:
        self.qids, self.docids = _Codes(), _Codes()
        self.query, self.document = array("i"), array("i")
        self.rank, self.score, self.line = array("q"), array("d"), array("q")

    def take(self, rows: Sequence[Sequence[bytes]], first: int) -> bool:
        """Add the rows of successive lines; if one is bad or empty, none, and say so."""
        if min(map(len, rows)) < COLUMNS:
            return False
        qids, _, docids, places, points, *_ = zip(*rows, strict=False)
        if UNDERSCORE in b"".join(places) or UNDERSCORE in b"".join(points):
            return False
        try:
            rank, score = array("q", map(int, places)), array("d", map(float, points))
        except (ValueError, OverflowError):
            return False
        if not all(map(isfinite, score)):
            return False
        self.rank += rank
        self.score += score
        self.line.extend(range(first, first + len(rows)))
        self.query.extend(map(self.qids.__getitem__, qids))
        self.document.extend(map(self.docids.__getitem__, docids))
        return True

    def table(self) -> RunTable:
        """All rows so far."""
        return RunTable(
            qids=[qid.decode() for qid in self.qids],
            docids=[docid.decode() for docid in self.docids],
            query=np.array(self.query, dtype=np.int32),
            document=np.array(self.document, dtype=np.int32),
            rank=np.array(self.rank, dtype=np.int64),
            score=np.array(self.score, dtype=np.float64),
            line=np.array(self.line, dtype=np.int64),
        )


def fault(fields: Sequence[bytes]) -> str:
    """Say what is wrong with a line's columns; empty if nothing is."""
    if len(fields) < 6:
        return f"expected 6 columns (query Q0 document rank score tag), found {len(fields)}"
    rank, score = fields[3], fields[4]
    if (place := _number(int, rank)) is None:
        return f"the rank must be an integer, not {rank.decode()}"
    if not -(2**63) <= place < 2**63:
        return f"the rank is out of range: {rank.decode()}"
    if (value := _number(float, score)) is None:
        expected = "a number with a decimal point" if b"," in score else "a number"
        return f"the score must be {expected}, not {score.decode()}"
    if not isfinite(value):
        return f"the score must be finite, not {score.decode()}"
    return ""


def _number(convert: type[int] | type[float], text: bytes) -> float | None:
    try:
        return None if UNDERSCORE in text else convert(text)
    except ValueError:
        return None


READER = Reader(
    name="trec",
    title="TREC run (query Q0 document rank score tag)",
    recognise=recognise,
    read=read,
)
