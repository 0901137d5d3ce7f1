"""OpenSearch's Search Relevance Workbench: judgment lists, and sets of queries."""

from __future__ import annotations

from collections.abc import Iterator

from annotator.domain import Qrel, Query
from annotator.formats import json_values
from annotator.formats.input.source import Head, Source
from annotator.formats.json.document import load, records
from annotator.formats.problems import Problems
from annotator.formats.qrels.ratings import Rated, distinct, qrels
from annotator.formats.reader import Reader


def recognise_judgments(head: Head) -> bool:
    """It has rated documents by query."""
    return head.is_json and "judgmentRatings" in head.keys


def recognise_queries(head: Head) -> bool:
    """It has a set of queries, or a judgment list, whose queries they are then."""
    return recognise_judgments(head) or (head.is_json and "querySetQueries" in head.keys)


def read_qrels(source: Source, problems: Problems) -> Iterator[Qrel]:
    """Read the judgments; the text of a query is its id."""
    return qrels(_ratings(load(source)), source, problems)


def _ratings(value: object) -> Iterator[Rated]:
    for query in records(value, "judgmentRatings"):
        for one in records(query, "ratings"):
            yield Rated(query.get("query"), one.get("docId"), one.get("rating"))


def read_queries(source: Source, _problems: Problems) -> Iterator[Query]:
    """Read the queries; their text is their id."""
    value = load(source)
    listed, name = ("querySetQueries", "queryText")
    if isinstance(value, dict) and listed not in value:
        listed, name = ("judgmentRatings", "query")
    texts = (json_values.identifier(one, (name,)) for one in records(value, listed))
    return distinct((Query(text, text) for text in texts), source)


OPENSEARCH_QRELS = Reader(
    name="opensearch",
    title="OpenSearch judgment list",
    recognise=recognise_judgments,
    read=read_qrels,
)
OPENSEARCH_QUERIES = Reader(
    name="opensearch",
    title="OpenSearch query set",
    recognise=recognise_queries,
    read=read_queries,
)
