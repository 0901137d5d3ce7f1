"""What a file tells of a document beside its id, title, text and url: authors, dates, sections."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Mapping

from annotator.formats.json_lines import REPLACEMENT, SURROGATE
from annotator.records import Metadata

LONGEST_VECTOR = 16
"""Decimal numbers in a list; more are an embedding, and nothing to be read."""

_NOT_BLIND = re.compile(
    "annotator|assessor|grade|judge?ment|qid|query|rank|rater|ratings?|relevance|scores?"
)
_NOT_BLIND_ALONE = re.compile("gain|judge|label|position|rel|run|system|topic")


def metadata(values: Mapping[str, object], used: Collection[str | None] = ()) -> Metadata:
    """Read fields as texts, those inside a field ``metadata`` too.

    Left out are empty fields, those ``used`` for something else, and those that would tell an
    assessor of a rank, a score or another's grade. Lists of texts are joined by commas; what has
    a structure of its own is written as JSON.
    """
    inside = values.get("metadata")
    if isinstance(inside, dict):
        values = {**values, **inside}
        used = {*used, "metadata"}
    shown = ((name, _text(value)) for name, value in values.items() if name not in used)
    return joined((name, value) for name, value in shown if value and _is_blind(name))


def joined(fields: Iterable[tuple[str, str]]) -> Metadata:
    """Put fields of one name together, in the order in which each name came first."""
    found: dict[str, list[str]] = {}
    for name, value in fields:
        found.setdefault(SURROGATE.sub(REPLACEMENT, name), []).append(value)
    return tuple((name, "; ".join(values)) for name, values in found.items())


def _is_blind(name: str) -> bool:
    words = re.findall(r"[^\W_]+", re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).lower())
    alone = len(set(words) - {"id", "name"}) == 1 and _NOT_BLIND_ALONE.fullmatch(words[0])
    return bool(words) and not alone and not any(map(_NOT_BLIND.fullmatch, words))


def _text(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, list):
        if len(value) > LONGEST_VECTOR and all(isinstance(one, float) for one in value):
            return ""
        if all(isinstance(one, str) for one in value):
            value = ", ".join(value)
    shown = value.strip() if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return "" if shown in ("[]", "{}") else SURROGATE.sub(REPLACEMENT, shown)
