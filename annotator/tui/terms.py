"""Which words of a query are marked in a document."""

from __future__ import annotations

import re

_COMMON_WORDS = """
a about after all also an and any are as at be been before between but by can could did do
does for from had has have how i if in into is it its may more most must my no not of on one
or other our out over should so some such than that the their them then there these they
this those to under up used very was we were what when where which while who whom whose why
will with would you your
"""
_COMMON = frozenset(_COMMON_WORDS.split())


def term_pattern(query: str) -> re.Pattern[str] | None:
    """A pattern of the query's words, common ones left out, with or without a plural s."""
    words = {word.casefold() for word in re.findall(r"\w{2,}", query)} - _COMMON
    if not words:
        return None
    longest_first = sorted((re.escape(word.removesuffix("s")) for word in words), key=len)[::-1]
    return re.compile(rf"\b(?:{'|'.join(longest_first)})s?\b", re.IGNORECASE)
