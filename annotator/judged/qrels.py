"""Qrels as judged pairs: by columns where every line is plain, row by row elsewhere."""

from __future__ import annotations

import numpy as np

from annotator.formats import Kind, qrels_trec, read_qrels, recognise
from annotator.formats.problems import Problems
from annotator.formats.source import Source
from annotator.judged.pairs import HIGHEST, JudgedPairs

COLUMNS = 4


def read_judged_pairs(source: Source, problems: Problems) -> JudgedPairs:
    """Read qrels of any format, noting bad lines; a pair that is there twice counts once.

    Raises
    ------
    InputError
        If the file as a whole cannot be read, a pair has two grades, or a grade is above 127.
    """
    if recognise(Kind.QRELS, source) is qrels_trec.READER:
        pairs = _by_columns(source)
        if pairs is not None:
            return pairs
    return JudgedPairs.from_qrels(read_qrels(source, problems), source.name)


def _by_columns(source: Source) -> JudgedPairs | None:
    """TREC qrels without comments, faults or repeats; None if a line needs a closer look."""
    text = b"\n".join(block for _, block in source.blocks())
    if b"#" in text:
        return None
    rows = [fields for line in text.split(b"\n") if (fields := line.split())]
    if not rows or any(len(fields) != COLUMNS for fields in rows):
        return None
    qids, _, docids, written = zip(*rows, strict=True)
    if b"".join(written).translate(None, b"-0123456789"):
        return None
    try:
        grades = np.array(written).astype(np.int64)
    except ValueError:
        return None
    if grades.max() > HIGHEST:
        return None
    pairs = JudgedPairs.indexed(qids, docids, grades)
    return None if pairs.repeated else pairs
