"""What a page says, read back from it: its options, and its text line by line."""

from __future__ import annotations

import json
from collections import Counter
from html.parser import HTMLParser
from typing import Any

from annotator.errors import InputError
from annotator.report.page.page import OPTIONS

_ENDS = {"tr", "p", "title", "desc", "li", "dd", "h1", "h2", "h3", "summary", "figcaption", "text"}
"""Tags whose end ends a line."""


class _Page(HTMLParser):
    """The lines of a page, each with the heading it stands under."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: str | None = None
        self.lines: list[str] = []
        self._parts: list[str] = []
        self._under = ""
        self._silent = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        said = dict(attrs)
        if tag == "meta" and said.get("name") == OPTIONS:
            self.asked = said.get("content")
        self._silent = tag == "style"

    def handle_endtag(self, tag: str) -> None:
        self._silent = False
        if tag not in _ENDS:
            return
        line = " | ".join(self._parts)
        self._parts = []
        if tag in ("h2", "h3"):
            self._under = line
        elif line:
            self.lines.append(f"{self._under}: {line}" if self._under else line)

    def handle_data(self, data: str) -> None:
        if data.strip() and not self._silent:
            self._parts.append(" ".join(data.split()))


def _read(page: str) -> _Page:
    read = _Page()
    read.feed(page)
    read.close()
    return read


def asked_for(page: str, name: str) -> dict[str, Any]:
    """The options that a page was made with.

    Raises
    ------
    InputError
        If it is no such page.
    """
    asked = _read(page).asked
    try:
        found = json.loads(asked or "")
    except ValueError:
        found = None
    if not isinstance(found, dict):
        raise InputError(f"{name}: is no page that `annotator report` wrote")
    return found


def changes(before: str, after: str) -> tuple[list[str], list[str]]:
    """The lines that only one page has, and those that only the other has, in their order."""
    lines = [_read(page).lines for page in (before, after)]
    first, second = map(Counter, lines)
    return list((first - second).elements()), list((second - first).elements())
