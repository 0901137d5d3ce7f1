"""The look of Markdown, told line by line; the text itself stays as it is."""

from __future__ import annotations

import re
from collections.abc import Iterator

KINDS = ("heading", "quote", "code", "strong", "emphasis")

_BLOCK = re.compile(r" {0,3}(?:(?P<heading>#{1,6} )|(?P<quote>>)|(?P<code>```|~~~))")
_INLINE = re.compile(
    r"(?P<code>`[^`\n]+`)"
    r"|(?P<strong>\*\*[^\s*](?:[^*\n]*[^\s*])?\*\*|__[^\s_](?:[^_\n]*[^\s_])?__)"
    r"|(?<![\w*])(?P<emphasis>\*[^\s*](?:[^*\n]*[^\s*])?\*(?![\w*]))"
)


def marked_up(text: str, start: int, end: int) -> Iterator[tuple[int, int, str]]:
    """Where in one shown line of a text what look begins and ends.

    What begins on another line is not known here: so a document of any length is shown at once.
    """
    line_start = text.rfind("\n", max(0, start - 4_000), start) + 1
    if block := _BLOCK.match(text, line_start, max(end, line_start)):
        yield start, end, str(block.lastgroup)
    for found in _INLINE.finditer(text, start, end):
        yield *found.span(), str(found.lastgroup)
