"""Words as a reader takes them: without accents, case, and signs that cannot be seen."""

from __future__ import annotations

import re
import unicodedata
from functools import cache

from annotator.text.safe import SHOWN_AS_UNKNOWN

UNSEEN = f"\u00ad\u200b-\u200d\u2060\ufeff{SHOWN_AS_UNKNOWN}"
"""Soft hyphens, zero-width signs and what is shown for them, as a range of a pattern."""
ACCENTS = "\u0300-\u036f"
"""Accents that follow their letter, as a range of a pattern."""
LAST_LETTER = 0x1FFF  # after it no letter has an accent of these


def seen(text: str) -> str:
    """A text without what cannot be seen; a letter and its accents are one character."""
    if text.isascii():
        return text
    return unicodedata.normalize("NFC", re.sub(f"[{UNSEEN}]", "", text))


def one_wording(text: str) -> str:
    """The one form of all texts that differ only in case, blanks, composition and unseen signs."""
    return seen(" ".join(seen(text).casefold().split()))


def without_accents(text: str) -> str:
    """A text as :func:`seen`, without accents: é is e."""
    if text.isascii():
        return text
    return seen("".join(map(_letter, seen(text))))


def pattern_of(text: str) -> str:
    """A pattern that finds a text whatever accents and unseen signs it is written with.

    It is to be compiled with ``re.IGNORECASE``.
    """
    return "".join(map(_pattern, without_accents(text)))


def _pattern(letter: str) -> str:
    written = [re.escape(letter), *_accented().get(letter, "")]
    parts = unicodedata.normalize("NFD", letter)  # as of a syllable in Hangul
    written += [parts] if len(parts) > 1 else []
    return f"(?:{'|'.join(written)})[{ACCENTS}{UNSEEN}]*"


def _letter(character: str) -> str:
    """The letter under the accents of one character; nothing of an accent alone."""
    bare = re.sub(f"[{ACCENTS}]", "", unicodedata.normalize("NFD", character))
    return bare if len(bare) <= 1 else character


@cache
def _accented() -> dict[str, str]:
    """All characters that are a letter with accents, by the letter."""
    found: dict[str, str] = {}
    for character in map(chr, range(0xC0, LAST_LETTER)):
        letter = _letter(character)
        if letter not in ("", character):
            found[letter] = found.get(letter, "") + character
    return found
