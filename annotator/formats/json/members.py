"""Reads one JSON object or list piece by piece, so that a file of any size needs no more memory.

Libraries for this say neither the line of a fault nor that an object has a key twice, which loses
what stands under it the first time.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import islice

from annotator.errors import InputError
from annotator.formats.input.source import BLOCK, LONGEST_LINE, Source
from annotator.formats.json.document import DECODER, reason

_BLANK = re.compile(r"[ \t\r\n]*")
_CUT = 16  # characters before the end of what is in memory in which a fault may be that it ends


def members(source: Source) -> Iterator[tuple[str, object]]:
    """Each key of the file's one object with its value; one of them is in memory at a time.

    Raises
    ------
    InputError
        If the file is not one JSON object, has a key twice, or a member of more than 64 MiB.
    """
    text, seen = _Text(source), set[str]()
    text.take("{", "an object")
    last = text.take("}", "") if text.next() == "}" else ""
    while last != "}":
        key = text.value()
        if not isinstance(key, str):
            raise text.fault("expected a key in double quotes")
        if key in seen:
            raise InputError(f"{source.name}: the key {key[:60]} is there twice in one JSON object")
        seen.add(key)
        text.take(":", "a colon")
        yield key, text.value()
        last = text.take(",}", "a comma or the end of the object")
    if text.next():
        raise text.fault("something follows the object's end")


def entries(source: Source) -> Iterator[object]:
    """Each entry of the file's one list; one of them is in memory at a time.

    Raises
    ------
    InputError
        If the file is not one JSON list, or has an entry of more than 64 MiB.
    """
    text = _Text(source)
    text.take("[", "a list")
    last = text.take("]", "") if text.next() == "]" else ""
    while last != "]":
        yield text.value()
        last = text.take(",]", "a comma or the end of the list")
    if text.next():
        raise text.fault("something follows the list's end")


class _Text:
    """A file's text: what lies between the place that has been read to and some way on."""

    def __init__(self, source: Source) -> None:
        self._source, self._pieces = source, source.pieces()
        self._text, self._at = "", 0
        self._line, self._column = 1, 0  # of where that begins

    def next(self) -> str:
        """The next character that is no blank; empty at the end."""
        while True:
            blank = _BLANK.match(self._text, self._at)
            self._at = blank.end() if blank else self._at
            if self._at < len(self._text):
                return self._text[self._at]
            if not self._more():
                return ""

    def take(self, choices: str, what: str) -> str:
        """Go on behind the next character, which must be one of these."""
        found = self.next()
        if not found or found not in choices:
            raise self.fault(f"expected {what}")
        self._at += 1
        return found

    def value(self) -> object:
        """The next value, with all that is in it."""
        self.next()
        while True:
            try:
                value, end = DECODER.raw_decode(self._text, self._at)
            except json.JSONDecodeError as error:
                cut = error.pos > len(self._text) - _CUT or error.msg.startswith("Unterminated")
                ahead = error.pos - self._at
                if not (cut and self._more()):
                    raise self.fault(error.msg, self._at + ahead) from None
            except RecursionError:
                name = self._source.name
                raise InputError(f"{name}: not JSON that can be read: nested too deeply") from None
            except ValueError as fault:
                raise InputError(f"{self._source.name}: {reason(fault)}") from None
            else:
                if end < len(self._text) or not self._more():  # a number may go on
                    self._at = end
                    return value

    def fault(self, what: str, at: int | None = None) -> InputError:
        """The error that refuses the file for what stands at a place, or here."""
        line, column = self._place(self._at if at is None else at)
        return InputError(f"{self._source.name}:{line}: not JSON: {what} at column {column + 1}")

    def _more(self) -> bool:
        """Read on, twice as much as is in memory; whether there was more."""
        self._line, self._column = self._place(self._at)
        self._text, self._at = self._text[self._at :], 0
        if len(self._text) > LONGEST_LINE:
            raise self._source.fault(self._line, "one entry is more than 64 MiB")
        more = "".join(islice(self._pieces, max(1, len(self._text) // BLOCK)))
        self._text += more
        return bool(more)

    def _place(self, at: int) -> tuple[int, int]:
        before = self._text[:at]
        if lines := before.count("\n"):
            return self._line + lines, len(before) - before.rfind("\n") - 1
        return self._line, self._column + at
