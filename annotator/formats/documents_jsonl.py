"""Documents as JSON lines, as a BEIR corpus has them: an id, a title, a text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from annotator.formats import json_lines
from annotator.formats.metadata import metadata
from annotator.formats.problems import Problems
from annotator.formats.reader import Reader
from annotator.formats.source import Head, Source
from annotator.records import Document

IDS = ("_id", "id", "docid", "doc_id")
TEXTS = ("text", "contents", "body")
OF_QUERIES = {"qid", "query_id", "query", "results", "candidates"}


def recognise(head: Head) -> bool:
    """The first line is an object with an id and a title or text, and no key of a query."""
    keys = set(json_lines.keys(head[0]))
    content = keys.intersection((*TEXTS, "title"))
    return bool(keys.intersection(IDS) and content) and not keys & OF_QUERIES


def read(source: Source, problems: Problems) -> Iterator[Document]:
    """Read the documents."""
    renamed = source.hints.renamed
    return problems.good(
        source.content_lines(), lambda line: _document(renamed(json_lines.record(line)))
    )


def _document(record: json_lines.Record) -> Document:
    docid = json_lines.identifier(record, IDS)
    title = json_lines.text(record, ("title",)) or ""
    text = json_lines.text(record, TEXTS)
    used = {"title", "url", *_said(record, IDS), *_said(record, TEXTS)}
    url = json_lines.detail(record, "url")
    return Document(docid, title, text, url, metadata(record, used))


def _said(record: json_lines.Record, names: Sequence[str]) -> list[str]:
    """The name that was read, and others that hold the same."""
    first = json_lines.first(record, names)
    return [name for name in names if first and record.get(name) == record[first]]


READER = Reader(
    name="jsonl",
    title="JSON lines with _id, title and text (BEIR corpus)",
    recognise=recognise,
    read=read,
)
