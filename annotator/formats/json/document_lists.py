"""Lists of documents in one value: ids, or texts whose ids are made of what they say."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

from annotator.formats import json_values

OF_TEXT = "text-"
DIGITS = 16


def entries(value: object, name: str) -> list[object]:
    """The entries of a list.

    Raises
    ------
    ValueError
        If it is none.
    """
    if value is None:
        return []
    if not isinstance(value, list):
        raise ValueError(f"{name} must be a list, not {json_values.json_type(value)}")
    return value


def ids(value: object, name: str) -> list[str]:
    """The ids of a list."""
    return [json_values.identifier({name: one}, (name,)) for one in entries(value, name)]


def texts(value: object, name: str) -> list[str]:
    """The texts of a list."""
    return [json_values.text({name: one}, (name,)) or "" for one in entries(value, name)]


def id_of(text: str) -> str:
    """The id of a document of which only the text is known: equal texts have equal ids."""
    return OF_TEXT + hashlib.sha256(text.encode()).hexdigest()[:DIGITS]


def documents_of(values: Mapping[str, object]) -> list[str]:
    """The ids of what a query returned: those that are listed, else those made of the texts."""
    if "docids" in values:
        return ids(values["docids"], "the list of documents")
    return [id_of(text) for text in texts(values.get("texts"), "the list of texts")]
