"""An Elasticsearch or OpenSearch ``_rank_eval`` request: as JSON, or pasted from a console."""

from __future__ import annotations

from collections.abc import Iterator

from annotator.formats import json_lines
from annotator.formats.json_document import load, records, string
from annotator.formats.problems import Problems
from annotator.formats.rated import Rated, distinct, qrels
from annotator.formats.reader import Reader
from annotator.formats.source import Head, Source
from annotator.records import Qrel, Query

TITLE = "Elasticsearch _rank_eval request"


def recognise(head: Head) -> bool:
    """It has requests with rated documents, or says in its first line where it is sent."""
    posted = head[0].split()[-1].split("?")[0].endswith("/_rank_eval")
    return posted or (head.is_json and {"requests", "ratings", "_id"} <= head.keys)


def read_qrels(source: Source, problems: Problems) -> Iterator[Qrel]:
    """Read the ratings of all requests."""
    return qrels(_ratings(load(source)), source, problems)


def _ratings(value: object) -> Iterator[Rated]:
    for request in records(value, "requests"):
        for one in records(request, "ratings"):
            yield Rated(request.get("id"), one.get("_id"), one.get("rating"))


def read_queries(source: Source, _problems: Problems) -> Iterator[Query]:
    """Read the requests as queries; their text is the first that is searched for."""
    queries = (
        Query(json_lines.identifier(one, ("id",)), _searched(one) or str(one["id"]))
        for one in records(load(source), "requests")
    )
    return distinct(queries, source)


def _searched(request: json_lines.Record) -> str:
    """The first text among a request's parameters, or under a key ``query`` in its body."""
    if isinstance(parameters := request.get("params"), dict):
        return string(parameters, *parameters)
    waiting: list[object] = [request.get("request")]
    while waiting:
        value = waiting.pop(0)
        if isinstance(value, dict):
            if text := string(value, "query"):
                return json_lines.SURROGATE.sub(json_lines.REPLACEMENT, text)
            waiting += value.values()
        elif isinstance(value, list):
            waiting += value
    return ""


QRELS = Reader(name="rank-eval", title=TITLE, recognise=recognise, read=read_qrels)
QUERIES = Reader(name="rank-eval", title=TITLE, recognise=recognise, read=read_queries)
