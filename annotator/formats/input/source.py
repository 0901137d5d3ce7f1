"""A text file to be read line by line: decompressed, decoded, never held as a whole."""

from __future__ import annotations

import codecs
import hashlib
import re
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import BinaryIO

from annotator.errors import InputError
from annotator.formats.hints import Hints
from annotator.formats.input.compression import PARQUET, check_regular, is_packed, opened
from annotator.formats.input.encoding import in_utf8
from annotator.formats.input.standard_input import STANDARD_INPUT, spooled

BLOCK = 256 * 1024
LONGEST_LINE = 64 * 1024 * 1024
NUL = "holds NUL bytes: perhaps --encoding utf-16-le, or no text file at all"
TAR = "is a tar archive: unpack it, and name the files in it"
IS_TAR = slice(257, 262), b"ustar"
KEY = re.compile(r'"((?:[^"\\]|\\.){1,60})"\s*:')


class Head(list[str]):
    """A file's first content lines, and as ``text`` all of its beginning."""

    def __init__(self, lines: Iterable[str], text: str = "") -> None:
        super().__init__(lines)
        self.text = text or "\n".join(self)

    @property
    def is_json(self) -> bool:
        """Whether it begins as one JSON value does, be it pasted from a console."""
        return re.match(r"\s*((GET|POST|PUT) \S+\s*)?[{\[]", self.text) is not None

    @cached_property
    def keys(self) -> frozenset[str]:
        """All that look like keys of JSON objects, at any depth."""
        return frozenset(KEY.findall(self.text))


