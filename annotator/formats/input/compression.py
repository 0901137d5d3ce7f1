"""Opens a file for reading bytes, plain or compressed; its first bytes tell which."""

from __future__ import annotations

import gzip
import io
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, Protocol

from annotator.errors import InputError

GZIP = b"\x1f\x8b"
ZSTD = b"\x28\xb5\x2f\xfd"
BZIP2 = b"BZh"
XZ = b"\xfd7zXZ\x00"
PARQUET = b"PAR1"
UNSUPPORTED = {
    b"PK\x03\x04": "a zip archive",
    b"SQLite format 3\x00": "an SQLite database",
    b"%PDF-": "a PDF file",
}
CHUNK = 1024  # zstd can turn a byte into 32 KiB, so a chunk fills at most 32 MiB of memory
MOST = 256 * 1024  # unpacked at once by the others: bzip2 can turn a byte into 1 MiB
UNPACKED_FREELY = 16 * 1024 * 1024
UNPACKED_TIMES = 100  # of the compressed bytes read so far, beyond that; real texts come to 20
XZ_MEMORY = 256 * 1024 * 1024  # of its dictionary; the highest preset needs 65 MiB


def check_regular(path: Path, name: str) -> None:
    """Refuse what cannot be read more than once.

    Raises
    ------
    InputError
        If the path is a directory, a pipe or a device.
    """
    mode = path.stat().st_mode
    if stat.S_ISDIR(mode):
        raise InputError(f"{name}: is a directory; name a file in it")
    if not stat.S_ISREG(mode):
        raise InputError(f"{name}: is not a regular file but a pipe or device; save it to a file")


PACKED = (GZIP, ZSTD, BZIP2, XZ, PARQUET)


def is_packed(path: Path, ways: tuple[bytes, ...] = PACKED) -> bool:
    """Whether a file's size on disk says nothing of what comes out of it: packed in these ways."""
    with path.open("rb") as file:
        return file.read(8).startswith(ways)


@contextmanager
def opened(path: Path, name: str) -> Iterator[BinaryIO]:
    """Open a regular file for buffered reading of its decompressed bytes.

    A Parquet file's rows come as JSON lines. Reading more than a text unpacks to raises `OSError`.

    Raises
    ------
    InputError
        If the file is not a regular one, or is packed in a way that is not supported.
    """
    check_regular(path, name)
    with path.open("rb") as file:
        magic = file.peek(16)[:16]
        for start, what in UNSUPPORTED.items():
            if magic.startswith(start):
                raise InputError(f"{name}: is {what}, not a text file; unpack or convert it first")
        if magic.startswith(GZIP):
            with gzip.GzipFile(fileobj=file, mode="rb") as unpacked:
                yield io.BufferedReader(_Bounded(unpacked, file.tell))
        elif magic.startswith(PARQUET):
            from annotator.formats.input.parquet import json_lines_of

            # Its columns are not read from the start to the end, and JSON names them in every row.
            size = path.stat().st_size
            yield io.BufferedReader(_Bounded(json_lines_of(file, name, size), lambda: 2 * size))
        elif make := _frames(magic, name):
            yield io.BufferedReader(_Bounded(_Unpacked(file, make), file.tell))
        else:
            yield file


class _Bounded(io.RawIOBase):
    """A stream that ends with an error where more comes out than a text would give.

    ``read`` says how many compressed bytes that took.
    """

    def __init__(self, unpacked: io.RawIOBase | io.BufferedIOBase, read: Callable[[], int]) -> None:
        self._unpacked = unpacked
        self._read = read
        self._done = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        size = self._unpacked.readinto(buffer) or 0
        self._done += size
        if self._done > max(UNPACKED_FREELY, UNPACKED_TIMES * self._read()):
            raise OSError(
                f"it unpacks to more than {UNPACKED_TIMES} times its size, as no text does; if it "
                "is one nevertheless, unpack it first"
            )
        return size


class _Frame(Protocol):
    """What decompresses one of the frames of a file, as Python's own libraries have it."""

    @property
    def eof(self) -> bool:
        """Whether the frame has ended."""

    @property
    def needs_input(self) -> bool:
        """Whether no more comes out of what it was given."""

    @property
    def unused_data(self) -> bytes:
        """What came after its end."""

    def decompress(self, data: bytes, max_length: int) -> bytes:
        """What comes out of the next bytes, or the beginning of that."""


class _ZstdFrame:
    """A frame of zstd, which gives all at once."""

    needs_input = True

    def __init__(self, decompress: Any) -> None:
        self._object = decompress

    @property
    def eof(self) -> bool:
        return bool(self._object.eof)

    @property
    def unused_data(self) -> bytes:
        return bytes(self._object.unused_data)

    def decompress(self, data: bytes, max_length: int) -> bytes:
        return bytes(self._object.decompress(data))


def _frames(magic: bytes, name: str) -> Callable[[], _Frame] | None:
    """What makes a decompressor for a file with this beginning; None if it is not compressed."""
    if magic.startswith(BZIP2):
        import bz2

        return bz2.BZ2Decompressor
    if magic.startswith(XZ):
        import lzma

        return lambda: lzma.LZMADecompressor(memlimit=XZ_MEMORY)
    if magic.startswith(ZSTD):
        try:
            import zstandard
        except ImportError:
            raise InputError(
                f"{name}: is compressed with zstd, which needs: pip install 'pool-annotator[zst]'"
            ) from None
        return lambda: _ZstdFrame(zstandard.ZstdDecompressor().decompressobj())
    return None


class _Unpacked(io.RawIOBase):
    """The bytes of a compressed file.

    The libraries have streams of their own, but that of zstd does not tell a file that is cut
    short, that of xz has no limit of memory, and those of bzip2 and xz leave out what follows and
    is not compressed.
    """

    def __init__(self, file: BinaryIO, make: Callable[[], _Frame]) -> None:
        self._file = file
        self._make = make
        self._frame = make()
        self._packed = b""
        self._ready = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        while not self._ready:
            if not self._packed and (self._frame.eof or self._frame.needs_input):
                self._packed = self._file.read(CHUNK)
                if not self._packed:
                    if not self._frame.eof:
                        raise EOFError("the file ends inside its compressed data")
                    return 0
            self._ready = memoryview(self._unpacked())
        size = min(len(buffer), len(self._ready))
        buffer[:size] = self._ready[:size]
        self._ready = self._ready[size:]
        return size

    def _unpacked(self) -> bytes:
        """Decompress what is at hand, in the next frame where one has ended."""
        try:
            if self._frame.eof:
                self._frame = self._make()
            unpacked = self._frame.decompress(self._packed, MOST)
            self._packed = self._frame.unused_data if self._frame.eof else b""
        except (OSError, ValueError, EOFError, MemoryError):
            raise
        except Exception as error:  # each library has an error of its own
            raise OSError(str(error)) from None
        return unpacked
