"""The rows of a Parquet file as JSON lines, so that every reader of those reads it too."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from typing import BinaryIO

from annotator.errors import InputError
from annotator.sanitise import one_line

ROWS = 1000  # at once in memory, beside a column's page


def json_lines_of(file: BinaryIO, name: str) -> io.BufferedReader:
    """The file's rows, each a line with a JSON object.

    Raises
    ------
    InputError
        If the library that reads Parquet is not installed, or the file is damaged.
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
            for batch in ParquetFile(file).iter_batches(batch_size=ROWS):
                for row in batch.to_pylist():
                    yield json.dumps(row, ensure_ascii=False, default=str).encode() + b"\n"
        except (ArrowException, OSError, UnicodeError) as error:
            reason = one_line(str(error), 120)  # which may be of several lines
            raise InputError(f"{name}: is a damaged Parquet file: {reason}") from None

    return io.BufferedReader(_Lines(lines()))


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
