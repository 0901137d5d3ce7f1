"""Documents as a table or JSON: an id, a title, a text; or the texts that a run lists."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

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
    found = documents_of(rows(source, problems, Kind.DOCUMENTS), problems)
    return _each_once(found) if of_run else found


def _each_once(found: Iterable[Document]) -> Iterator[Document]:
    seen: set[int] = set()  # of hashes, since the documents themselves may not fit into memory
    for document in found:
        if hash(document) not in seen:
            seen.add(hash(document))
            yield document


def documents_of(found: Iterable[Row], problems: Problems) -> Iterator[Document]:
    """Make documents of rows; bad ones are noted."""
    for row in found:
        columns = row.columns
        if columns.has("docid") and len(columns.places["docid"][0]) == 1:
            problems.unused = []  # the other fields are shown
        try:
            if columns.has("texts"):
                yield from _listed(row)
            else:
                yield _document(columns, row, problems.fields)
        except ValueError as fault:
            problems.add(row.line, str(fault), row.shown())


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
    docid, text = row.id("docid"), _text(row, "text")
    title, url = (_text(row, name) or "" for name in ("title", "url"))
    path = columns.places["docid"][0]
    if len(path) > 1:
        return Document(docid, title.strip(), text, url.strip())
    others = dict(_others(row))
    url = url or json_values.detail(row.record, "url")
    return Document(docid, title.strip(), text, url.strip(), metadata(others, fields, {"url"}))


def _text(row: Row, name: str) -> str | None:
    """A text; search engines have the lines of one in a list."""
    value = row.values.get(name)
    if isinstance(value, list) and all(isinstance(one, str) for one in value):
        return "\n".join(value)
    return row.text(name)


def _others(row: Row) -> Iterator[tuple[str, object]]:
    """The fields beside those that are used, also those within the same object."""
    columns = row.columns
    used = {
        path: found
        for name, found in row.values.items()
        for path in (*columns.places[name], *columns.others.get(name, ()))
    }
    inside = {path[0] for path in used if len(path) > 1}
    for key, value in row.record.items():
        if ((key,) in used and used[key,] == value) or key.startswith(UNNAMED):
            continue
        if key in inside and isinstance(value, dict):
            yield from ((name, one) for name, one in value.items() if (key, name) not in used)
        elif key not in inside:
            yield key, value


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
