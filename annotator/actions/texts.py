"""Queries and documents out of a project, as JSON lines that bring back all there is of them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

from annotator.store import Project


def export_queries(project: Project) -> Iterator[str]:
    """Every query, with description and narrative."""
    for query in project.queries.all().values():
        details = {"description": query.description, "narrative": query.narrative}
        yield _line({"_id": query.qid, "text": query.text} | details)


def export_documents(project: Project) -> Iterator[str]:
    """Every document of which more than the id is stored, with its url and metadata."""
    for docid, title, text, url, metadata in project.documents.stored():
        content = {"title": title, "text": text, "url": url, "metadata": dict(metadata)}
        yield _line({"_id": docid} | {name: one for name, one in content.items() if one})


def _line(record: Mapping[str, object]) -> str:
    return json.dumps(record, ensure_ascii=False)
