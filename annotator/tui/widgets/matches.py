"""Where a text that is searched for stands in a document."""

from __future__ import annotations

import re
from bisect import bisect_left
from itertools import islice
from typing import NamedTuple

from annotator.text.folding import pattern_of, without_accents
from annotator.text.safe import visible

MOST = 10_000
"""Matches that are counted."""

Match = tuple[int, int]


class Matches(NamedTuple):
    """The places of a text, in order, as (start, end) in what is shown; one is looked at."""

    places: tuple[Match, ...] = ()
    current: int = 0

    @classmethod
    def of(cls, text: str, content: str, after: int) -> Matches:
        """Find a text wherever it stands; look at the first from ``after`` on.

        Case, accents and what cannot be seen make no difference. Where it stands nowhere, its words
        are looked for.
        """
        whole = without_accents(visible(text))
        words = whole.split()
        if not words:
            return cls()
        places: tuple[Match, ...] = ()
        for wanted in ([whole], words):
            pattern = "|".join(map(pattern_of, sorted(wanted, key=len, reverse=True)))
            found = re.finditer(pattern, content, re.IGNORECASE)
            places = places or tuple(one.span() for one in islice(found, MOST))
        return cls(places).going(bisect_left(places, (after, 0)))

    def __bool__(self) -> bool:
        return bool(self.places)

    def going(self, to: int) -> Matches:
        """Look at another; beyond the last is the first."""
        return self._replace(current=to % len(self.places)) if self.places else self
