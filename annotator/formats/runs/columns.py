"""A run in Parquet, a row a place, read as the columns it has."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from annotator.blocks.lines import Lines
from annotator.blocks.words import repeats
from annotator.domain import IntArray
from annotator.formats.input.parquet_columns import Batch, ParquetColumns, fields_of, numbers_of
from annotator.formats.input.source import Source
from annotator.formats.problems import Problems
from annotator.formats.reader import Kind
from annotator.formats.runs.lines import Row, run_lines
from annotator.formats.tables.rows import chosen

NEEDED = {"query", "docid"}
PLACES = {"rank", "score"}


def parquet_lines(source: Source, problems: Problems) -> Iterator[Lines] | None:
    """Read the ranking, many rows at once; None where its columns are not that plain.

    Where the file says which rows hold the first places, and these are enough, only they are read.
    What is raised is as in :func:`annotator.formats.tables.rows.rows`.
    """
    columns = chosen(source, problems, Kind.RUN)
    names = columns.plain_names()
    if not (names.keys() > NEEDED and names.keys() - NEEDED <= PLACES):
        return None
    file = ParquetColumns(source)
    groups = file.head(source.depth, names["rank"]) if "rank" in names else None
    ids, numbers = [names["query"], names["docid"]], [names[one] for one in names.keys() & PLACES]
    if not file.are_plain(ids, numbers, groups):
        return None
    return _lines(file.batches(ids, numbers, groups), names, problems)


def _lines(
    batches: Iterator[Batch], names: Mapping[str, str], problems: Problems
) -> Iterator[Lines]:
    counted: dict[str, int] = {}
    for batch in batches:
        if lines := _plain(batch, names):
            yield lines
        else:
            yield from run_lines(_rows(batch, names), problems, counted)


def _plain(batch: Batch, names: Mapping[str, str]) -> Lines | None:
    """The rows as they stand; None where one of them has to be looked at by itself."""
    found = fields_of([batch.arrays[names["query"]], batch.arrays[names["docid"]]])
    rank, score = (_numbers(batch, names.get(one)) for one in ("rank", "score"))
    if found is None or ("rank" in names and not _whole(rank)):
        return None
    if "score" in names and score is None:
        return None
    text, ((qid_at, qid_length), (docid_at, docid_length)) = found
    places: IntArray = np.zeros(len(batch), dtype=np.int64) if rank is None else rank
    places = places.astype(np.int64)
    points = -places.astype(np.float64) if score is None else score.astype(np.float64)
    begins = np.flatnonzero(~repeats(text, qid_at, qid_length))
    return Lines(text, qid_at, qid_length, docid_at, docid_length, places, points, begins)


def _numbers(batch: Batch, name: str | None) -> Any:
    return None if name is None else numbers_of(batch.arrays[name])


def _whole(rank: Any) -> bool:
    """Whether all ranks are there, whole, and no larger than is counted."""
    return rank is not None and rank.dtype.kind in "iu" and bool((rank < 2**63 - 1).all())


def _rows(batch: Batch, names: Mapping[str, str]) -> Iterator[Row]:
    for number, record in enumerate(batch.records(), start=batch.row):
        query, docid, rank, score = (record.get(names.get(field, "")) for field in Row._fields[:4])
        yield Row(_stripped(query), _stripped(docid), rank, score, number)


def _stripped(value: object) -> object:
    return value.strip() if isinstance(value, str) else value
