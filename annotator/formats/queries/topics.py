"""What the two TREC topic formats share: from topics' fields to queries."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from annotator.domain import Query
from annotator.errors import InputError
from annotator.formats.input.source import Source
from annotator.formats.problems import Problems

LABELS = re.compile(r"\A\s*(Number|Topic|Description|Narrative)\s*:", re.IGNORECASE)


def queries(
    found: Iterable[tuple[int, Mapping[str, str]]], source: Source, problems: Problems, tag: str
) -> Iterator[Query]:
    """Make a query of each topic, given the line where it starts and its fields.

    Raises
    ------
    InputError
        If there is none: what a topic begins with.
    """
    empty = True
    for line, fields in found:
        empty = False
        try:
            made = query(fields["num"], fields)
        except ValueError as fault:
            problems.add(line, str(fault))
        else:
            yield made
    if empty:
        raise InputError(f"{source.name}: holds no topic: expected {tag}")


def query(qid: str, fields: Mapping[str, str]) -> Query:
    """Make a query of a topic's fields ``title``, ``desc`` and ``narr``.

    A topic without a title (TREC-4 has such) goes by its description, or its narrative.

    Raises
    ------
    ValueError
        With the reason, if there is no id or no text.
    """
    qid = _plain(qid)
    if not qid:
        raise ValueError("the topic has no number")
    if " " in qid:
        raise ValueError(f"expected one word as the topic's number, found {qid!r}")
    texts = [_plain(fields.get(name, "")) for name in ("title", "desc", "narr")]
    text = next(filter(None, texts), "")
    if not text:
        raise ValueError(f"topic {qid} has no text: expected a title, description or narrative")
    title, description, narrative = texts
    return Query(
        qid,
        text,
        description if title else "",
        narrative if title or description else "",
    )


def _plain(text: str) -> str:
    """Take off a leading label such as ``Number:`` and put the text on one line."""
    return " ".join(LABELS.sub("", text).split())
