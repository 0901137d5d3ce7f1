"""A TREC run: query, Q0, document, rank, score, tag."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from math import isfinite

import numpy as np

from annotator.formats.problems import Problems
from annotator.formats.reader import Reader
from annotator.formats.source import Source
from annotator.records import RunTable

UNDERSCORE = ord("_")  # Python's own numbers may have it, those of other programs may not


def recognise(head: Sequence[str]) -> bool:
    """Most lines have Q0 as second of at least five columns, or an integer rank and a score."""
    return sum(map(_fits, head)) * 2 >= len(head)


def _fits(line: str) -> bool:
    fields = line.encode().split()
    if len(fields) < 5 or line.startswith(("{", "[", "<")):
        return False
    if fields[1].upper() == b"Q0":
        return True
    return len(fields) > 5 and not _fault(fields)


def read(source: Source, problems: Problems) -> RunTable:
    """Read the ranking; words after the tag are left out, as TREC's own tools do."""
    qids: dict[bytes, int] = {}
    docids: dict[bytes, int] = {}
    query, document = array("i"), array("i")
    rank, score, line = array("q"), array("d"), array("q")
    for number, fields in source.fields():
        try:
            qid, _, docid, place, points = fields[:5]
            value = float(points)
            if len(fields) < 6 or UNDERSCORE in place or UNDERSCORE in points:
                raise ValueError
            if not isfinite(value):
                raise ValueError
            rank.append(int(place))
        except (ValueError, OverflowError):
            problems.add(number, _fault(fields), b" ".join(fields).decode())
            continue
        score.append(value)
        line.append(number)
        query.append(qids.setdefault(qid, len(qids)))
        document.append(docids.setdefault(docid, len(docids)))
    return RunTable(
        qids=[qid.decode() for qid in qids],
        docids=[docid.decode() for docid in docids],
        query=np.array(query, dtype=np.int32),
        document=np.array(document, dtype=np.int32),
        rank=np.array(rank, dtype=np.int64),
        score=np.array(score, dtype=np.float64),
        line=np.array(line, dtype=np.int64),
    )


def _fault(fields: Sequence[bytes]) -> str:
    """Say what is wrong with a line's columns; empty if nothing is."""
    if len(fields) < 6:
        return f"expected 6 columns (query Q0 document rank score tag), found {len(fields)}"
    rank, score = fields[3], fields[4]
    if (place := _number(int, rank)) is None:
        return f"the rank must be an integer, not {rank.decode()}"
    if not -(2**63) <= place < 2**63:
        return f"the rank is out of range: {rank.decode()}"
    if (value := _number(float, score)) is None:
        expected = "a number with a decimal point" if b"," in score else "a number"
        return f"the score must be {expected}, not {score.decode()}"
    if not isfinite(value):
        return f"the score must be finite, not {score.decode()}"
    return ""


def _number(convert: type[int] | type[float], text: bytes) -> float | None:
    try:
        return None if UNDERSCORE in text else convert(text)
    except ValueError:
        return None


READER = Reader(
    name="trec",
    title="TREC run (query Q0 document rank score tag)",
    recognise=recognise,
    read=read,
)
