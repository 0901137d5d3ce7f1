"""Queries as a table or JSON: an id and a text, of a file of queries, of ratings or of a run."""

from __future__ import annotations

from collections.abc import Iterator

from annotator.domain import Query
from annotator.formats import json_values
from annotator.formats.fields import plain, standing
from annotator.formats.input.source import Head, Source
from annotator.formats.problems import Problems
from annotator.formats.reader import Kind, Reader
from annotator.formats.tables.rows import Row, columns_of, is_json, rows

DETAILS = ("description", "narrative")


def _fits(head: Head) -> bool:
    """There is an id and a text of a query, or a text alone; no document has both."""
    columns, sample = columns_of(Kind.QUERIES, head)
    if columns.missing or "text" not in columns.places:
        return False
    names = {plain(path[-1]) for path in sample.paths}
    if any(map(str.isdecimal, names)):  # what is no heading
        return False
    asked = standing("query", columns.places["text"][0]) is not None
    return asked or not {"title", "text"} <= names


def recognise_table(head: Head) -> bool:
    """It is a table with such headings."""
    return not is_json(head) and _fits(head)


def recognise_json(head: Head) -> bool:
    """It has objects with such keys."""
    return is_json(head) and _fits(head)


def read(source: Source, problems: Problems) -> Iterator[Query]:
    """Read the queries, each once; where there is no id the text is the id."""
    seen = set()
    for row in rows(source, problems, Kind.QUERIES):
        try:
            qid = row.id("query")
            text = (row.text("text") if row.columns.has("text") else qid) or ""
            details = [_detail(row, name) for name in DETAILS]
            if not text.strip():
                raise ValueError(f"no text: expected one under {row.columns.names['text']}")
        except ValueError as fault:
            problems.add(row.line, str(fault), row.shown())
            continue
        query = Query(qid, text.strip(), *details)
        if query not in seen:
            seen.add(query)
            yield query


def _detail(row: Row, name: str) -> str:
    """A text that may also stand inside ``metadata``."""
    found = row.text(name)
    return (found if found is not None else json_values.detail(row.record, name)).strip()


QUERY_TABLE = Reader(
    name="csv",
    title="a table with the headings qid and query (CSV or TSV)",
    recognise=recognise_table,
    read=read,
)
QUERY_JSON = Reader(
    name="jsonl",
    title="JSON (lines or a list) with _id and text (BEIR)",
    recognise=recognise_json,
    read=read,
)
