"""A text file to be read line by line: decompressed, decoded, never held as a whole."""

from __future__ import annotations

import codecs
import hashlib
import io
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import BinaryIO

from annotator.errors import InputError
from annotator.formats.compression import check_regular, opened

HEAD_BYTES = 256 * 1024
LONGEST_LINE = 64 * 1024 * 1024
BYTE_ORDER_MARKS = {
    codecs.BOM_UTF32_LE: "UTF-32",
    codecs.BOM_UTF32_BE: "UTF-32",
    codecs.BOM_UTF16_LE: "UTF-16",
    codecs.BOM_UTF16_BE: "UTF-16",
}


class Source:
    """A file as the readers see it: numbered lines of text, or of columns.

    It may be compressed (gzip, zstd), begin with a byte order mark, end its lines with LF or CRLF,
    and leave out the last one. Every call reads it anew; a file that is no UTF-8 text raises
    `InputError`, as does one that cannot be read.

    Parameters
    ----------
    path
        The file.

    Attributes
    ----------
    name
        The path as it was given, for messages.
    """

    def __init__(self, path: Path | str) -> None:
        self.name = str(path)
        self.path = Path(path)

    def lines(self) -> Iterator[tuple[int, str]]:
        """Give every line with its number from 1, without its line end."""
        for number, raw in self._raw_lines():
            yield number, self._text(number, raw)

    def content_lines(self) -> Iterator[tuple[int, str]]:
        """Give the lines that are neither blank nor start with ``#``; there must be one."""
        empty = True
        for number, line in self.lines():
            if line and not line.startswith("#") and not line.isspace():
                empty = False
                yield number, line
        if empty:
            raise self._emptiness()

    def fields(self) -> Iterator[tuple[int, list[bytes]]]:
        """Give the content lines split at blanks and tabs, as UTF-8 bytes.

        Only ASCII blanks split, as in trec_eval: a no-break space is part of an id. Bytes, since
        decoding every column of a run takes longer than all the rest of reading it.
        """
        empty = True
        for number, raw in self._raw_lines():
            if not raw.isascii():
                self._text(number, raw)
            if raw.startswith(b"#"):
                continue
            if fields := raw.split():
                empty = False
                yield number, fields
        if empty:
            raise self._emptiness()

    def head(self, n: int = 20) -> list[str]:
        """Return the first content lines that begin in the first 256 KiB; the last may be cut."""
        with self._open() as stream:
            block = stream.read(HEAD_BYTES)
        found: list[str] = []
        for number, raw in self._cleaned(io.BytesIO(block)):
            line = self._text(number, raw, final=False)
            if line and not line.startswith("#") and not line.isspace():
                found.append(line)
                if len(found) == n:
                    break
        if not found:
            raise self._emptiness()
        return found

    def digest(self) -> str:
        """Return the SHA-256 of the file's bytes as they are on disk."""
        with _told(self.name):
            check_regular(self.path, self.name)
            with self.path.open("rb") as file:
                return "sha256:" + hashlib.file_digest(file, "sha256").hexdigest()

    @contextmanager
    def _open(self) -> Iterator[BinaryIO]:
        with _told(self.name), opened(self.path, self.name) as stream:
            yield stream

    def _raw_lines(self) -> Iterator[tuple[int, bytes]]:
        with self._open() as stream:
            yield from self._cleaned(iter(partial(stream.readline, LONGEST_LINE), b""))

    def _cleaned(self, raw_lines: Iterable[bytes]) -> Iterator[tuple[int, bytes]]:
        """Number the lines, take off their ends, and refuse what no text file holds."""
        for number, raw in enumerate(raw_lines, start=1):
            line = raw.rstrip(b"\r\n")
            if number == 1:
                line = self._first(line)
            if b"\0" in line:
                raise self._fault(number, "holds NUL bytes: perhaps UTF-16, or no text file at all")
            if len(raw) == LONGEST_LINE:
                raise self._fault(number, "a line of more than 64 MiB; is it a text file?")
            yield number, line

    def _first(self, line: bytes) -> bytes:
        for mark, encoding in BYTE_ORDER_MARKS.items():
            if line.startswith(mark):
                raise self._fault(1, f"{encoding}, not UTF-8; {_iconv(encoding.lower())}")
        if b"\r" in line:
            raise self._fault(1, "its lines end in CR alone; convert it: tr '\\r' '\\n'")
        return line.removeprefix(codecs.BOM_UTF8)

    def _text(self, number: int, raw: bytes, final: bool = True) -> str:
        """Decode a line; one that is not final may end inside a character."""
        try:
            return codecs.utf_8_decode(raw, "strict", final)[0]
        except UnicodeDecodeError as error:
            byte = raw[error.start]
            raise self._fault(
                number, f"not UTF-8 (byte 0x{byte:02X}): perhaps Latin-1; {_iconv('latin1')}"
            ) from None

    def _fault(self, number: int, reason: str) -> InputError:
        return InputError(f"{self.name}:{number}: {reason}")

    def _emptiness(self) -> InputError:
        return InputError(f"{self.name}: is empty, or holds only blank lines and comments")


def _iconv(encoding: str) -> str:
    return f"convert it: iconv -f {encoding} -t utf-8"


@contextmanager
def _told(name: str) -> Iterator[None]:
    """Tell in one line why a file cannot be read."""
    try:
        yield
    except FileNotFoundError:
        raise InputError(f"{name}: there is no such file") from None
    except PermissionError:
        raise InputError(f"{name}: no permission to read this file") from None
    except EOFError:
        raise InputError(f"{name}: is cut short: its compressed data end too early") from None
    except (OSError, ValueError, zlib.error) as error:
        reason = getattr(error, "strerror", None) or error
        raise InputError(f"{name}: cannot be read: {reason}") from None
