"""A TREC run: query, Q0, document, rank, score, tag; read as columns, thousands of lines at once.

What is unusual in a block of lines is put right or told line by line.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from math import isfinite
from typing import Literal, TypeAlias

import numpy as np

from annotator.blocks import numbers
from annotator.blocks.lines import Lines, columns_of
from annotator.blocks.words import MARGIN, Text, repeats
from annotator.formats.input.source import Head, Source
from annotator.formats.problems import Problems
from annotator.formats.reader import Reader

COLUMNS = 6
UNDERSCORE = ord("_")  # Python's own numbers may have it, those of other programs may not

BATCH = 1536 * 1024
"""Bytes read at a time: much more is read no faster, and much less costs by the number of calls."""

LARGE = 30 * 1024 * 1024
"""A piece of memory (never touched) after whose release the C library of Linux keeps what smaller
arrays leave, where it would give it back, and fetch it again, for every batch."""

Whole: TypeAlias = Literal["line", "query", "file"]


def recognise(head: Head) -> bool:
    """Most lines have Q0 as second of at least five columns, or an integer rank and a score."""
    return sum(map(_fits, head)) * 2 >= len(head)


def _fits(line: str) -> bool:
    fields = line.encode().split()
    if len(fields) < 5 or line.startswith(("{", "[", "<")):
        return False
    if fields[1].upper() == b"Q0":
        return True
    return len(fields) > 5 and not fault(fields)


def batches(source: Source, problems: Problems, whole: Whole = "line") -> Iterator[Lines]:
    """Read a run in batches that end where a line does, where a query does, or the file.

    Words after the tag are left out, as TREC's own tools do. The lines of a query that a batch
    breaks off are read again with the next.

    Raises
    ------
    InputError
        If there is no line in it.
    """
    np.empty(LARGE, dtype=np.uint8)
    tail, before, empty = b"", problems.count, True

    def size() -> int:  # more than what is left over, or a long ranking would cost its square
        return max(BATCH, 2 * len(tail))

    blocks = source.blocks(size)
    if whole == "file":
        blocks = iter([(1, b"\n".join(block for _, block in blocks))])
    for number, fresh in blocks:
        lines = _lines(tail, fresh + b"\n", number, problems)
        empty = empty and not len(lines)
        cut = int(lines.begins[-1]) if whole == "query" and len(lines) else len(lines)
        if cut:
            yield lines.before(cut)
        tail = lines.bytes_from(cut) if len(lines) > cut else b""
    if tail:
        yield _lines(tail, b"", 0, problems)
    if empty and problems.count == before:
        raise source.emptiness()


def _lines(tail: bytes, fresh: bytes, number: int, problems: Problems) -> Lines:
    """The lines of both; whatever is unusual in the fresh ones is put right or noted."""
    if not (b"#" in fresh and (fresh.startswith(b"#") or b"\n#" in fresh)):
        lines = _plain_lines(tail + fresh) or _plain_lines(tail + _squeezed(fresh))
        if lines is not None:
            return lines
    lines = _plain_lines(tail + _tidied(fresh, number, problems), trusted=True)
    assert lines is not None
    return lines


def _squeezed(text: bytes) -> bytes:
    """One blank for each run of blanks and tabs, none where a line begins or ends."""
    text = b"\n" + text.replace(b"\t", b" ")
    while b"  " in text:
        text = text.replace(b"  ", b" ")
    text = text.replace(b" \n", b"\n").replace(b"\n ", b"\n")
    while b"\n\n" in text:
        text = text.replace(b"\n\n", b"\n")
    return text.removeprefix(b"\n")


def _tidied(text: bytes, number: int, problems: Problems) -> bytes:
    """Line by line: six fields with one blank between, of those lines that hold a good row."""
    tidy = []
    for line_number, line in enumerate(text.split(b"\n"), start=number):
        fields = line.split()
        if not fields or line.startswith(b"#"):
            continue
        if reason := fault(fields):
            problems.add(line_number, reason, b" ".join(fields).decode())
        else:
            tidy.append(b" ".join(fields[:COLUMNS]) + b"\n")
    return b"".join(tidy)


def _plain_lines(rows: bytes, trusted: bool = False) -> Lines | None:
    """The fields of lines that have six and one blank between; None if some have not.

    Trusted lines are known to have; control characters, which may divide fields or not, are then
    part of fields.
    """
    text = Text(b"".join((MARGIN, rows, MARGIN)))
    found = columns_of(text, COLUMNS, trusted)
    if found is None:
        return None
    at, length = found
    rank = numbers.integers(text, at[3], length[3])
    score = numbers.decimals(text, at[4], length[4])
    if rank is None or score is None:
        return None
    begins = np.flatnonzero(~repeats(text, at[0], length[0]))
    return Lines(text, at[0], length[0], at[2], length[2], rank, score, begins)


def fault(fields: Sequence[bytes]) -> str:
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


TREC_RUN = Reader(
    name="trec",
    title="TREC run (query Q0 document rank score tag)",
    recognise=recognise,
    read=partial(batches),
)
