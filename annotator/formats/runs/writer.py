"""Runs as they are written: TREC, and JSON lines for ids that TREC cannot hold."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TypeAlias

from annotator.errors import UsageError
from annotator.text.safe import one_line

Places: TypeAlias = Iterable[tuple[str, str, int, float]]
"""Query, document, rank and score of each place."""


def trec(places: Places, system: str) -> Iterator[str]:
    """Six columns: query, Q0, document, rank, score, and the system as the tag.

    Raises
    ------
    UsageError
        If the format cannot hold an id.
    """
    tag = "_".join(system.split()) or "run"
    for qid, docid, rank, score in places:
        for name in (qid, docid):
            if name.encode().split() != [name.encode()] or "\0" in name:
                raise UsageError(_unwritable(name, "blanks"))
        if qid.startswith(("#", "\ufeff")):
            raise UsageError(_unwritable(qid, "a # at its start"))
        yield f"{qid} Q0 {docid} {rank} {score!r} {tag}"


def jsonl(places: Places, _system: str) -> Iterator[str]:
    """An object a place."""
    for qid, docid, rank, score in places:
        values = {"qid": qid, "docid": docid, "rank": rank, "score": score}
        yield json.dumps(values, ensure_ascii=False)


def _unwritable(name: str, why: str) -> str:
    shown = one_line(name, width=60)
    return f"a TREC run cannot hold an id with {why}: '{shown}'; write it with --as jsonl"


WRITERS: Mapping[str, Callable[[Places, str], Iterator[str]]] = {"trec": trec, "jsonl": jsonl}
