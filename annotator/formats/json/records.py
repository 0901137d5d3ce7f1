"""Objects in JSON: one a line, the entries of a list, or the file as one object."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import suppress
from enum import StrEnum
from itertools import islice

from annotator.formats import json_values
from annotator.formats.input.source import Head, Source
from annotator.formats.json import argilla, bulk, by_query
from annotator.formats.json import document as json_document
from annotator.formats.json.members import entries, members
from annotator.formats.json_values import Record
from annotator.formats.problems import Problems

START = re.compile(r"\s*[{\[]")
LOOKED_AT = 20


class Shape(StrEnum):
    """How the objects of a file lie in it."""

    LINES = "lines"
    BULK = "bulk"
    BY_QUERY = "by query"
    LIST = "list"
    ONE = "one"


def shape(head: Head) -> Shape | None:
    """How the objects lie, by the beginning of the file; None if there are none."""
    if bulk.is_request(head[0]):
        return Shape.BULK
    first = head[0].lstrip()
    if first.startswith("["):
        return Shape.LIST
    if not first.startswith("{"):
        return None
    if by_query.recognise(head.text):
        return Shape.BY_QUERY
    whole = _object(head[0]) is not None
    begun = len(head) == 1 and len(head.text) > json_document.BEGINNING  # a line that is cut off
    if (whole and len(head) > 1) or begun or (len(head) > 1 and _object(head[1]) is not None):
        return Shape.BULK if bulk.is_action(_object(head[0])) else Shape.LINES
    return Shape.LINES if whole else Shape.ONE


def sample(head: Head) -> list[Record]:
    """The first objects, as far as the beginning of the file has them."""
    return [argilla.nested(one) for one in _sample(head)]


def _sample(head: Head) -> list[Record]:
    form = shape(head)
    if form is Shape.BULK:
        lines = enumerate(map(_object, head))
        return [one for _, one in bulk.documents((at, one) for at, one in lines if one)]
    if form is Shape.LINES:
        found = (_object(line) for line in head)
        return [one for one in found if one is not None] or _cut(head[0])
    if form is Shape.BY_QUERY:
        return [by_query.record(*one) for one in _members(head.text)]
    start = START.match(head.text)
    if form is None or start is None:
        return []
    if form is Shape.LIST:
        return list(islice(_decoded(head.text, start.end()), LOOKED_AT))
    return list(islice(_decoded(head.text, start.end() - 1), 1))


def records(source: Source, problems: Problems) -> Iterator[tuple[int, Record]]:
    """Every object with its line, or its place in the list; bad lines are noted.

    Raises
    ------
    InputError
        If the file is one JSON value, and a bad one.
    """
    head = source.head()
    found = _records(source, shape(head), problems)
    if not argilla.is_flat(head.keys):
        return found
    return ((number, argilla.nested(record)) for number, record in found)


def _records(
    source: Source, form: Shape | None, problems: Problems
) -> Iterator[tuple[int, Record]]:
    if form is Shape.BULK:
        yield from bulk.documents(_lines(source, problems, after_request=True), problems)
        return
    if form is Shape.BY_QUERY:
        problems.unit = "query"
        for number, one in enumerate(members(source), start=1):
            yield number, by_query.record(*one)
        return
    if form is Shape.LIST:
        problems.unit = "item"
        values: Iterator[object] = entries(source)
    elif form is Shape.ONE:
        values = iter([json_document.load(source)])
    else:
        yield from _lines(source, problems)
        return
    for number, value in enumerate(values, start=1):
        if isinstance(value, dict):
            yield number, value
        else:
            found = json_values.json_type(value)
            problems.add(number, f"expected an object, found {found}", str(value)[:100])


def _lines(
    source: Source, problems: Problems, *, after_request: bool = False
) -> Iterator[tuple[int, Record]]:
    for number, line in source.content_lines():
        if after_request and bulk.is_request(line):
            continue
        try:
            record = json_values.record(line)
        except ValueError as fault:
            problems.add(number, str(fault), line)
        else:
            yield number, record


def _object(line: str) -> Record | None:
    if not line.lstrip().startswith("{"):
        return None
    try:
        return json_values.record(line)
    except ValueError:
        return None


def _cut(line: str) -> list[Record]:
    """What the keys of a bad or cut line look like."""
    keys = json_values.keys(line)
    return [dict.fromkeys(keys, "")] if keys else []


def _members(text: str) -> Iterator[tuple[str, object]]:
    """The first keys of an object with their values, as far as they can be read."""
    mark, at = re.compile(r"[\s{,:]*"), 0
    with suppress(ValueError, RecursionError):
        for _ in range(LOOKED_AT):
            pair = []
            for _ in range(2):
                gap = mark.match(text, at)
                value, at = json_document.DECODER.raw_decode(text, gap.end() if gap else at)
                pair.append(value)
            yield pair[0], pair[1]


def _decoded(text: str, at: int) -> Iterator[Record]:
    """The objects that stand there, with commas between, as far as they can be read."""
    decoder = json.JSONDecoder()
    while True:
        gap = re.compile(r"[\s,]*").match(text, at)
        at = gap.end() if gap else at
        try:
            value, at = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            return
        if isinstance(value, dict):
            yield value
