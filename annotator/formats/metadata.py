"""What a file tells of a document beside its id, title, text and url: authors, dates, sections."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping

from annotator.domain import Metadata
from annotator.formats.blindness import Fields
from annotator.formats.json_values import REPLACEMENT, SURROGATE

LONGEST_VECTOR = 16
"""Decimal numbers in a list; more are an embedding, and nothing to be read."""

DEEPEST = 20


def metadata(
    values: Mapping[str, object], fields: Fields, used: Collection[str | None] = ()
) -> Metadata:
    """Read fields as texts, those inside a field ``metadata`` too.

    Left out are empty fields, those ``used`` for something else, and those that are not to be
    shown, also inside others. Lists of texts are joined by commas; what has a structure of its own
    is written as JSON.
    """
    inside = values.get("metadata")
    if isinstance(inside, dict):
        values = {**values, **inside}
        used = {*used, "metadata"}
    found = []
    for name, value in values.items():
        text = "" if name in used else _text(_shown(name, value, fields))
        if text and fields.shows(name, text):
            found.append((name, text))
    return joined(found)


def _shown(name: str, value: object, fields: Fields, depth: int = 0) -> object:
    """A value without the parts that are not to be shown.

    Raises
    ------
    ValueError
        If it is nested too deeply.
    """
    if depth > DEEPEST:
        raise ValueError(f"the field {name[:40]} is nested too deeply")
    if isinstance(value, list):
        return [_shown(name, one, fields, depth + 1) for one in value]
    if not isinstance(value, dict):
        return value
    return {
        key: _shown(key, one, fields, depth + 1)
        for key, one in value.items()
        if fields.shows(f"{name}.{key}", one)
    }


def joined(fields: Iterable[tuple[str, str]]) -> Metadata:
    """Put fields of one name together, in the order in which each name came first."""
    found: dict[str, list[str]] = {}
    for name, value in fields:
        found.setdefault(SURROGATE.sub(REPLACEMENT, name), []).append(value)
    return tuple((name, "; ".join(values)) for name, values in found.items())


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
