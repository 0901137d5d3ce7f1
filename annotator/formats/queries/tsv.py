"""Queries as a table of two columns: the query's id, a tab, its text."""

from __future__ import annotations

import re
from collections.abc import Iterator

from annotator.domain import Query
from annotator.formats.ambiguous import ambiguous, command
from annotator.formats.fields import ID_HEADINGS, is_known, plain
from annotator.formats.input.source import Head, Source
from annotator.formats.problems import Problems
from annotator.formats.qrels.variants import PAIRS, are_pairs
from annotator.formats.reader import Kind, Reader
from annotator.formats.tables.cells import split, tab_cells
from annotator.text.safe import one_line

HEADING = re.compile(r"[^\W\d_]+(?:[_-][^\W\d_]+)*")
"""What a heading may be that is no known one: one word, without digits."""


def recognise(head: Head) -> bool:
    """Most lines have just one tab, and are no JSON or XML; no headings are in another order."""
    names = split(head[0], "\t")
    if not _is_heading(head[0]) and not names[0].isdecimal() and any(map(_is_known, names)):
        return False
    fitting = sum(line.count("\t") == 1 and line[0] not in "{[<" for line in head)
    return fitting * 2 >= len(head)


def read(source: Source, problems: Problems) -> Iterator[Query]:
    """Read the queries; a heading in the first line is left out, but not where it is the only one.

    Raises
    ------
    InputError
        If the first line may be headings or a query, or the texts ids of documents, and nobody
        said which.
    """
    head = source.head()
    if not source.hints.format:
        _check(source, head)
    headed = len(head) > 1 and _is_heading(head[0])
    for place, (number, line) in enumerate(source.content_lines()):
        if headed and not place:
            problems.notes.append(f"its first line was taken for headings: {one_line(line, 60)}")
            continue
        try:
            query = _query(line)
        except ValueError as fault:
            problems.add(number, str(fault), line)
        else:
            yield query


def _check(source: Source, head: Head) -> None:
    """Refuse to guess what the first line is, and what the second column."""
    as_queries = command(Kind.QUERIES, source, "--as", QUERY_TSV.name)
    if len(head) == 1 and _is_heading(head[0]):
        readings = {"a query there": as_queries, "headings there": "there is no query below them"}
        raise ambiguous(source, "its only line may be headings or a query", readings)
    if columns := _headings_perhaps(head):
        readings = {
            "headings there": command(Kind.QUERIES, source, "--columns", columns),
            "a query in each line": as_queries,
        }
        raise ambiguous(source, "its first line may be headings or a query", readings)
    if are_pairs(head):
        readings = {
            "texts": as_queries,
            "documents that are relevant": command(Kind.QRELS, source, "--as", PAIRS),
        }
        raise ambiguous(source, "its second column may be texts or ids of documents", readings)


def _is_heading(line: str) -> bool:
    cells = split(line, "\t")
    return len(cells) == 2 and plain(cells[0]) in ID_HEADINGS


def _headings_perhaps(head: Head) -> str:
    """Which column is what, if the first line has two plain words and no other line has."""
    rows = [cells for line in head if len(cells := split(line, "\t")) == 2]
    if len(rows) < 2 or _is_heading(head[0]) or head[0].split("\t") != rows[0]:
        return ""
    words = [all(HEADING.fullmatch(cell.strip()) for cell in row) for row in rows]
    if not words[0] or any(words[1:]):
        return ""
    blanks = [sum(" " in row[place].strip() for row in rows) for place in (0, 1)]
    qid, text = reversed(rows[0]) if blanks[0] > blanks[1] else rows[0]
    return f"query={qid.strip()},text={text.strip()}"


def _is_known(name: str) -> bool:
    return is_known((name.strip() or "-",))


def _query(line: str) -> Query:
    qid, text = (cell.strip() for cell in tab_cells(line, 2, "(query id, tab, text)"))
    if not qid:
        raise ValueError("no query id before the tab")
    if not text:
        raise ValueError("no text after the tab")
    return Query(qid, text)


QUERY_TSV = Reader(name="tsv", title="TSV: query id, tab, text", recognise=recognise, read=read)
