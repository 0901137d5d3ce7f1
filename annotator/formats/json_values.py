"""What the JSON-lines readers share: one object a line, its id, its texts.

Every function raises `ValueError` with the reason if a line is not what it must be.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping, Sequence
from typing import TypeAlias

Record: TypeAlias = dict[str, object]

SURROGATE = re.compile("[\ud800-\udfff]")  # half a character; neither UTF-8 nor SQLite can hold it
REPLACEMENT = "\N{REPLACEMENT CHARACTER}"
JSON_TYPES = {
    dict: "an object",
    list: "a list",
    str: "text",
    bool: "true or false",
    int: "an integer",
    float: "a decimal number",
    type(None): "null",
}


def record(line: str) -> Record:
    """Read one line as a JSON object."""
    try:
        value = json.loads(line)
    except json.JSONDecodeError as error:
        raise ValueError(f"not JSON: {error.msg} at column {error.colno}") from None
    except RecursionError:
        raise ValueError("not JSON that can be read: nested too deeply") from None
    except ValueError:  # an integer of thousands of digits
        raise ValueError("not JSON that can be read: a number is too long") from None
    if not isinstance(value, dict):
        raise ValueError(f"expected a JSON object, found {json_type(value)}")
    return value


def json_type(value: object) -> str:
    """Name a value's type as JSON has it."""
    return JSON_TYPES[type(value)]


def first(values: Mapping[str, object], names: Sequence[str]) -> str | None:
    """Return the first of the names that is there and not null, if any is."""
    return next((name for name in names if values.get(name) is not None), None)


def identifier(values: Mapping[str, object], names: Sequence[str]) -> str:
    """Return the id under the first of the names that is there; an integer becomes its digits."""
    name = first(values, names)
    if name is None:
        raise ValueError(f"no id: expected a key {' or '.join(names)}")
    value = values[name]
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if not isinstance(value, str):
        raise ValueError(f"{name} must be text or an integer, not {json_type(value)}")
    if not value or value.isspace():
        raise ValueError(f"{name} is empty")
    if SURROGATE.search(value):
        raise ValueError(f"{name} holds half of a character (a lone surrogate)")
    return value


def text(values: Mapping[str, object], names: Sequence[str]) -> str | None:
    """Return the text under the first of the names that is there and not null, if any is."""
    for name in names:
        value = values.get(name)
        if isinstance(value, str):
            return value if value.isascii() else SURROGATE.sub(REPLACEMENT, value)
        if value is not None:
            raise ValueError(f"{name} must be text, not {json_type(value)}")
    return None


def detail(values: Mapping[str, object], name: str) -> str:
    """Return a text that may also stand inside ``metadata``, or nothing."""
    found = text(values, (name,))
    metadata = values.get("metadata")
    if found is None and isinstance(metadata, dict) and isinstance(metadata.get(name), str):
        found = text(metadata, (name,))
    return found or ""


def keys(line: str) -> Collection[str]:
    """Return the keys of a line's object, or what looks like them if it is cut or bad."""
    if not line.lstrip().startswith("{"):
        return ()
    try:
        return record(line)
    except ValueError:
        return re.findall(r'"([^"\\]+)"\s*:', line)
