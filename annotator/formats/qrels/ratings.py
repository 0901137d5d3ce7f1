"""What the readers of ratings in JSON share: rows of a query, a document and a rating."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple, TypeVar

from annotator.domain import Qrel, Query
from annotator.errors import InputError
from annotator.formats import json_values
from annotator.formats.grades import grade_of
from annotator.formats.input.source import Source
from annotator.formats.problems import Problems

T = TypeVar("T")


class Rated(NamedTuple):
    """One rating as a file has it, unchecked; ``assessor`` is who gave it, if the file says so."""

    query: object
    docid: object
    grade: object
    assessor: object = None


def qrels(rows: Iterable[Rated], source: Source, problems: Problems) -> Iterator[Qrel]:
    """Check ratings and count them: a number stands for the line.

    Raises
    ------
    InputError
        If the file is not built as its format says.
    """
    problems.unit = "rating"
    for number, row in enumerate(told(rows, source), start=1):
        try:
            qid = json_values.identifier({"query": row.query}, ("query",))
            docid = json_values.identifier({"document": row.docid}, ("document",))
            assessor = json_values.text({"assessor": row.assessor}, ("assessor",)) or ""
            grade = grade_of(row.grade, source.hints.grades)
        except ValueError as fault:
            problems.add(number, str(fault), f"{row.query} {row.docid}")
        else:
            yield Qrel(qid, docid, grade, number, assessor)


def distinct(queries: Iterable[Query], source: Source) -> Iterator[Query]:
    """Give each query once: a file of ratings repeats them.

    Raises
    ------
    InputError
        If the file is not built as its format says.
    """
    seen = set()
    for query in told(queries, source):
        if query not in seen:
            seen.add(query)
            yield query


def told(rows: Iterable[T], source: Source) -> Iterator[T]:
    """Give the rows; a fault of the file's build is told by its name."""
    try:
        yield from rows
    except ValueError as fault:
        raise InputError(f"{source.name}: {fault}") from None
