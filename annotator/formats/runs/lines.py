"""From rows of any format to lines of a run."""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterable, Iterator
from math import isfinite
from typing import NamedTuple

import numpy as np

from annotator.blocks.lines import Lines
from annotator.formats import json_values
from annotator.formats.problems import Problems

AT_ONCE = 50_000
WHOLE = re.compile(r"(?<=[0-9])\.0{1,15}$")
"""The decimals of a whole number."""


class Row(NamedTuple):
    """One place of a ranking, unchecked; rank or score may be missing."""

    query: object
    docid: object
    rank: object
    score: object
    line: int


def run_lines(
    rows: Iterable[Row], problems: Problems, counted: dict[str, int] | None = None
) -> Iterator[Lines]:
    """Check the rows and gather them.

    Without a rank all rows of a query have one, so that the score orders them; without a score it
    is minus the rank; without either the place in the file counts. ``counted``
    holds how many such rows each query had before; it is kept up to date.
    """
    qids, docids = list[str](), list[str]()
    rank, score = array("q"), array("d")
    places: dict[str, int] = {} if counted is None else counted
    for row in rows:
        try:
            qid = json_values.identifier({"query": row.query}, ("query",))
            docid = json_values.identifier({"document": row.docid}, ("document",))
            place = None if row.rank is None else _rank(row.rank)
            value = None if row.score is None else _score(row.score)
        except ValueError as fault:
            problems.add(row.line, str(fault), f"{row.query} {row.docid}")
            continue
        if place is None and value is None:
            place = places[qid] = places.get(qid, 0) + 1
        qids.append(qid)
        docids.append(docid)
        rank.append(0 if place is None else place)
        score.append(-float(place or 0) if value is None else value)
        if len(qids) == AT_ONCE:
            yield Lines.of(qids, docids, np.array(rank), np.array(score))
            del qids[:], docids[:], rank[:], score[:]
    yield Lines.of(qids, docids, np.array(rank), np.array(score))


def _rank(value: object) -> int:
    """A whole number, also as a table of decimal numbers has it (``1.0``)."""
    try:
        place = None if isinstance(value, bool) else int(WHOLE.sub("", str(value)))
    except ValueError:
        place = None
    if place is None or "_" in str(value) or not -(2**63) <= place < 2**63:
        raise ValueError(f"the rank must be an integer, not {str(value)[:60] or 'nothing'}")
    return place


def _score(value: object) -> float:
    try:
        points = None if isinstance(value, bool | list | dict) else float(str(value))
    except ValueError:
        points = None
    if points is None or "_" in str(value) or not isfinite(points):
        expected = "a number with a decimal point" if "," in str(value) else "a finite number"
        raise ValueError(f"the score must be {expected}, not {str(value)[:60] or 'nothing'}")
    return points
