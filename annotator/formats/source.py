"""A text file to be read line by line: decompressed, decoded, never held as a whole."""

from __future__ import annotations

import codecs
import hashlib
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import BinaryIO

from annotator.errors import InputError
from annotator.formats.compression import check_regular, opened

BLOCK = 256 * 1024
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
        for number, block in self._blocks():
            yield from enumerate(block.decode().split("\n"), start=number)

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
        for first, block in self._blocks():
            for number, line in enumerate(block.split(b"\n"), start=first):
                fields = line.split()
                if fields and not line.startswith(b"#"):
                    empty = False
                    yield number, fields
        if empty:
            raise self._emptiness()

    def head(self, n: int = 20) -> list[str]:
        """Return the first content lines that begin in the first 256 KiB; the last may be cut."""
        with self._open() as stream:
            block = self._checked(1, stream.read(BLOCK), final=False)
        lines = block.decode(errors="ignore").split("\n")
        content = (line for line in lines if line.strip() and not line.startswith("#"))
        if not (head := list(islice(content, n))):
            raise self._emptiness()
        return head

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

    def _blocks(self) -> Iterator[tuple[int, bytes]]:
        """Give whole lines, many at once, with the number of the first."""
        number, rest = 1, b""
        with self._open() as stream:
            while chunk := stream.read(BLOCK):
                cut = chunk.rfind(b"\n") + 1
                if cut:
                    block = rest + chunk[:cut]
                    rest = chunk[cut:]
                    yield number, self._checked(number, block)
                    number += block.count(b"\n")
                else:
                    rest += chunk
                if len(rest) > LONGEST_LINE:
                    raise self._fault(number, "a line of more than 64 MiB; is it a text file?")
        if rest:
            yield number, self._checked(number, rest)

    def _checked(self, number: int, block: bytes, final: bool = True) -> bytes:
        """Refuse what no text file holds, and make all line ends LF.

        The block's last line end is taken off. If it is not final it may end inside a character.
        """
        if number == 1:
            for mark, encoding in BYTE_ORDER_MARKS.items():
                if block.startswith(mark):
                    raise self._fault(1, f"{encoding}, not UTF-8; {_iconv(encoding.lower())}")
            block = block.removeprefix(codecs.BOM_UTF8)
        if (nul := block.find(b"\0")) >= 0:
            raise self._fault(
                number + block.count(b"\n", 0, nul),
                "holds NUL bytes: perhaps UTF-16, or no text file at all",
            )
        try:
            codecs.utf_8_decode(block, "strict", final)
        except UnicodeDecodeError as error:
            raise self._fault(
                number + block.count(b"\n", 0, error.start),
                f"not UTF-8 (byte 0x{block[error.start]:02X}): perhaps Latin-1; {_iconv('latin1')}",
            ) from None
        if b"\r" in block:
            block = block.replace(b"\r\n", b"\n")
            if number == 1 and b"\r" in block.partition(b"\n")[0].rstrip(b"\r"):
                raise self._fault(1, "its lines end in CR alone; convert it: tr '\\r' '\\n'")
        return block.removesuffix(b"\n").removesuffix(b"\r")

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
