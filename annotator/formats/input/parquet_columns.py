"""Columns of a Parquet file, batch by batch, without a detour through its rows."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

from annotator.blocks.words import MARGIN, ByteArray, Text
from annotator.domain import FloatArray, IntArray
from annotator.errors import InputError
from annotator.formats.input.parquet import check_size, long_texts
from annotator.formats.input.source import Source
from annotator.text.safe import one_line

ROWS = 2**16
HEAD = b"annotator.head"
"""Where a file says how many places of each ranking stand first, in how many row groups, and how
many rows there are in all."""


@dataclass(frozen=True)
class Batch:
    """Some rows of some columns, Arrow arrays by name; ``row`` is the number of the first."""

    row: int
    arrays: Mapping[str, Any]

    def __len__(self) -> int:
        return len(next(iter(self.arrays.values())))

    def records(self) -> list[dict[str, Any]]:
        """The rows as dicts."""
        columns = {name: array.to_pylist() for name, array in self.arrays.items()}
        return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


class ParquetColumns:
    """Columns of a Parquet file that hold ids and numbers, and no lists or objects.

    Raises
    ------
    InputError
        If the file is damaged, or holds more than a file of that size would.
    """

    def __init__(self, source: Source) -> None:
        self._source = source
        with _told(source.name):
            from pyarrow.parquet import ParquetFile

            self._whole = ParquetFile(source.path)
            self._metadata = self._whole.metadata
            check_size(self._metadata, source.path.stat().st_size, source.name)

    def are_plain(
        self, ids: Collection[str], numbers: Collection[str], groups: Sequence[int] | None
    ) -> bool:
        """Whether these columns are there, and hold just that, in short values."""
        from pyarrow import types

        schema = self._whole.schema_arrow

        def fits(name: str, *tests: Callable[[Any], bool]) -> bool:
            if "." in name or len(schema.get_all_field_indices(name)) != 1:
                return False
            return any(test(schema.field(name).type) for test in tests)

        texts = (types.is_string, types.is_large_string)
        if not all(fits(name, *texts, types.is_integer) for name in ids):
            return False
        if not all(fits(name, types.is_integer, types.is_floating) for name in numbers):
            return False
        with _told(self._source.name):
            written = [one for one in ids if fits(one, *texts)]
            return not long_texts(self._source.path, written, groups)

    def head(self, depth: int | None, rank: str) -> list[int] | None:
        """The row groups with the first ``depth`` places of every ranking, if the file says so.

        It must have as many rows as it says, and ranks that divide there: a program that changes
        the rows may leave standing what is said of them.
        """
        said = (self._metadata.metadata or {}).get(HEAD, b"").split()
        if depth is None or len(said) != 3 or not all(map(bytes.isdigit, said)):
            return None
        deepest, groups, rows = map(int, said)
        if rows != self._metadata.num_rows or depth > deepest:
            return None
        ranges = [self._range(group, rank) for group in range(self._metadata.num_row_groups)]
        first = all(low >= 1 and high <= deepest for low, high in ranges[:groups])
        rest = all(low > deepest for low, _ in ranges[groups:])
        return list(range(groups)) if first and rest else None

    def _range(self, group: int, column: str) -> tuple[int, int]:
        """The least and greatest number of a column in a row group; (0, 0) if it does not say."""
        parts = self._metadata.row_group(group)
        every = map(parts.column, range(parts.num_columns))
        known = next((one.statistics for one in every if one.path_in_schema == column), None)
        if known is None or not known.has_min_max or known.null_count:
            return 0, 0
        return int(known.min), int(known.max)

    def batches(
        self, ids: Sequence[str], numbers: Sequence[str], groups: list[int] | None = None
    ) -> Iterator[Batch]:
        """The columns of all row groups, or of some."""
        from pyarrow.parquet import ParquetFile

        row, size = 1, self._source.path.stat().st_size
        with _told(self._source.name):
            file = ParquetFile(self._source.path, read_dictionary=[ids[0]])
            for batch in file.iter_batches(ROWS, groups, columns=[*ids, *numbers]):
                names = zip(batch.schema.names, batch.columns, strict=True)
                yield Batch(row, dict(names))
                row += batch.num_rows
                if self._source.hints.watch:
                    self._source.hints.watch(size * row // (self._metadata.num_rows + 1), size)


def fields_of(columns: Sequence[Any]) -> tuple[Text, list[tuple[IntArray, IntArray]]] | None:
    """Columns of ids as fields of one text; None where a row has no plain id.

    An id is plain if it is there, and has neither blanks nor odd characters at its ends.
    """
    parts, places, begin = [MARGIN], [], len(MARGIN)
    for column in columns:
        if column.null_count:
            return None
        data, at, length = _texts(column)
        letters = np.frombuffer(data, dtype=np.uint8)
        if not _are_plain(letters, at, length):
            return None
        parts.append(data)
        places.append((at + begin, length))
        begin += len(data)
    return Text(b"".join([*parts, MARGIN])), places


def numbers_of(column: Any) -> FloatArray | IntArray | None:
    """A column of numbers; None where some are missing or infinite."""
    if column.null_count:
        return None
    numbers: FloatArray | IntArray = column.to_numpy(zero_copy_only=False)
    return numbers if np.isfinite(numbers).all() else None


def _are_plain(letters: ByteArray, at: IntArray, length: IntArray) -> bool:
    if not len(at):
        return True
    if not int(length.min()):
        return False
    ends = np.concatenate([letters[at], letters[at + length - 1]])
    return bool(np.all((ends > ord(" ")) & (ends < 0x7F)))


def _texts(column: Any) -> tuple[bytes, IntArray, IntArray]:
    """The bytes of texts (or of whole numbers as texts), where each begins, and how long it is."""
    import pyarrow as pa

    if pa.types.is_dictionary(column.type):
        data, at, length = _texts(column.dictionary)
        rows = column.indices.to_numpy(zero_copy_only=False)
        return data, at[rows], length[rows]
    if not pa.types.is_large_string(column.type):
        column = column.cast(pa.large_string())
    _, offsets, data = column.buffers()
    ends = np.frombuffer(offsets, dtype=np.int64)[column.offset : column.offset + len(column) + 1]
    first, last = (int(ends[0]), int(ends[-1])) if len(ends) else (0, 0)
    whole = b"" if data is None else data.slice(first, last - first).to_pybytes()
    whole.decode()  # Arrow does not look at what it reads
    return whole, ends[:-1] - first, np.diff(ends)


@contextmanager
def _told(name: str) -> Iterator[None]:
    """Tell in one line why a file cannot be read."""
    from pyarrow import ArrowException

    try:
        yield
    except (ArrowException, OSError, UnicodeError) as error:
        reason = one_line(str(error), 120)
        raise InputError(f"{name}: is a damaged Parquet file: {reason}") from None
