"""Which words of a document are marked: those of the query, by their stems."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from functools import lru_cache
from importlib import import_module
from importlib.util import find_spec, module_from_spec
from itertools import chain
from typing import Protocol

from annotator.text.folding import UNSEEN, seen, without_accents

_COMMON_WORDS = """
a about after all also an and any are as at be been before between but by can could did do
does for from had has have how i if in into is it its may more most must my no not of on one
or other our out over should so some such than that the their them then there these they
this those to under up used very was we were what when where which while who whom whose why
will with would you your
"""
_COMMON = frozenset(_COMMON_WORDS.split())


# Letters with the marks that some scripts put on them, which \\w alone leaves out; between letters
# there may be signs that cannot be seen.
_LETTERS = r"(?:[^\W_]|[\u0300-\u036f\u0610-\u061a\u064b-\u065f\u0900-\u0963])+"
_PART = re.compile(_LETTERS)
_WORD = re.compile(f"{_LETTERS}(?:[{UNSEEN}]+{_LETTERS})*")
# Scripts that put no blanks between words: there any two characters of the query are looked for.
_UNSPACED = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u0e00-\u0e7f"
_LANGUAGES = (
    ("[\u0400-\u04ff]", "russian"),
    ("[\u0370-\u03ff]", "greek"),
    ("[\u0600-\u06ff]", "arabic"),
    ("[\u0900-\u097f]", "hindi"),
)
PREFIX = 2


class Marker(Protocol):
    """Finds what is to be marked, as a pattern does."""

    def finditer(self, text: str, start: int, end: int, /) -> Iterator[re.Match[str]]:
        """Find all there is between two places of a text."""


class Terms:
    """The words of a query, common ones left out.

    A stem keeps a word's beginning, so only words that begin as one of the query's does are
    stemmed: that is what makes marking quick.
    """

    def __init__(self, query: str) -> None:
        words = {form for one in _WORD.finditer(query) for form in _forms(one[0])} - _COMMON
        # Compiled only where it may be needed: that takes long.
        run = None if query.isascii() else re.compile(f"[{_UNSPACED}]+")
        self._words = frozenset(
            one for one in words if len(one) > 1 and not (run and run.search(one))
        )
        self._stems = frozenset(map(stem, self._words))
        self._beginnings = frozenset(one[:PREFIX] for one in self._words | self._stems)
        runs = run.findall(query) if run else []
        pairs = {run[at : at + 2] for run in runs for at in range(max(1, len(run) - 1))}
        self._pairs = re.compile("|".join(map(re.escape, sorted(pairs)))) if pairs else None

    def finditer(self, text: str, start: int, end: int, /) -> Iterator[re.Match[str]]:
        """Find the query's words between two places of a text."""
        words = self._words_in(text, start, end)
        return chain(words, self._pairs.finditer(text, start, end)) if self._pairs else words

    def _words_in(self, text: str, start: int, end: int) -> Iterator[re.Match[str]]:
        for found in _WORD.finditer(text, start, end):
            if self._is_one(found):
                yield found
            elif not found[0].isalnum():  # what cannot be seen may also part two words
                yield from filter(self._is_one, _PART.finditer(text, *found.span()))

    def _is_one(self, found: re.Match[str]) -> bool:
        word = found[0]
        if word.isascii():
            return self._is_known(word.casefold())
        return any(map(self._is_known, _forms(word)))

    def _is_known(self, word: str) -> bool:
        if word[:PREFIX] not in self._beginnings:
            return False
        return word in self._words or stem(word) in self._stems


def _forms(word: str) -> tuple[str, ...]:
    """A word in small letters, as written and without accents."""
    if word.isascii():
        return (word.casefold(),)
    return seen(word).casefold(), without_accents(word).casefold()


@lru_cache(100)
def terms_of(query: str) -> Terms:
    """The words of a query; the same for the same query."""
    return Terms(query)


@lru_cache(20_000)
def stem(word: str) -> str:
    """A word without its ending, by the language that its script suggests."""
    scripts = () if word.isascii() else _LANGUAGES
    language = next((name for script, name in scripts if re.search(script, word)), "english")
    return str(_stemmer(language).stemWord(word[:60]))


@lru_cache
def _stemmer(language: str) -> Stemmer:
    """Load the stemmer of one language: the package itself would load those of all."""
    name = "snowballstemmer"
    spec = find_spec(name)
    assert spec is not None
    sys.modules[name] = module_from_spec(spec)  # knows where its modules are, and no more
    try:
        module = import_module(f"{name}.{language}_stemmer")
    finally:
        del sys.modules[name]
    made: Stemmer = getattr(module, f"{language.title()}Stemmer")()
    return made


class Stemmer(Protocol):
    """What the library gives for a language."""

    def stemWord(self, word: str) -> str:  # noqa: N802 -- the library's own name
        """A word's stem."""