class Source:
    """A file as the readers see it: numbered lines of text, or of columns.

    It may be compressed, be UTF-16 with a byte order mark, end its lines with LF or CRLF, and leave
    out the last one. Every call reads it anew; a file that is no text raises `InputError`, as does
    one that cannot be read.

    Parameters
    ----------
    path
        The file; ``-`` is standard input, which is kept in a temporary file.
    hints
        What a person says of it.
    imported
        Whether it is brought into a project, not only looked at.
    depth
        How many places of each ranking are enough, where a run says which rows hold these.

    Attributes
    ----------
    name
        The path as it was given, for messages.
    """

    def __init__(
        self,
        path: Path | str,
        hints: Hints | None = None,
        *,
        imported: bool = True,
        depth: int | None = None,
    ) -> None:
        self.hints, self.imported, self.depth = hints or Hints(), imported, depth
        self.name, self.path = str(path), Path(path)
        if self.name == "-":
            self.name, self.path = STANDARD_INPUT, spooled(self)

    def lines(self) -> Iterator[tuple[int, str]]:
        """Give every line with its number from 1, without its line end."""
        for number, block in self.blocks():
            yield from enumerate(block.decode().split("\n"), start=number)

    def content_lines(self) -> Iterator[tuple[int, str]]:
        """Give the lines that are neither blank nor comments; there must be one."""
        empty = True
        for number, line in self.lines():
            if line and not is_comment(line) and not line.isspace():
                empty = False
                yield number, line
        if empty:
            raise self.emptiness()

    def fields(self) -> Iterator[tuple[int, list[bytes]]]:
        """Give the content lines split at blanks and tabs, as UTF-8 bytes.

        Only ASCII blanks split, as in trec_eval: a no-break space is part of an id. Bytes, since
        most columns need not be decoded.
        """
        empty = True
        for first, block in self.blocks():
            for number, line in enumerate(block.split(b"\n"), start=first):
                if not line.startswith(b"#") and (fields := line.split()):
                    empty = False
                    yield number, fields
        if empty:
            raise self.emptiness()

    def head(self, n: int = 20) -> Head:
        """Return the first content lines that begin in the first 256 KiB; the last may be cut."""
        with self.opened() as stream:
            block = self.checked(1, stream.read(BLOCK), final=False)
        text = block.decode(errors="ignore")
        lines = text.split("\n")
        content = (line for line in lines if line.strip() and not is_comment(line))
        if not (head := Head(islice(content, n), text)):
            raise self.emptiness()
        return head

    @property
    def is_parquet(self) -> bool:
        """Whether it holds columns rather than text."""
        with _told(self.name):
            return is_packed(self.path, (PARQUET,))

    def digest(self) -> str:
        """Return the SHA-256 of the file's bytes as they are on disk."""
        with _told(self.name):
            check_regular(self.path, self.name)
            with self.path.open("rb") as file:
                return "sha256:" + hashlib.file_digest(file, "sha256").hexdigest()

    @contextmanager
    def opened(self) -> Iterator[BinaryIO]:
        """Give the file's bytes, decompressed and in UTF-8."""
        with _told(self.name), opened(self.path, self.name) as stream:
            yield in_utf8(stream, self.hints.encoding)

    def blocks(self, size: Callable[[], int] = lambda: BLOCK) -> Iterator[tuple[int, bytes]]:
        """Give whole lines, about so many bytes at once, with the number of the first."""
        number, rest = 1, b""
        with self.opened() as stream:
            for chunk in self._chunks(stream, size):
                cut = chunk.rfind(b"\n") + 1
                if cut:
                    block = rest + chunk[:cut]
                    rest = chunk[cut:]
                    yield number, self.checked(number, block)
                    number += block.count(b"\n")
                else:
                    rest += chunk
                if len(rest) > LONGEST_LINE:
                    raise self.fault(number, "a line of more than 64 MiB; is it a text file?")
        if rest:
            yield number, self.checked(number, rest)

    def pieces(self) -> Iterator[str]:
        """Give the text in pieces of at most 256 KiB, which end anywhere: for long lines."""
        number, decoder = 1, codecs.getincrementaldecoder("utf-8-sig")()
        with self.opened() as stream:
            for chunk in self._chunks(stream, lambda: BLOCK):
                if b"\0" in chunk:
                    raise self.fault(number + chunk.count(b"\n", 0, chunk.find(b"\0")), NUL)
                try:
                    yield decoder.decode(chunk)
                except UnicodeDecodeError as error:
                    at = number + error.object.count(b"\n", 0, error.start)
                    raise self.fault(at, not_utf8(error)) from None
                number += chunk.count(b"\n")
        if decoder.getstate()[0]:
            raise self.fault(number, "ends inside a character of UTF-8: is it cut short?")

    def _chunks(self, stream: BinaryIO, size: Callable[[], int]) -> Iterator[bytes]:
        """Read a stream of this file to its end, telling whoever watches how far that is."""
        done, total = 0, None if is_packed(self.path) else self.path.stat().st_size
        while chunk := stream.read(size()):
            done += len(chunk)
            if self.hints.watch:
                self.hints.watch(done, total)
            yield chunk

    def checked(self, number: int, block: bytes, final: bool = True) -> bytes:
        """Refuse what no text file holds, and make all line ends LF.

        The block's last line end is taken off. If it is not final it may end inside a character.
        """
        if number == 1:
            block = block.removeprefix(codecs.BOM_UTF8)
        if (nul := block.find(b"\0")) >= 0:
            tar = number == 1 and block[IS_TAR[0]] == IS_TAR[1]
            raise self.fault(number + block.count(b"\n", 0, nul), TAR if tar else NUL)
        try:
            if not block.isascii():  # which is most of them, and found out in no time
                codecs.utf_8_decode(block, "strict", final)
        except UnicodeDecodeError as error:
            at = number + block.count(b"\n", 0, error.start)
            raise self.fault(at, not_utf8(error)) from None
        if b"\r" in block:
            block = block.replace(b"\r\n", b"\n")
            if number == 1 and b"\r" in block.partition(b"\n")[0].rstrip(b"\r"):
                raise self.fault(1, "its lines end in CR alone; convert it: tr '\\r' '\\n'")
        return block.removesuffix(b"\n").removesuffix(b"\r")

    def fault(self, number: int, reason: str) -> InputError:
        """The error that refuses the file for one of its lines."""
        return InputError(f"{self.name}:{number}: {reason}")

    def emptiness(self) -> InputError:
        """The error that refuses a file without content."""
        return InputError(f"{self.name}: is empty, or holds only blank lines and comments")


def is_comment(line: str) -> bool:
    """Whether a line begins with ``#``, and is not a row with a tab whose first cell just does."""
    return line.startswith("#") and ("\t" not in line or line[1:2] in " \t#")


def not_utf8(error: UnicodeDecodeError) -> str:
    """Why bytes are no text."""
    return f"not UTF-8 (byte 0x{error.object[error.start]:02X}): perhaps --encoding latin-1"


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
