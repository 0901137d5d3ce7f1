"""TREC qrels as columns, thousands of lines at once, where every line is as plain as most are."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from annotator.blocks import numbers
from annotator.blocks.lines import columns_of
from annotator.blocks.words import MARGIN, Text, repeats
from annotator.domain import BoolArray, IntArray
from annotator.formats.input.source import Source

COLUMNS = 4
LONGEST = 15
"""Digits of a grade, with its sign."""


class NotPlainError(Exception):
    """A line has to be looked at by itself."""


@dataclass(frozen=True, eq=False)
class QrelLines:
    """N lines of qrels: offsets and lengths of the ids in the text, and grades.

    ``begins`` holds where each query begins, first row 0; ``line`` is the number of the first line.
    """

    text: Text
    qid_at: IntArray
    qid_length: IntArray
    docid_at: IntArray
    docid_length: IntArray
    grade: IntArray
    begins: IntArray
    line: int


def plain_lines(source: Source) -> Iterator[QrelLines]:
    """Read qrels whose lines are four columns, of which the second always says one thing.

    Raises
    ------
    NotPlainError
        If they are not, or hold anything that must be refused or explained.
    InputError
        As any reader, if the file is no text.
    """
    second = b""
    for number, block in source.blocks():
        lines = _lines(block, number)
        if lines is None:
            raise NotPlainError
        text, at, length, grade = lines
        here = text.field(int(at[1][0]), int(length[1][0]))
        second = second or here
        if here != second or not _all_alike(text, at[1], length[1]):
            raise NotPlainError
        begins = np.flatnonzero(~repeats(text, at[0], length[0]))
        yield QrelLines(text, at[0], length[0], at[2], length[2], grade, begins, number)


def _lines(block: bytes, number: int) -> tuple[Text, IntArray, IntArray, IntArray] | None:
    if b"#" in block and (block.startswith(b"#") or b"\n#" in block):
        return None
    text = Text(b"".join((MARGIN, block.replace(b"\t", b" "), b"\n", MARGIN)))
    found = columns_of(text, COLUMNS)
    if found is None or not found[0].size:
        return None
    at, length = found
    if length[3].max() > LONGEST:
        return None
    grade = numbers.integers(text, at[3], length[3])
    return None if grade is None else (text, at, length, grade)


def _all_alike(text: Text, at: IntArray, length: IntArray) -> BoolArray | np.bool_:
    return repeats(text, at, length)[1:].all()
