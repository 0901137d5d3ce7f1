"""Turns a text of another encoding into UTF-8 as it is read."""

from __future__ import annotations

import codecs
import io
from typing import BinaryIO

CHUNK = 64 * 1024
BYTE_ORDER_MARKS = {  # the longer ones first: UTF-32's begins with UTF-16's
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}


def in_utf8(stream: BinaryIO, encoding: str = "") -> BinaryIO:
    """The stream in UTF-8: from the encoding named, or else from what a byte order mark says."""
    if not encoding:
        start = stream.peek(4)[:4] if isinstance(stream, io.BufferedReader) else b""
        encoding = next(
            (name for mark, name in BYTE_ORDER_MARKS.items() if start.startswith(mark)), ""
        )
    if not encoding or codecs.lookup(encoding).name == "utf-8":
        return stream
    return io.BufferedReader(_Recoded(stream, encoding))


class _Recoded(io.RawIOBase):
    """The bytes of a text in UTF-8."""

    def __init__(self, stream: BinaryIO, encoding: str) -> None:
        self._stream = stream
        self._encoding = encoding
        self._decoder = codecs.getincrementaldecoder(encoding)()
        self._done = 0
        self._ready = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        while not self._ready:
            chunk = self._stream.read(CHUNK)
            try:
                text = self._decoder.decode(chunk, final=not chunk)
                self._ready = memoryview(text.encode())
            except UnicodeError:
                raise OSError(
                    f"not {self._encoding} after about {self._done:,} bytes; name its --encoding"
                ) from None
            if not chunk and not self._ready:
                return 0
            self._done += len(chunk)
        size = min(len(buffer), len(self._ready))
        buffer[:size] = self._ready[:size]
        self._ready = self._ready[size:]
        return size
