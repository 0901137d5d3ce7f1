"""The rows of a Parquet file as JSON lines, so that every reader of those reads it too."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from typing import Any, BinaryIO

from annotator.errors import InputError
from annotator.text.safe import one_line

FREELY = 16 * 1024 * 1024
TIMES = 100
VALUES = 1_000_000
AT_ONCE = 4 * 1024 * 1024
ROWS = 1000  # at once in memory, beside a column's page


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
            columns = _checked(ParquetFile(file).metadata, size, name)
            whole = ParquetFile(file, read_dictionary=columns)
            for batch in whole.iter_batches(batch_size=ROWS):
                yield from _lines(batch)
        except (ArrowException, OSError, UnicodeError) as error:
            reason = one_line(str(error), 120)  # which may be of several lines
            raise InputError(f"{name}: is a damaged Parquet file: {reason}") from None

    return io.BufferedReader(_Lines(lines()))


def _checked(metadata: Any, size: int, name: str) -> list[str]:
    """The columns of texts, of a file whose parts are no larger than those of any text.

    Such columns are read as numbers of different texts, since one text may stand in every row.
    """
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
