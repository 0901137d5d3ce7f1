"""Queries, documents and runs out of a project, with all there is of them."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping

from annotator.actions.scoring import assessor_numbers, named_systems
from annotator.errors import UsageError
from annotator.formats import tasks
from annotator.formats.runs import writer as run_written
from annotator.pooling.presentation import presentation_key
from annotator.store import Project


def export_queries(project: Project) -> Iterator[str]:
    """Every query, with description and narrative, and its weight if it has one."""
    kept = project.weights.in_force()
    for query in project.queries.all().values():
        record: dict[str, object] = {"_id": query.qid, "text": query.text}
        record |= {"description": query.description, "narrative": query.narrative}
        if kept and query.qid in kept.weights:
            record["weight"] = kept.weights[query.qid]
        yield _line(record)


def export_documents(project: Project) -> Iterator[str]:
    """Every document of which more than the id is stored, with its url and metadata."""
    for docid, title, text, url, metadata in project.documents.stored():
        more = {"url": url, "metadata": dict(metadata)}
        content = {"_id": docid, "title": title, "text": text or ""}  # BEIR's loader needs all
        yield _line(content | {name: one for name, one in more.items() if one})


def export_pairs(
    project: Project, form: str = "jsonl", assessor: str | None = None
) -> Iterator[str]:
    """The pooled pairs that nobody has judged, or not this assessor, in the order of the app.

    Raises
    ------
    UsageError
        If there is no such assessor, or nothing is pooled.
    """
    if not project.pool.makings():
        raise UsageError("nothing is pooled yet; run `annotator pool`")
    return tasks.WRITERS[form](_open_pairs(project, assessor), project.rubrics.active().rubric)


def _open_pairs(project: Project, assessor: str | None) -> Iterator[tasks.Task]:
    queries = project.queries.all()
    names = project.documents.paired()
    numbers = assessor_numbers(project, None if assessor is None else [assessor])
    labels = project.judgments.labels(project.rubrics.counted(), numbers)
    judged = set(zip(labels.query.tolist(), labels.document.tolist(), strict=True))
    seed, by_query = project.pool.seed(), defaultdict[int, list[int]](list)
    for query, document in zip(*(part.tolist() for part in project.pool.pairs()), strict=True):
        if (query, document) not in judged:
            by_query[query].append(document)
    for query, found in queries.items():
        shuffled = sorted(
            by_query[query], key=lambda one: presentation_key(seed, found.qid, names[one])
        )
        for document in shuffled:
            yield tasks.Task(found, project.documents.get(document))


def export_run(project: Project, name: str, form: str = "trec") -> Iterator[str]:
    """What a system returned, in displayed order, with its scores: TREC or JSON lines.

    Raises
    ------
    UsageError
        If no system is called so, or the format cannot hold an id.
    """
    (system,) = named_systems(project, [name]).values()
    return run_written.WRITERS[form](_places(project, system), name)


def _places(project: Project, system: int) -> Iterator[tuple[str, str, int, float]]:
    rankings = list(project.systems.rankings(system))  # before what they name: some may be new
    queries, documents = project.queries.all(), project.documents.names()
    for query, numbers, scores in rankings:
        places = zip(numbers.tolist(), scores.tolist(), strict=True)
        for rank, (number, score) in enumerate(places, start=1):
            yield queries[query].qid, documents[number], rank, score


def _line(record: Mapping[str, object]) -> str:
    return json.dumps(record, ensure_ascii=False)
