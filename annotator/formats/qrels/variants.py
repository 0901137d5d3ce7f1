"""TREC qrels with other columns than four, or whose second column means something.

None of them is recognised by itself, since the same columns can mean different things: a person
names the one with ``--as``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from annotator.domain import Qrel
from annotator.formats.ambiguous import ambiguous, command
from annotator.formats.grades import RELEVANT, grade, remark_on_lists
from annotator.formats.input.source import Head, Source
from annotator.formats.problems import Problems
from annotator.formats.reader import Kind, Reader
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
                *ids, value = [*words, str(RELEVANT)] if columns == 2 else words[:4]
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


def are_pairs(head: Head) -> bool:
    """Every line has two ids, the second a number or with digits in it."""
    rows = [line.split() for line in head[:-1] or head]
    return all(len(row) == 2 and ID.fullmatch(row[1]) for row in rows)


def _read_pairs(source: Source, problems: Problems) -> Iterator[Qrel]:
    """Read each pair as relevant.

    Raises
    ------
    InputError
        If nobody said that this is what they are.
    """
    if source.hints.format != PAIRS:
        readings = {
            "a query and a relevant document in each line": f"say --as {PAIRS}",
            "queries": command(Kind.QUERIES, source, "--as", "tsv"),
        }
        raise ambiguous(source, "it has 2 columns, TREC qrels have 4", readings)
    if not source.hints.grades:
        problems.notes.append(remark_on_lists("each of its pairs"))
    return _TWO(source, problems)


_TWO = _reading(2, lambda ids, value: Qrel(ids[0], ids[1], value, 0))
_FOUR = _reading(4, lambda ids, value: Qrel(ids[0], ids[2], value, 0))

PAIRS = "trec-2"
ID = re.compile(r"(?!L[0-9]$)[\w.:/-]*[0-9][\w.:/-]*")
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
        name=PAIRS,
        title="pairs of a query and a relevant document (two columns), each of grade 1",
        recognise=are_pairs,
        read=_read_pairs,
    ),
    Reader(
        name="trec-3",
        title="qrels of three columns (query document grade)",
        recognise=never,
        read=_reading(3, lambda ids, value: Qrel(ids[0], ids[1], value, 0)),
    ),
)
