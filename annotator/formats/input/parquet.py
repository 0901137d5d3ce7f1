"""The rows of a Parquet file as JSON lines, so that every reader of those reads it too."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator, Sequence
from typing import Any, BinaryIO

import numpy as np

from annotator.errors import InputError
from annotator.text.safe import one_line

FREELY = 16 * 1024 * 1024
TIMES = 100
VALUES = 1_000_000
AT_ONCE = 4 * 1024 * 1024
ROWS = 1000  # at once in memory, beside a column's page
LONGEST = 4096  # bytes of a text that may stand in each of them


def json_lines_of(file: BinaryIO, name: str, size: int) -> io.BufferedReader:
    """The file's rows, each a line with a JSON object.

    Raises
    ------
    InputError
        If the library that reads Parquet is not installed, or the file is damaged, or holds more
        than a file of that size would.
    """
    try:
        from pyarrow import ArrowException
        from pyarrow.parquet import ParquetFile
    except ImportError:
        raise InputError(
            f"{name}: is a Parquet file, which needs: pip install 'pool-annotator[parquet]'"
        ) from None

    def lines() -> Iterator[bytes]:
        try:
            metadata = ParquetFile(file).metadata
            texts = check_size(metadata, size, name)
            for group in range(metadata.num_row_groups):
                whole = ParquetFile(file, read_dictionary=long_texts(file, texts, [group]))
                for batch in whole.iter_batches(ROWS, [group]):
                    yield from _lines(batch)
        except (ArrowException, OSError, UnicodeError) as error:
            reason = one_line(str(error), 120)  # which may be of several lines
            raise InputError(f"{name}: is a damaged Parquet file: {reason}") from None

    return io.BufferedReader(_Lines(lines()))


def check_size(metadata: Any, size: int, name: str) -> list[str]:
    """The columns of texts, of a file whose parts are no larger than those of any text."""
    columns, held, values = set(), 0, 0
    for group in map(metadata.row_group, range(metadata.num_row_groups)):
        parts = [group.column(place) for place in range(group.num_columns)]
        values += max((part.num_values for part in parts), default=0)
        held += group.total_byte_size
        if held > max(FREELY, TIMES * size) or values > max(VALUES, TIMES * size):
            raise InputError(
                f"{name}: it unpacks to far more than its size, as no text does; write it as JSON "
                "lines if it is one nevertheless"
            )
        columns |= {part.path_in_schema for part in parts if part.physical_type == "BYTE_ARRAY"}
    return sorted(columns)


def long_texts(file: Any, columns: Sequence[str], groups: Sequence[int] | None = None) -> list[str]:
    """Those of the columns that have a long text in one of the row groups (None: of all).

    Be it there once, it may stand in every row. They are to be read as numbers of different texts.
    Others are faster without that; a text that is not in the dictionary takes its room in the file
    each time.
    """
    from pyarrow.parquet import ParquetFile

    def is_long(column: str) -> bool:
        for group in range(whole.metadata.num_row_groups) if groups is None else groups:
            for batch in whole.iter_batches(1, [group], columns=[column]):
                known = batch.column(0)
                if not hasattr(known, "dictionary"):  # within lists or objects
                    return True
                sizes = known.dictionary.cast("large_binary").buffers()[1]
                ends = np.frombuffer(sizes, dtype=np.int64)[: len(known.dictionary) + 1]
                if np.diff(ends).max(initial=0) > LONGEST:
                    return True
                break
        return False

    whole = ParquetFile(file, read_dictionary=columns)
    return [one for one in columns if is_long(one)]


def _lines(batch: Any) -> Iterator[bytes]:
    """The rows of a batch, so many at a time that few megabytes of them are in memory."""
    at, many = 0, 1
    while at < batch.num_rows:
        rows = batch.slice(at, many).to_pylist()
        at += len(rows)
        longest = 1
        for row in rows:
            line = json.dumps(row, ensure_ascii=False, default=str).encode() + b"\n"
            longest = max(longest, len(line))
            yield line
        many = max(1, min(2 * many, AT_ONCE // longest))


class _Lines(io.RawIOBase):
    """The bytes of lines as they are made."""

    def __init__(self, lines: Iterator[bytes]) -> None:
        self._lines = lines
        self._ready = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        while not self._ready:
            line = next(self._lines, b"")
            if not line:
                return 0
            self._ready = memoryview(line)
        size = min(len(buffer), len(self._ready))
        buffer[:size] = self._ready[:size]
        self._ready = self._ready[size:]
        return size
