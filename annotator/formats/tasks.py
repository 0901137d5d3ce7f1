"""Pairs to be judged elsewhere: as JSON lines, CSV, or tasks of tools for annotation.

Each has the ids of query and document, so that answers come back by ``import judgments``. Nothing
in it tells which system returned the document, or where.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple, TypeAlias

from annotator.domain import Document, Query
from annotator.text.csv_formulas import neutral
from rubric import Rubric


class Task(NamedTuple):
    """A pair to be judged: what a person, a model or a tool needs for it."""

    query: Query
    document: Document


Tasks: TypeAlias = Iterable[Task]
Writer: TypeAlias = Callable[[Tasks, Rubric], Iterator[str]]

_TEXTS = ("query", "description", "narrative", "title", "text", "url")


def json_lines(tasks: Tasks, rubric: Rubric) -> Iterator[str]:
    """A line for each pair, with the rubric."""
    told = {
        "rubric": {"name": rubric.name, "version": rubric.version},
        "instructions": rubric.instructions,
        "grades": _grades(rubric),
    }
    for one in tasks:
        yield _json(_flat(one) | told)


def table(tasks: Tasks, rubric: Rubric) -> Iterator[str]:
    """CSV with an empty column for the grade; no cell is a formula to a spreadsheet."""
    yield ",".join(["qid", "docid", *_TEXTS, "grade"])
    for one in tasks:
        flat = _flat(one)
        cells = [flat["qid"], flat["docid"], *(flat.get(name, "") for name in _TEXTS), ""]
        line = io.StringIO()
        csv.writer(line, lineterminator="").writerow([neutral(cell) for cell in cells])
        yield line.getvalue()


def label_studio(tasks: Tasks, rubric: Rubric) -> Iterator[str]:
    """A list of tasks for Label Studio's import; what is shown are the keys of ``data``."""
    yield from _list({"data": _flat(one)} for one in tasks)


def argilla(tasks: Tasks, rubric: Rubric) -> Iterator[str]:
    """A list of records for Argilla: texts are fields, ids metadata."""
    yield from _list(
        {
            "id": json.dumps([one.query.qid, one.document.docid], ensure_ascii=False),
            "fields": {name: text for name, text in _flat(one).items() if name in _TEXTS},
            "metadata": {"qid": one.query.qid, "docid": one.document.docid},
        }
        for one in tasks
    )


def doccano(tasks: Tasks, rubric: Rubric) -> Iterator[str]:
    """A line for each pair for doccano's import: one text, and the ids beside it."""
    for one in tasks:
        flat = _flat(one)
        texts = "\n\n".join(flat[name] for name in _TEXTS if name in flat)
        yield _json({"text": texts, "label": [], "qid": flat["qid"], "docid": flat["docid"]})


WRITERS: dict[str, Writer] = {
    "jsonl": json_lines,
    "csv": table,
    "label-studio": label_studio,
    "argilla": argilla,
    "doccano": doccano,
}


def _flat(one: Task) -> dict[str, Any]:
    """Ids, and every text that is there."""
    query, document = one
    texts = {
        "query": query.text,
        "description": query.description,
        "narrative": query.narrative,
        "title": document.title,
        "text": document.text or "",
        "url": document.url,
    }
    flat: dict[str, Any] = {"qid": query.qid, "docid": document.docid}
    flat |= {name: text for name, text in texts.items() if text}
    return flat | ({"fields": dict(document.metadata)} if document.metadata else {})


def _grades(rubric: Rubric) -> dict[str, str]:
    return {str(one.grade): f"{one.label}: {one.definition}" for one in rubric.levels}


def _list(records: Iterable[dict[str, Any]]) -> Iterator[str]:
    before = "["
    for record in records:
        yield before + _json(record)
        before = ","
    yield "]" if before == "," else "[]"


def _json(record: dict[str, Any]) -> str:
    return json.dumps(record, ensure_ascii=False)
