"""Queries as a table with headings: CSV, TSV or semicolons."""

from __future__ import annotations

from collections.abc import Iterator

from annotator.formats.problems import Problems
from annotator.formats.reader import Reader
from annotator.formats.source import Head, Source
from annotator.formats.tables import Table, fields, headings
from annotator.records import Query


def recognise(head: Head) -> bool:
    """The first line is a heading with a query, or with an id and a text."""
    cells = headings(head[0])
    known = fields(cells)
    return "query" in known or ("qid" in known and ("text" in known or "title" in known))


def read(source: Source, problems: Problems) -> Iterator[Query]:
    """Read the queries, each once; where there is no id the text is the id."""
    table = Table(source, problems)
    if "query" in source.hints.columns:
        qid = table.needed("query")
        text = table.place("text") if "text" in source.hints.columns else None
    else:
        text = table.needed("query", "text", "title")
        found = table.place("qid", "id")
        qid = text if found is None else found
    text = qid if text is None else text
    details = [table.place("description"), table.place("narrative")]
    seen = set()
    for line, row in table.rows():
        values = [row[place].strip() if place is not None else "" for place in details]
        query = Query(row[qid].strip(), row[text].strip(), *values)
        if not query.qid or not query.text:
            problems.add(line, "the query has no id or no text", ",".join(row))
        elif query not in seen:
            seen.add(query)
            yield query


READER = Reader(
    name="csv",
    title="a table with the headings qid and query (CSV or TSV)",
    recognise=recognise,
    read=read,
)
