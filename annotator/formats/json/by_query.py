"""One JSON object of queries, each with the list of its documents: ``{"red": ["a", "b"]}``."""

from __future__ import annotations

import re

from annotator.formats.fields import WRAPPERS, is_known, plain, standing
from annotator.formats.json.document import DECODER
from annotator.formats.json_values import Record

_OPENING = re.compile(r"\s*\{\s*(?=\")")
_BETWEEN = re.compile(r"\s*:\s*")


def recognise(text: str) -> bool:
    """Whether a file begins with a query and the documents of a list, by ids or as objects."""
    opening = _OPENING.match(text)
    try:
        key, at = DECODER.raw_decode(text, opening.end()) if opening else ("", 0)
        between = _BETWEEN.match(text, at)
        value, _ = DECODER.raw_decode(text, between.end()) if between else (None, 0)
    except (ValueError, RecursionError):
        return False
    if not isinstance(value, list) or not value or plain(key) in WRAPPERS or is_known((key,)):
        return False
    return all(_is_document(one) for one in value)


def _is_document(value: object) -> bool:
    if isinstance(value, dict):
        paths = [(name,) for name in value]
        own = any(standing(field, path) for path in paths for field in ("qid", "query"))
        return not own and any(standing("docid", path) or path == ("id",) for path in paths)
    return isinstance(value, str | int) or _is_scored(value)


def _is_scored(value: object) -> bool:
    return (
        isinstance(value, list)
        and len(value) == 2
        and isinstance(value[0], str | int)
        and isinstance(value[1], int | float)
    )


def record(query: str, documents: object) -> Record:
    """The query with its documents as rows of other files have them.

    A list of ids may be what was returned, or what is relevant: what is asked of the file decides.
    """
    entries = documents if isinstance(documents, list) else []
    if not any(isinstance(one, dict | list) for one in entries):
        return {"qid": query, "results": documents, "relevant": documents}
    scored = [{"docid": one[0], "score": one[1]} if _is_scored(one) else one for one in entries]
    return {"qid": query, "results": scored}
