"""Ratings of the Rated Ranking Evaluator: groups of queries, and what is relevant to each."""

from __future__ import annotations

from collections.abc import Iterator

from annotator.domain import Qrel, Query
from annotator.formats import json_values
from annotator.formats.input.source import Head, Source
from annotator.formats.json.document import load, record, string
from annotator.formats.problems import Problems
from annotator.formats.qrels.ratings import Rated, distinct, qrels
from annotator.formats.reader import Reader

TITLE = "RRE ratings (relevant_documents)"
INSIDE = ("topics", "query_groups", "queries")


def recognise(head: Head) -> bool:
    """It says which documents are relevant to queries."""
    return head.is_json and "relevant_documents" in head.keys


def read_qrels(source: Source, problems: Problems) -> Iterator[Qrel]:
    """Read the ratings; those of a group hold for each of its queries."""
    return qrels(_ratings(load(source)), source, problems)


def _ratings(value: object) -> Iterator[Rated]:
    for node in _nodes(value):
        if "relevant_documents" not in node:
            continue
        relevant = record(node["relevant_documents"], "relevant_documents")
        texts = list(dict.fromkeys(filter(None, map(_text, _nodes(node)))))
        for name, told in relevant.items():
            for docid, gain in _rated(name, told):
                yield from (Rated(text, docid, gain) for text in texts)


def _rated(name: str, told: object) -> Iterator[tuple[object, object]]:
    """Documents with their gain: ``{document: {gain: 3}}`` or ``{3: [documents]}``."""
    if isinstance(told, list):
        yield from ((docid, name) for docid in told)
    else:
        yield name, record(told, f"what is said of {name[:60]}").get("gain")


def read_queries(source: Source, _problems: Problems) -> Iterator[Query]:
    """Read the queries; their text is their id."""
    texts = filter(None, map(_text, _nodes(load(source))))
    return distinct((Query(text, text) for text in texts), source)


def _nodes(value: object) -> Iterator[json_values.Record]:
    """The object itself, and all topics, groups and queries inside it."""
    waiting = [value]
    while waiting:
        node = record(waiting.pop(0), "a topic, group or query")
        yield node
        for name in INSIDE:
            inside = node.get(name, [])
            if not isinstance(inside, list):
                raise ValueError(f"expected a list under {name}")
            waiting += inside


def _text(node: json_values.Record) -> str:
    """The query that a node's placeholders hold, if it is one."""
    placeholders = node.get("placeholders")
    if not isinstance(placeholders, dict):
        return ""
    text = string(placeholders, "$query", *placeholders)
    return json_values.identifier({"query": text}, ("query",)) if text else ""


RRE_QRELS = Reader(name="rre", title=TITLE, recognise=recognise, read=read_qrels)
RRE_QUERIES = Reader(name="rre", title=TITLE, recognise=recognise, read=read_queries)
