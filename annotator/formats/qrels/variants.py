"""TREC qrels with other columns than four, or whose second column means something.

None of them is recognised by itself, since the same columns can mean different things: a person
names the one with ``--as``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from annotator.domain import Qrel
from annotator.formats.grades import grade
from annotator.formats.input.source import Head, Source
from annotator.formats.problems import Problems
from annotator.formats.reader import Reader
from annotator.text.plural import counted


def never(_head: Head) -> bool:
    """Such a file is only read on request."""
    return False


def _reading(columns: int, make: Callable[[list[str], int], Qrel]) -> Callable[..., Iterator[Qrel]]:
    """A reader of lines of so many columns."""

    def read(source: Source, problems: Problems) -> Iterator[Qrel]:
        """Read the judgments as the format's title says."""
        for number, fields in source.fields():
            words = [field.decode() for field in fields]
            try:
                if len(words) != columns:
                    raise ValueError(f"expected {counted(columns, 'column')}, found {len(words)}")
                *ids, value = words if columns < 5 else words[:4]
                rating = grade(value, source.hints.grades)
            except ValueError as fault:
                problems.add(number, str(fault), " ".join(words))
            else:
                yield make(ids, rating)._replace(line=number)

    return read


def _highest(read: Callable[..., Iterator[Qrel]]) -> Callable[..., Iterator[Qrel]]:
    """A reader that keeps the highest grade of each pair, where it first stands."""

    def read_highest(source: Source, problems: Problems) -> Iterator[Qrel]:
        """Read the judgments as the format's title says."""
        best: dict[tuple[str, str], Qrel] = {}
        for row in read(source, problems):
            pair = (row.qid, row.docid)
            if pair not in best or row.grade > best[pair].grade:
                best[pair] = row
        return iter(best.values())

    return read_highest


def _is_ntcir(head: Head) -> bool:
    """Every line has a topic, a document and a level such as L2."""
    return all(NTCIR.fullmatch(line) for line in head[:-1] or head)


def _read_ntcir(source: Source, problems: Problems) -> Iterator[Qrel]:
    """Read the judgments; level 2 is grade 2."""
    for number, line in source.content_lines():
        if row := NTCIR.fullmatch(line):
            yield Qrel(row[1], row[2], grade(row[3], source.hints.grades), number)
        else:
            problems.add(number, "expected a topic, a document and a level such as L2", line)


_FOUR = _reading(4, lambda ids, value: Qrel(ids[0], ids[2], value, 0))

NTCIR = re.compile(r"\s*(\S+)\s+(\S+)\s+L([0-9]{1,9})\s*", re.ASCII)

QRELS_VARIANTS = (
    Reader(
        name="ntcir",
        title="NTCIR judgments (topic document L2)",
        recognise=_is_ntcir,
        read=_read_ntcir,
    ),
    Reader(
        name="trec-subtopics",
        title="diversity qrels (query subtopic document grade), each pair's highest grade",
        recognise=never,
        read=_highest(_FOUR),
    ),
    Reader(
        name="trec-judges",
        title="qrels of several judges (query judge document grade)",
        recognise=never,
        read=_reading(4, lambda ids, value: Qrel(ids[0], ids[2], value, 0, ids[1])),
    ),
    Reader(
        name="trec-5",
        title="TREC qrels with a fifth column, which is left out",
        recognise=never,
        read=_reading(5, lambda ids, value: Qrel(ids[0], ids[2], value, 0)),
    ),
    Reader(
        name="trec-3",
        title="qrels of three columns (query document grade)",
        recognise=never,
        read=_reading(3, lambda ids, value: Qrel(ids[0], ids[1], value, 0)),
    ),
)
