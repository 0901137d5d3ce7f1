"""What a person meets beside relevance: near-duplicates in the top k, and the catalog's share.

Two texts are near-duplicates if the Jaccard coefficient of their sets of 5-word shingles is at
least 0.8 (Broder 1997), or if they are equal.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np

from annotator import __version__
from annotator.domain import BoolArray, Int32Array
from annotator.errors import UsageError
from annotator.results.companions import (
    MOST_SHINGLES,
    NEAR,
    SHINGLE,
    Companion,
    CompanionTable,
    SystemCompanions,
)
from annotator.text.plural import counted

Texts = Callable[[Sequence[int]], Iterable[tuple[int, str, str]]]
"""Number, title and text of those of the documents that have a text."""

_WORD = re.compile(r"\w+")


@dataclass(frozen=True)
class Sketch:
    """A text as hashes: of the whole, and of its first shingles."""

    whole: int
    shingles: frozenset[int]

    def near(self, other: Sketch) -> bool:
        """Whether the two texts are near-duplicates."""
        if self.whole == other.whole:
            return True
        small, large = sorted((len(self.shingles), len(other.shingles)))
        if not small or small / large < NEAR:
            return False
        shared = len(self.shingles & other.shingles)
        return shared / (small + large - shared) >= NEAR


def sketch(text: str) -> Sketch:
    """Sketch a text; case and punctuation do not count for its shingles.

    A text of fewer than 5 words is one shingle of all its words, so it is near only to its like.

    >>> sketch("Stop, thief!").near(sketch("stop thief"))
    True
    """
    found = _WORD.finditer(text.casefold())
    words = [match[0] for match in islice(found, MOST_SHINGLES + SHINGLE - 1)]
    size = min(SHINGLE, len(words))
    runs = zip(*(words[at:] for at in range(size)), strict=False)
    return Sketch(hash(text), frozenset(map(hash, runs)))


def near_earlier(ranked: Sequence[int], sketches: Mapping[int, Sketch]) -> list[bool | None]:
    """For each place whether its document is near one above; None for a document without text."""
    above: list[Sketch] = []
    said: list[bool | None] = []
    for document in ranked:
        own = sketches.get(document)
        said.append(None if own is None else any(own.near(one) for one in above))
        if own is not None:
            above.append(own)
    return said


@dataclass(frozen=True, eq=False)
class Catalog:
    """What coverage is a share of.

    Parameters
    ----------
    size
        How many documents it has.
    says
        What it is, in words.
    holds
        By document number, whether it is in the catalog; None: every document is.
    """

    size: int
    says: str
    holds: BoolArray | None = None


class Tally:
    """Counts places query by query, so that no more texts are needed than one query's.

    Parameters
    ----------
    documents
        int32, shape (S, Q, depth): each system's document at each rank, 0 where there is none.
    """

    def __init__(self, documents: Int32Array) -> None:
        self._documents = documents
        self._near: BoolArray = np.zeros(documents.shape, dtype=np.bool_)
        self._text: BoolArray = np.zeros(documents.shape, dtype=np.bool_)

    def wanted(self, query: int) -> list[int]:
        """The documents of any system for one query."""
        numbers: list[int] = np.unique(self._documents[:, query]).tolist()
        return [number for number in numbers if number]

    def add(self, query: int, sketches: Mapping[int, Sketch]) -> None:
        """Compare one query's documents."""
        for system, ranked in enumerate(self._documents[:, query].tolist()):
            for rank, near in enumerate(near_earlier(ranked, sketches)):
                self._text[system, query, rank] = near is not None
                self._near[system, query, rank] = near is True

    def companions(self, system: int, k: int, catalog: Catalog) -> Companion:
        """One system's counts at a cutoff."""
        cut = self._documents[system, :, :k]
        with_text = int(self._text[system, :, :k].sum())
        shown = np.unique(cut[cut != 0])
        inside = len(shown) if catalog.holds is None else int(catalog.holds[shown].sum())
        return Companion(
            k=k,
            near_duplicates=int(self._near[system, :, :k].sum()),
            with_text=with_text,
            without_text=int(np.sum(cut != 0)) - with_text,
            distinct=inside,
            outside=len(shown) - inside,
            catalog=catalog.size,
        )


def count_companions(
    documents: Int32Array,
    systems: Sequence[str],
    cutoffs: Sequence[int],
    catalog: Catalog,
    texts: Texts,
) -> CompanionTable:
    """Count in the rankings of systems: document numbers of shape (S, Q, depth).

    Raises
    ------
    UsageError
        If a system shows more documents than the catalog has.
    """
    tally = Tally(documents[:, :, : max(cutoffs)])
    for row in range(documents.shape[1]):
        sketches = {
            number: sketch(f"{title}\n{text}")
            for number, title, text in texts(tally.wanted(row))
            if title.strip() or text.strip()
        }
        tally.add(row, sketches)
    found = [
        SystemCompanions(
            name, tuple(tally.companions(at, k, catalog) for k in dict.fromkeys(cutoffs))
        )
        for at, name in enumerate(systems)
    ]
    most = max((at.distinct for one in found for at in one.at), default=0)
    if most > catalog.size:
        raise UsageError(
            f"--catalog: of {counted(catalog.size, 'document')} a system cannot show {most:,} "
            "different ones"
        )
    return CompanionTable(
        queries=documents.shape[1],
        tool=f"annotator {__version__}",
        catalog=catalog.says,
        systems=tuple(found),
    )
