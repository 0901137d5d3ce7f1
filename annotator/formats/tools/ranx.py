"""Runs and qrels as one JSON object, as of ranx and BEIR: ``{query: {document: number}}``."""

from __future__ import annotations

import re
from collections.abc import Iterator

from annotator.blocks.lines import Lines
from annotator.domain import Qrel
from annotator.formats.ambiguous import ambiguous, command
from annotator.formats.input.source import Head, Source
from annotator.formats.json.document import record
from annotator.formats.json.members import members
from annotator.formats.problems import Problems
from annotator.formats.qrels.ratings import Rated, qrels, told
from annotator.formats.reader import Kind, Reader
from annotator.formats.runs.lines import Row, run_lines

STRING = r'"(?:[^"\\]|\\.)*"'
OPENING = re.compile(rf"\s*\{{\s*{STRING}\s*:\s*\{{\s*(?:{STRING}\s*:\s*(?:-?[0-9]|NaN)|\}})")
HIGHEST_GRADE = 10  # of what may be grades rather than scores


def recognise(head: Head) -> bool:
    """It begins with a query, and in it a document with a number."""
    return OPENING.match(head.text) is not None


def read_qrels(source: Source, problems: Problems) -> Iterator[Qrel]:
    """Read the grades."""
    rows = (Rated(*row) for row in _numbers(source))
    return qrels(rows, source, problems)


def read_run(source: Source, problems: Problems) -> Iterator[Lines]:
    """Read the scores: the highest comes first, the first in the file where scores are equal.

    Raises
    ------
    InputError
        If they may as well be grades, and the format was not asked for by name.
    """
    problems.unit = "place"
    if source.hints.format != RANX_RUN.name and _may_be_grades(source):
        raise ambiguous(
            source,
            "its scores are all whole numbers up to 10, and these may be grades",
            {
                "grades": command(Kind.QRELS, source),
                "scores": "say --as ranx",
            },
        )
    rows = enumerate(told(_numbers(source), source), start=1)
    scored = (Row(qid, docid, None, value, at) for at, (qid, docid, value) in rows)
    return run_lines(scored, problems)


def _may_be_grades(source: Source) -> bool:
    """Whether there are numbers, and all are such that they may be grades."""
    there = False
    for _, _, value in told(_numbers(source), source):
        there = isinstance(value, int) and value <= HIGHEST_GRADE
        if not there:
            break
    return there


def _numbers(source: Source) -> Iterator[tuple[str, str, object]]:
    for qid, documents in members(source):
        for docid, number in record(documents, f"what is said of query {qid[:60]}").items():
            yield qid, docid, number


RANX_QRELS = Reader(
    name="ranx",
    title="JSON {query: {document: grade}} (ranx)",
    recognise=recognise,
    read=read_qrels,
)
RANX_RUN = Reader(
    name="ranx",
    title="JSON {query: {document: score}} (ranx, BEIR results)",
    recognise=recognise,
    read=read_run,
)
