"""Runs as Parquet files whose first rows are the first places of every ranking."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

import numpy as np

from annotator.blocks.codes import Codes
from annotator.domain import FloatArray, Int32Array, IntArray
from annotator.errors import UsageError
from annotator.formats.input.parquet_columns import HEAD

FIRST = 100
"""Places of each ranking that stand first, in row groups of their own."""
ROWS = 2**17
"""Rows of a row group at most."""


class Places(Protocol):
    """Rankings in displayed order: queries and documents by their numbers, rows of one together."""

    @property
    def query(self) -> Int32Array:
        """The query of each row."""

    @property
    def document(self) -> Int32Array:
        """The document of each row."""

    @property
    def score(self) -> FloatArray:
        """The score of each row."""


def write_parquet(path: Path, run: Places, qids: Sequence[str], documents: Codes) -> int:
    """Write a run packed by zstd: query, document, rank from 1, and score; how many rows.

    The first 100 places of all rankings come first, then the rest, both by the bytes of the query's
    id, then by rank. A reader that needs no more leaves out the rest, and one that needs some
    queries the row groups of others.

    Raises
    ------
    UsageError
        If the library that writes Parquet is not installed.
    """
    try:
        import pyarrow as pa
        from pyarrow.parquet import ParquetWriter
    except ImportError:
        raise UsageError(
            "Parquet is written by a library: pip install 'pool-annotator[parquet]'"
        ) from None
    rank, parts = _ranks(run), _parts(run, qids)
    fields = [("query", pa.string()), ("document", pa.string())]
    schema = pa.schema([*fields, ("rank", pa.int32()), ("score", pa.float64())])
    heads = sum(is_head for is_head, _ in parts)
    said = {HEAD: f"{FIRST} {heads} {len(rank)}"}
    names = np.array(qids, dtype=object)
    with ParquetWriter(
        path, schema.with_metadata(said), compression="zstd", use_dictionary=["query"]
    ) as file:
        for _, rows in parts:
            columns = [
                pa.array(names[run.query[rows]], pa.string()),
                pa.array(documents.names(run.document[rows]), pa.string()),
                pa.array(rank[rows], pa.int32()),
                pa.array(run.score[rows], pa.float64()),
            ]
            file.write_table(pa.table(columns, schema=file.schema), row_group_size=len(rows))
    return len(rank)


def _ranks(run: Places) -> IntArray:
    """The place of each row in its ranking, from 1."""
    return np.arange(1, len(run.query) + 1) - np.searchsorted(run.query, run.query)


def _parts(run: Places, qids: Sequence[str]) -> list[tuple[bool, IntArray]]:
    """The rows of each row group, and whether they are among the first places."""
    place = np.empty(len(qids), dtype=np.int64)
    place[sorted(range(len(qids)), key=qids.__getitem__)] = np.arange(len(qids))
    order = np.argsort(place[run.query], kind="stable")
    is_head = (_ranks(run) <= FIRST)[order]
    return [
        (head, rows[start : start + ROWS])
        for head, rows in ((True, order[is_head]), (False, order[~is_head]))
        for start in range(0, len(rows), ROWS)
    ]
