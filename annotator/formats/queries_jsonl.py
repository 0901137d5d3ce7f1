"""Queries as JSON lines, as BEIR has them: an object a line with an id and a text."""

from __future__ import annotations

from collections.abc import Iterator

from annotator.formats import json_lines
from annotator.formats.problems import Problems
from annotator.formats.reader import Reader
from annotator.formats.source import Head, Source
from annotator.records import Query

IDS = ("_id", "id", "qid", "query_id")
TEXTS = ("text", "query", "title")
OF_DOCUMENTS = {"docid", "doc_id", "contents", "body"}


def recognise(head: Head) -> bool:
    """The first line is an object with an id and a text, and nothing that only documents have.

    That is also a title beside a text.
    """
    keys = set(json_lines.keys(head[0]))
    of_document = keys & OF_DOCUMENTS or {"title", "text"} <= keys
    return bool(keys.intersection(IDS) and keys.intersection(TEXTS)) and not of_document


def read(source: Source, problems: Problems) -> Iterator[Query]:
    """Read the queries."""
    renamed = source.hints.renamed
    return problems.good(
        source.content_lines(), lambda line: _query(renamed(json_lines.record(line)))
    )


def _query(record: json_lines.Record) -> Query:
    qid = json_lines.identifier(record, IDS)
    text = json_lines.text(record, TEXTS)
    if not text or text.isspace():
        raise ValueError(f"no text: expected a key {' or '.join(TEXTS)}")
    description = json_lines.detail(record, "description")
    narrative = json_lines.detail(record, "narrative")
    return Query(qid, text, description, narrative)


READER = Reader(
    name="jsonl", title="JSON lines with _id and text (BEIR)", recognise=recognise, read=read
)
