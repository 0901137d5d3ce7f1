"""Queries as a table of two columns: the query's id, a tab, its text."""

from __future__ import annotations

from collections.abc import Iterator

from annotator.formats.problems import Problems
from annotator.formats.reader import Reader
from annotator.formats.source import Head, Source
from annotator.records import Query

ID_HEADINGS = {"qid", "query-id", "query_id", "queryid", "id", "_id", "topic", "number"}
TEXT_HEADINGS = {"query", "text", "title", "query-text", "query_text"}


def recognise(head: Head) -> bool:
    """Most lines have just one tab, and are no JSON or XML."""
    fitting = sum(line.count("\t") == 1 and line[0] not in "{[<" for line in head)
    return fitting * 2 >= len(head)


def read(source: Source, problems: Problems) -> Iterator[Query]:
    """Read the queries; a heading in the first line is left out."""
    first = True
    for number, line in source.content_lines():
        if first and _is_heading(line):
            first = False
            continue
        first = False
        try:
            query = _query(line)
        except ValueError as fault:
            problems.add(number, str(fault), line)
        else:
            yield query


def _is_heading(line: str) -> bool:
    cells = [cell.strip().lower() for cell in line.split("\t")]
    return len(cells) == 2 and cells[0] in ID_HEADINGS and cells[1] in TEXT_HEADINGS


def _query(line: str) -> Query:
    cells = [cell.strip() for cell in line.split("\t")]
    if len(cells) != 2:
        raise ValueError(f"expected 2 columns (query id, tab, text), found {len(cells)}")
    qid, text = cells
    if not qid:
        raise ValueError("no query id before the tab")
    if not text:
        raise ValueError("no text after the tab")
    return Query(qid, text)


READER = Reader(name="tsv", title="TSV: query id, tab, text", recognise=recognise, read=read)
