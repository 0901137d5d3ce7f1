"""Documents as a table with headings: CSV, TSV or semicolons."""

from __future__ import annotations

from collections.abc import Iterator

from annotator.formats.metadata import metadata
from annotator.formats.problems import Problems
from annotator.formats.reader import Reader
from annotator.formats.source import Head, Source
from annotator.formats.tables import Table, fields, headings
from annotator.records import Document


def recognise(head: Head) -> bool:
    """The first line is a heading with a document's id and its text or title."""
    known = fields(headings(head[0]))
    return bool({"docid", "id"} & known.keys()) and bool({"text", "title"} & known.keys())


def read(source: Source, problems: Problems) -> Iterator[Document]:
    """Read the documents."""
    table = Table(source, problems)
    docid = table.needed("id", "docid") if "docid" not in table.fields else table.needed("docid")
    title, text, url = table.place("title"), table.place("text"), table.place("url")
    if title is None and text is None:
        table.needed("text")
    used = {table.headings[place] for place in (docid, title, text, url) if place is not None}
    for line, row in table.rows():
        if not (name := row[docid].strip()):
            problems.add(line, "the document has no id", ",".join(row))
            continue
        shown, body, link = ("" if place is None else row[place] for place in (title, text, url))
        more = metadata(dict(zip(table.headings, row, strict=True)), used)
        yield Document(name, shown.strip(), body, link.strip(), more)


READER = Reader(
    name="csv",
    title="a table with headings such as docid, title, text (CSV or TSV)",
    recognise=recognise,
    read=read,
)
