"""A run as JSON lines: an object a place, or one a query with its list; texts may stand in it.

The same file is then read as queries and as documents too.
"""

from __future__ import annotations

from collections.abc import Iterator

from annotator.formats import json_lines
from annotator.formats.blocks.lines import Lines
from annotator.formats.problems import Problems
from annotator.formats.reader import Reader
from annotator.formats.run_rows import Row, run_lines
from annotator.formats.source import Head, Source
from annotator.records import Document, Query

QUERIES = ("qid", "query_id", "query-id", "topic", "topic_id")
QUERY_TEXTS = ("query", "query_text", "question")
DOCUMENTS = ("docid", "doc_id", "docno", "corpus-id", "corpus_id", "pid", "id", "_id")
RANKS = ("rank", "position")
LISTS = ("results", "candidates", "docs", "documents", "hits", "references", "ranking", "contexts")
TEXTS = ("text", "contents", "content", "body", "segment", "passage")
TITLE = "JSON lines of places (qid, docid, rank or score) or of ranked lists"


def recognise(head: Head) -> bool:
    """The first line is an object with a query and a document's rank or score, or with a list."""
    keys = set(json_lines.keys(head[0]))
    asked = keys.intersection((*QUERIES, *QUERY_TEXTS))
    place = keys.intersection(DOCUMENTS) and keys.intersection((*RANKS, "score"))
    graded = keys & {"grade", "label", "rating", "judgment", "relevance", "event"}
    return bool(asked) and bool(place or keys.intersection(LISTS)) and not graded


def _has_texts(head: Head) -> bool:
    return recognise(head) and any(f'"{name}"' in head[0] for name in (*TEXTS, "title"))


def _has_queries(head: Head) -> bool:
    return recognise(head) and any(f'"{name}"' in head[0] for name in QUERY_TEXTS)


def read_run(source: Source, problems: Problems) -> Iterator[Lines]:
    """Read the ranking: by rank, else by score, else as it stands."""
    return run_lines(_places(source, problems), problems)


def _places(source: Source, problems: Problems) -> Iterator[Row]:
    for number, record in _records(source, problems):
        try:
            places = list(_listed(record))
            qid = _query(record).qid
            rows = [
                Row(
                    qid,
                    json_lines.identifier(place, DOCUMENTS),
                    next((place[name] for name in RANKS if place.get(name) is not None), None),
                    place.get("score"),
                    number,
                )
                for place in places
            ]
        except ValueError as fault:
            problems.add(number, str(fault))
        else:
            yield from rows


def read_queries(source: Source, problems: Problems) -> Iterator[Query]:
    """Read the queries that were asked, each once."""
    seen = set()
    for number, record in _records(source, problems):
        try:
            query = _query(record)
        except ValueError as fault:
            problems.add(number, str(fault))
            continue
        if query.qid not in seen:
            seen.add(query.qid)
            yield query


def read_documents(source: Source, problems: Problems) -> Iterator[Document]:
    """Read the documents that have a text in the run, each once."""
    seen: set[int] = set()  # of hashes, since the documents themselves may not fit into memory
    for number, record in _records(source, problems):
        try:
            documents = list(filter(None, map(_document, _listed(record))))
        except ValueError as fault:
            problems.add(number, str(fault))
            continue
        for document in documents:
            if hash(document) not in seen:
                seen.add(hash(document))
                yield document


def _records(source: Source, problems: Problems) -> Iterator[tuple[int, json_lines.Record]]:
    for number, line in source.content_lines():
        try:
            record = source.hints.renamed(json_lines.record(line))
        except ValueError as fault:
            problems.add(number, str(fault), line)
        else:
            yield number, record


def _listed(record: json_lines.Record) -> Iterator[json_lines.Record]:
    """The places of a line: those of its list, or itself."""
    name = next((name for name in LISTS if isinstance(record.get(name), list)), None)
    if name is None:
        yield record
        return
    values = record[name]
    for value in values if isinstance(values, list) else ():
        if isinstance(value, dict):
            yield value
        elif isinstance(value, str | int):
            yield {"docid": value}
        else:
            raise ValueError(f"expected objects or ids in {name}")


def _query(record: json_lines.Record) -> Query:
    """The query of a line; without an id its text is the id."""
    asked = record.get("query")
    values = {**record, **asked} if isinstance(asked, dict) else record
    names = ("text", *QUERY_TEXTS) if isinstance(asked, dict) else QUERY_TEXTS
    text = next((values[name] for name in names if isinstance(values.get(name), str)), "")
    qid = json_lines.identifier(values, (*QUERIES, *names))
    return Query(qid, json_lines.text({"query": text}, ("query",)) or "")


def _document(place: json_lines.Record) -> Document | None:
    inner = next((place[name] for name in ("doc", "document") if name in place), None)
    values = {**place, **inner} if isinstance(inner, dict) else place
    if isinstance(inner, str):
        values = {**place, "text": inner}
    text = json_lines.text(values, TEXTS)
    title = json_lines.text(values, ("title",)) or ""
    if not text and not title:
        return None
    docid = json_lines.identifier(place, DOCUMENTS)
    return Document(docid, title, text, json_lines.detail(values, "url"))


RUN = Reader(name="jsonl", title=TITLE, recognise=recognise, read=read_run)
QUERIES_READER = Reader(
    name="run-jsonl", title=f"{TITLE}, with the query", recognise=_has_queries, read=read_queries
)
DOCUMENTS_READER = Reader(
    name="run-jsonl", title=f"{TITLE}, with texts", recognise=_has_texts, read=read_documents
)
