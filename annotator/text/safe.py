"""Makes text from files safe to show: a terminal obeys control characters, whoever wrote them.

Everything that came from a file (texts, titles, ids, names, error texts) passes here before it is
shown. What is stored is never changed.
"""

from __future__ import annotations

import re

SHOWN_AS_UNKNOWN = "\N{REPLACEMENT CHARACTER}"
CUT = "…"

# C1 controls, bidi controls, zero-width and format characters, line separators, tags and lone
# surrogates: categories Cf, Cs, Zl and Zp. Written out, since asking unicodedata about every
# character takes half a second. U+200C and U+200D are missing: Indic scripts and emoji need them.
_INVISIBLE = (
    (0x80, 0x9F),
    (0xAD, 0xAD),
    (0x600, 0x605),
    (0x61C, 0x61C),
    (0x6DD, 0x6DD),
    (0x70F, 0x70F),
    (0x890, 0x891),
    (0x8E2, 0x8E2),
    (0x180E, 0x180E),
    (0x200B, 0x200B),
    (0x200E, 0x200F),
    (0x2028, 0x202E),
    (0x2060, 0x206F),
    (0xD800, 0xDFFF),
    (0xFEFF, 0xFEFF),
    (0xFFF9, 0xFFFB),
    (0x110BD, 0x110BD),
    (0x110CD, 0x110CD),
    (0x13430, 0x1343F),
    (0x1BCA0, 0x1BCA3),
    (0x1D173, 0x1D17A),
    (0xE0000, 0xE007F),
)

# The control pictures stand in code order at U+2400; the one for DEL follows that for space.
_TABLE = {code: 0x2400 + code for code in range(0x20) if chr(code) not in "\n\t"} | {0x7F: 0x2421}
for _first, _last in _INVISIBLE:
    _TABLE.update(dict.fromkeys(range(_first, _last + 1), ord(SHOWN_AS_UNKNOWN)))

_HIDDEN = (
    "[\\x00-\\x08\\x0b-\\x1f\\x7f"
    + "".join(f"{chr(first)}-{chr(last)}" for first, last in _INVISIBLE)
    + "]"
)


def visible(text: str) -> str:
    """Replace what a terminal would obey or hide, one character for one, so that offsets stay true.

    Newlines and tabs are kept.
    """
    # translate is quick for ASCII only; of other long texts most are clean.
    if text.isascii() or re.search(_HIDDEN, text):
        return text.translate(_TABLE)
    return text


def document_text(text: str) -> str:
    """Prepare a text for reading: one kind of line end, and nothing a terminal would obey."""
    return visible(text.replace("\r\n", "\n"))


def one_line(text: str, width: int | None = None) -> str:
    """Put a text on one line: blanks, tabs and newlines become single spaces.

    Parameters
    ----------
    text
        Any text; of a long one only a beginning is looked at if a width is given.
    width
        The most characters to return; a longer text ends in ``…``.
    """
    if width is None:
        return " ".join(document_text(text).split())
    looked_at = 4 * width + 200
    line = one_line(text[:looked_at])
    if len(line) <= width and len(text) <= looked_at:
        return line
    return (line[: width - 1] + CUT)[:width]
