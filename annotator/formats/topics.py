"""What the two TREC topic formats share: from a topic's fields to a query."""

from __future__ import annotations

import re
from collections.abc import Mapping

from annotator.records import Query

LABELS = re.compile(r"\A\s*(Number|Topic|Description|Narrative)\s*:", re.IGNORECASE)


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
