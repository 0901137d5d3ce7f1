"""Quepid as JSON: a book (pairs that several people rated), a case (one rating a pair)."""

from __future__ import annotations

from collections.abc import Iterator

from annotator.domain import Document, Qrel, Query
from annotator.formats import json_values
from annotator.formats.blindness import Fields
from annotator.formats.input.source import Head, Source
from annotator.formats.json.document import load, records, string
from annotator.formats.metadata import metadata
from annotator.formats.problems import Problems
from annotator.formats.qrels.ratings import Rated, distinct, qrels, told
from annotator.formats.reader import Reader

TITLES = ("title", "name")


def recognise(head: Head) -> bool:
    """It has the pairs of a book, or the queries and ratings of a case."""
    return head.is_json and (_is_book(head) or {"queries", "query_text", "ratings"} <= head.keys)


def _is_book(head: Head) -> bool:
    return head.is_json and {"query_doc_pairs", "doc_id"} <= head.keys


def read_qrels(source: Source, problems: Problems) -> Iterator[Qrel]:
    """Read every rating with who gave it; what could not be rated is left unjudged."""
    return qrels(_ratings(load(source)), source, problems)


def _ratings(value: object) -> Iterator[Rated]:
    if isinstance(value, dict) and "query_doc_pairs" in value:
        for pair in records(value, "query_doc_pairs"):
            for one in records(pair, "judgements") if pair.get("judgements") else ():
                query, docid = pair.get("query_text"), pair.get("doc_id")
                yield Rated(query, docid, one.get("rating"), one.get("user_email"))
        return
    for query in records(value, "queries"):
        for one in records(query, "ratings") if query.get("ratings") else ():
            rating = Rated(query.get("query_text"), one.get("doc_id"), one.get("rating"))
            yield rating._replace(assessor=one.get("user_email"))


def read_queries(source: Source, _problems: Problems) -> Iterator[Query]:
    """Read the queries with the information need behind each; their text is their id."""
    value = load(source)
    listed = (
        "query_doc_pairs" if isinstance(value, dict) and "query_doc_pairs" in value else "queries"
    )
    queries = (
        Query(
            json_values.identifier(one, ("query_text",)),
            json_values.identifier(one, ("query_text",)),
            string(one, "information_need"),
        )
        for one in records(value, listed)
    )
    return distinct(queries, source)


def read_documents(source: Source, problems: Problems) -> Iterator[Document]:
    """Read what a book shows of each document, without what is not to be shown."""
    problems.fields.choose(source.hints.fields, source.hints.hide)
    seen = set()
    for pair in told(records(load(source), "query_doc_pairs"), source):
        for document in told(_document(pair, problems.fields), source):
            if document not in seen:
                seen.add(document)
                yield document


def _document(pair: json_values.Record, shown: Fields) -> Iterator[Document]:
    fields = pair.get("document_fields")
    if isinstance(fields, str):
        fields = json_values.record(fields)
    if not isinstance(fields, dict):
        return
    docid = json_values.identifier(pair, ("doc_id",))
    title = next((name for name in TITLES if string(fields, name)), "")
    lines = [f"{name}: {value}" for name, value in metadata(fields, shown, {title})]
    yield Document(docid, json_values.text(fields, (title,)) or "", "\n".join(lines))


QUEPID_QRELS = Reader(
    name="quepid", title="Quepid book or case (JSON)", recognise=recognise, read=read_qrels
)
QUEPID_QUERIES = Reader(
    name="quepid", title="Quepid book or case (JSON)", recognise=recognise, read=read_queries
)
QUEPID_DOCUMENTS = Reader(
    name="quepid", title="Quepid book (JSON)", recognise=_is_book, read=read_documents
)
