"""How much each query counts: a table with a weight column, JSON lines, or an id and a number."""

from __future__ import annotations

import math
from collections.abc import Iterator

from annotator.errors import InputError
from annotator.formats import json_values
from annotator.formats.fields import ID, plain, standing
from annotator.formats.input.source import Source
from annotator.formats.json import records as json_records
from annotator.formats.json_values import Record
from annotator.formats.problems import Problems
from annotator.formats.tables import cells
from annotator.formats.tables import table as tables

WEIGHT = "weight"
EXPECTED = "expected a query id and its weight, set apart by a tab, a comma or a blank"


def read_weights(source: Source) -> dict[str, float]:
    """The weight of each query.

    A queries file with a column ``weight`` beside that of the ids will do.

    Raises
    ------
    InputError
        If the file is bad, a weight is not a number of at least 0, a query has two, or all are 0.
    """
    problems, weights = Problems(source.name), dict[str, float]()
    for line, qid, text in _rows(source, problems):
        weight = _number(text)
        if weight is None:
            problems.add(line, f"the weight of {qid} must be a number of 0 or more", text)
        elif weights.setdefault(qid, weight) != weight:
            problems.add(line, f"query {qid} has another weight above: {weights[qid]}", text)
    problems.raise_if_any("query weights")
    if not any(weights.values()):
        raise InputError(f"{source.name}: every weight is 0, so no query would count")
    return weights


def _rows(source: Source, problems: Problems) -> Iterator[tuple[int, str, str]]:
    """Line, query and weight as text."""
    head = source.head()
    is_json = json_records.shape(head) is not None
    headings = cells.split(head[0], cells.delimiter_of(head[0]))
    headless = WEIGHT not in map(plain, headings)
    if is_json:
        records = json_records.records(source, problems)
    else:
        records = tables.records(source, problems, headless=headless)
    for line, record in records:
        try:
            yield (line, *(_of_two(record) if headless and not is_json else _of_named(record)))
        except ValueError as fault:
            problems.add(line, str(fault))


def _of_two(record: Record) -> tuple[str, str]:
    if len(record) != 2:
        raise ValueError(EXPECTED)
    qid, weight = map(str, record.values())
    return qid.strip(), weight.strip()


def _of_named(record: Record) -> tuple[str, str]:
    weights = [name for name in record if plain(name) == WEIGHT]
    ids = [name for name in record if plain(name) == ID or standing("qid", (name,)) is not None]
    if not weights or not ids:
        raise ValueError(f"expected a query id and a {WEIGHT}")
    return json_values.identifier(record, ids).strip(), str(record[weights[0]]).strip()


def _number(text: str) -> float | None:
    """A finite number of at least 0."""
    try:
        number = float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) and number >= 0 else None
