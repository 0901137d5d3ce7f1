"""Opens a file for reading bytes, whether it is plain, gzip or zstd; its first bytes tell which."""

from __future__ import annotations

import gzip
import io
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from annotator.errors import InputError

GZIP = b"\x1f\x8b"
ZSTD = b"\x28\xb5\x2f\xfd"
UNSUPPORTED = {
    b"PK\x03\x04": "a zip archive",
    b"BZh": "a bzip2 file",
    b"\xfd7zXZ\x00": "an xz file",
    b"SQLite format 3\x00": "an SQLite database",
}
CHUNK = 1024  # zstd can turn a byte into 32 KiB, so a chunk fills at most 32 MiB of memory


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


@contextmanager
def opened(path: Path, name: str) -> Iterator[BinaryIO]:
    """Open a regular file for buffered reading of its decompressed bytes.

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
                raise InputError(f"{name}: is {what}, not a text file; unpack it first")
        if magic.startswith(GZIP):
            with gzip.GzipFile(fileobj=file, mode="rb") as unpacked:
                yield io.BufferedReader(unpacked)  # its lines are read faster than GzipFile's own
        elif magic.startswith(ZSTD):
            yield io.BufferedReader(_Zstd(file, name))
        else:
            yield file


class _Zstd(io.RawIOBase):
    """The bytes of a zstd file; unlike the library's own stream it tells when the file is cut."""

    def __init__(self, file: BinaryIO, name: str) -> None:
        try:
            import zstandard
        except ImportError:
            raise InputError(
                f"{name}: is compressed with zstd, which needs: pip install 'pool-annotator[zst]'"
            ) from None
        self._file = file
        self._zstandard = zstandard
        self._frame = zstandard.ZstdDecompressor().decompressobj()
        self._ready = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        while not self._ready:
            chunk = self._file.read(CHUNK)
            if not chunk:
                if not self._frame.eof:
                    raise EOFError("the file ends inside its compressed data")
                return 0
            self._ready = memoryview(self._unpacked(chunk))
        size = min(len(buffer), len(self._ready))
        buffer[:size] = self._ready[:size]
        self._ready = self._ready[size:]
        return size

    def _unpacked(self, chunk: bytes) -> bytes:
        """Decompress a chunk, going on to the next frame wherever one ends."""
        unpacked = []
        try:
            while chunk:
                if self._frame.eof:
                    self._frame = self._zstandard.ZstdDecompressor().decompressobj()
                unpacked.append(self._frame.decompress(chunk))
                chunk = self._frame.unused_data if self._frame.eof else b""
        except self._zstandard.ZstdError as error:
            raise OSError(str(error)) from None
        return b"".join(unpacked)
