"""What the readers of whole JSON files share: loading one, and what its parts must be.

Such a file is held in memory as a whole, so its size is limited.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence

from annotator.errors import InputError
from annotator.formats.input.source import Source
from annotator.formats.json_values import Record, json_type

LARGEST = 128 * 1024 * 1024
BEGINNING = 200_000  # characters of a first line beyond which it may be cut where one looks at it
CONSOLE = re.compile(r"\s*(?:GET|POST|PUT)[ \t]+\S+[ \t]*\r?\n")  # a request pasted from a console


def load(source: Source) -> object:
    """Load the file's one value; a line such as ``POST /index/_rank_eval`` before it is left out.

    Raises
    ------
    InputError
        If it is no JSON, too large, or an object has one key twice.
    """
    pieces, size = [], 0
    for piece in source.pieces():
        size += len(piece)
        if size > LARGEST:
            raise InputError(
                f"{source.name}: is one JSON value of more than {LARGEST >> 20} MiB, which would "
                "have to be held in memory; convert it to a format of lines (TREC qrels, JSONL)"
            )
        pieces.append(piece)
    text = "".join(pieces)
    del pieces
    start = match.end() if (match := CONSOLE.match(text)) else 0
    try:
        return DECODER.decode(text[start:] if start else text)
    except json.JSONDecodeError as error:
        at = error.lineno + text.count("\n", 0, start)
        raise InputError(
            f"{source.name}:{at}: not JSON: {error.msg} at column {error.colno}"
        ) from None
    except RecursionError:
        raise InputError(f"{source.name}: not JSON that can be read: nested too deeply") from None
    except ValueError as fault:
        raise InputError(f"{source.name}: {reason(fault)}") from None


def _unique(pairs: Sequence[tuple[str, object]]) -> Record:
    record = dict(pairs)
    if len(record) < len(pairs):
        seen: set[str] = set()
        twice = next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]
        raise ValueError(f"the key {twice[:60]} is there twice in one JSON object")
    return record


DECODER = json.JSONDecoder(object_pairs_hook=_unique)


def reason(fault: ValueError) -> str:
    """Why a value cannot be had, though it is JSON."""
    said = str(fault)
    return said if said.startswith("the key") else "a number in it is too long"


def record(value: object, what: str) -> Record:
    """A value that must be an object.

    Raises
    ------
    ValueError
        With the reason.
    """
    if not isinstance(value, dict):
        raise ValueError(f"expected {what} to be an object, found {json_type(value)}")
    return value


def records(values: object, key: str) -> Iterator[Record]:
    """The objects of a list under a key.

    Raises
    ------
    ValueError
        If there is no such list.
    """
    listed = values.get(key) if isinstance(values, dict) else None
    if not isinstance(listed, list):
        raise ValueError(f"expected a list under {key}, found {json_type(listed)}")
    for value in listed:
        yield record(value, f"what is listed under {key}")


def string(values: Record, *names: str) -> str:
    """The first text that is there and not empty; an empty one if there is none."""
    for name in names:
        if isinstance(value := values.get(name), str) and value.strip():
            return value
    return ""
