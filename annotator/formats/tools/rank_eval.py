"""An Elasticsearch or OpenSearch ``_rank_eval``: the request as JSON or pasted, and its answer."""

from __future__ import annotations

from collections.abc import Iterator

from annotator.blocks.lines import Lines
from annotator.domain import Qrel, Query
from annotator.formats import json_values
from annotator.formats.input.source import Head, Source
from annotator.formats.json.document import load, record, records
from annotator.formats.problems import Problems
from annotator.formats.qrels.ratings import Rated, distinct, qrels, told
from annotator.formats.reader import Reader
from annotator.formats.runs.lines import Row, run_lines
from annotator.formats.tools.search_requests import asked, filters, templates_of

TITLE = "Elasticsearch _rank_eval request"
INDICES = "its documents are of several indices, so their ids are INDEX/ID"


def recognise(head: Head) -> bool:
    """It has requests with rated documents, or says in its first line where it is sent."""
    posted = head[0].split()[-1].split("?")[0].endswith("/_rank_eval")
    return posted or (head.is_json and {"requests", "ratings", "_id"} <= head.keys)


def recognise_answer(head: Head) -> bool:
    """It has what each request returned."""
    return head.is_json and {"metric_score", "details", "hits", "hit"} <= head.keys


def read_qrels(source: Source, problems: Problems) -> Iterator[Qrel]:
    """Read the ratings of all requests."""
    rated = [
        (request.get("id"), one, one.get("rating"))
        for request in told(records(load(source), "requests"), source)
        for one in told(records(request, "ratings"), source)
    ]
    named = names([one for _, one, _ in rated], problems)
    rows = zip(rated, named, strict=True)
    return qrels((Rated(qid, name, grade) for (qid, _, grade), name in rows), source, problems)


def names(documents: list[json_values.Record], problems: Problems) -> list[object]:
    """The id of each document, with its index where there are several."""
    if len({str(one.get("_index")) for one in documents}) < 2:
        return [one.get("_id") for one in documents]
    problems.notes.append(INDICES)
    return [f"{one.get('_index')}/{one.get('_id')}" for one in documents]


def read_queries(source: Source, problems: Problems) -> Iterator[Query]:
    """Read the requests as queries: what is searched for, and as description any filter."""
    value = load(source)
    templates = templates_of(value)
    queries, unknown = [], list[str]()
    for one in told(records(value, "requests"), source):
        for qid in told(iter([json_values.identifier(one, ("id",))]), source):
            text = asked(one, templates)
            if not text:
                unknown.append(qid)
            queries.append(Query(qid, text or qid, filters(one)))
    if unknown:
        shown = ", ".join(unknown[:5])
        problems.notes.append(f"of these no searched text was found, so the id stands: {shown}")
    return distinct(queries, source)


def read_run(source: Source, problems: Problems) -> Iterator[Lines]:
    """Read what each request returned."""
    problems.unit = "place"
    hits = [*told(_hits(load(source)), source)]
    named = names([hit for _, hit, _ in hits], problems)
    rows = (
        Row(qid, name, place, hit.get("_score"), number)
        for number, ((qid, hit, place), name) in enumerate(zip(hits, named, strict=True), start=1)
    )
    return run_lines(rows, problems)


def _hits(value: object) -> Iterator[tuple[str, json_values.Record, int]]:
    details = record(record(value, "the answer").get("details"), "details")
    for qid, detail in details.items():
        for place, one in enumerate(records(detail, "hits"), start=1):
            yield qid, record(one.get("hit"), "hit"), place


RANK_EVAL_QRELS = Reader(name="rank-eval", title=TITLE, recognise=recognise, read=read_qrels)
RANK_EVAL_QUERIES = Reader(name="rank-eval", title=TITLE, recognise=recognise, read=read_queries)
RANK_EVAL_RUN = Reader(
    name="rank-eval",
    title="Elasticsearch _rank_eval answer",
    recognise=recognise_answer,
    read=read_run,
)
