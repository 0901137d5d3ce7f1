"""Documents as a table or JSON: an id, a title, a text; or the texts that a run lists."""

from __future__ import annotations

from collections.abc import Iterator

from annotator.domain import Document
from annotator.formats import json_values
from annotator.formats.blindness import Fields
from annotator.formats.input.source import Head, Source
from annotator.formats.json.document_lists import id_of, ids, texts
from annotator.formats.metadata import metadata
from annotator.formats.problems import Problems
from annotator.formats.reader import Kind, Reader
from annotator.formats.tables.columns import Columns
from annotator.formats.tables.rows import Row, columns_of, is_json, rows
from annotator.formats.tables.table import UNNAMED


def _fits(head: Head) -> bool:
    """There is an id of a document and its text or title, or a list of texts."""
    columns, _ = columns_of(Kind.DOCUMENTS, head)
    if columns.missing:
        return False
    of_query = columns_of(Kind.RUN, head)[0].has("query")
    sure = columns.has("texts") or not _is_plain_id(columns)
    return sure or not of_query


def _is_plain_id(columns: Columns) -> bool:
    path = columns.places["docid"][0]
    return len(path) == 1 and path[0].strip("_").lower() == "id"


def recognise_table(head: Head) -> bool:
    """It is a table with such headings."""
    return not is_json(head) and _fits(head)


def recognise_json(head: Head) -> bool:
    """It has objects with such keys."""
    return is_json(head) and _fits(head)


def read(source: Source, problems: Problems) -> Iterator[Document]:
    """Read the documents; of those that a run lists each once."""
    problems.fields.choose(source.hints.fields, source.hints.hide)
    of_run = not columns_of(Kind.RUN, source.head())[0].missing
    seen: set[int] = set()  # of hashes, since the documents themselves may not fit into memory
    for row in rows(source, problems, Kind.DOCUMENTS):
        columns = row.columns
        try:
            found = (
                _listed(row) if columns.has("texts") else [_document(columns, row, problems.fields)]
            )
        except ValueError as fault:
            problems.add(row.line, str(fault), row.shown())
            continue
        for document in found:
            if not of_run or hash(document) not in seen:
                seen.add(hash(document) if of_run else 0)
                yield document


def _listed(row: Row) -> list[Document]:
    """The texts that a query returned, under the ids beside them or such as are made of them."""
    found = texts(row.values.get("texts"), "the list of texts")
    names = [*map(id_of, found)]
    if "docids" in row.values:
        names = ids(row.values["docids"], "the list of documents")
    if len(names) != len(found):
        raise ValueError("the lists of ids and of texts are of different lengths")
    return [Document(name, "", text) for name, text in zip(names, found, strict=True)]


def _document(columns: Columns, row: Row, fields: Fields) -> Document:
    values = row.values
    docid, text = row.id("docid"), row.text("text")
    title, url = (row.text(name) or "" for name in ("title", "url"))
    path = columns.places["docid"][0]
    if len(path) > 1:
        return Document(docid, title.strip(), text, url.strip())
    used = {
        path[0]
        for name, found in values.items()
        for path in (*columns.places[name], *columns.others.get(name, ()))
        if row.record.get(path[0]) == found
    }
    used |= {name for name in row.record if name.startswith(UNNAMED)}
    url = url or json_values.detail(row.record, "url")
    return Document(
        docid, title.strip(), text, url.strip(), metadata(row.record, fields, {*used, "url"})
    )


DOCUMENT_TABLE = Reader(
    name="csv",
    title="a table with headings such as docid, title, text (CSV or TSV)",
    recognise=recognise_table,
    read=read,
)
DOCUMENT_JSON = Reader(
    name="jsonl",
    title="JSON (lines or a list) with _id, title and text (BEIR corpus)",
    recognise=recognise_json,
    read=read,
)
