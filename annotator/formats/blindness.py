"""Which fields of a document an assessor is shown: the one filter of all readers.

Held back is what would tell of a rank, a score, a system, or another's opinion, by the words in a
field's name however they are written, or by what stands in it. A person may choose otherwise.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import lru_cache
from pathlib import Path

from annotator.formats.naming import system_name

# In any word of a name.
_STEMS = re.compile(
    "relevan|judg|retriev|similarit|qrel|ndcg|confiden|scor|grade|label|click|assess|annotat|rerank"
    "|pertinen|usefulness|(?<!ope)rating|^rank(s|ed|er|ers|ing|ings)?$|.rank$"
)
# Whole words of a name.
_TELLING = """
    rated rater star position pos distance dist cosine probability prob logit logprob mrr map dcg
    precision recall hit ctr impression vote upvote downvote like gold golden truth selected chosen
    correct model engine system run ranker llm gpt bm25 bm25f tfidf dpr splade colbert rrf esci gain
    rel query querie qid prediction predicted feedback expected explanation explain matched sort
    thumb idf
"""
_METHODS = """
    bm25 bm25f bm25plus tfidf dpr splade colbert rrf reranker faiss
"""
_WORDS, _RETRIEVERS = frozenset(_TELLING.split()), frozenset(_METHODS.split())
_ALONE = frozenset({"topic"})
_RUN_FILE = re.compile(r"[^\s/]+\.(run|runs|trec|res|results|qrels?)(\.\w+)?", re.IGNORECASE)
_ONE_WORD = re.compile(r"[\w.-]{1,60}")


class Fields:
    """Decides for each field of a file, and remembers which were shown and which held back.

    Parameters
    ----------
    only
        The fields to be shown, as a person names them; None leaves it to their names and values.
    hide
        Fields that are held back besides.
    systems
        What the project's systems are called: a field that names one tells who returned it.
    """

    def __init__(
        self,
        only: Collection[str] | None = None,
        hide: Collection[str] = (),
        systems: Collection[str] = (),
    ) -> None:
        self._only = None if only is None else {name.casefold() for name in only}
        self._hide = {name.casefold() for name in hide}
        self._systems = {name.casefold() for name in systems}
        self.shown: dict[str, None] = {}
        self.held_back: dict[str, None] = {}

    def choose(self, only: Collection[str] | None, hide: Collection[str]) -> None:
        """Let a person decide."""
        self.__init__(only, hide, self._systems)  # type: ignore[misc]

    def shows(self, name: str, value: object = "") -> bool:
        """Whether the field is to be shown with this value."""
        shown = self._decide(name.casefold(), name, value)
        (self.shown if shown else self.held_back)[name] = None
        return shown

    def _decide(self, folded: str, name: str, value: object) -> bool:
        if folded in self._hide:
            return False
        if self._only is not None:
            return folded in self._only
        if tells(name) or folded in self._systems:
            return False
        return not (isinstance(value, str) and self._names_system(value.strip()))

    def _names_system(self, value: str) -> bool:
        if not _ONE_WORD.fullmatch(value):
            return False
        words = set(re.findall(r"[^\W_]+", value.casefold()))
        known = system_name(Path(value)).casefold() in self._systems
        return known or bool(_RUN_FILE.fullmatch(value)) or not words.isdisjoint(_RETRIEVERS)


@lru_cache(maxsize=10_000)
def tells(name: str) -> bool:
    """Whether a field's name says that it tells of a rank, a score, a system or an opinion.

    >>> [tells(name) for name in ("isSelected", "esci_label", "LLM grade", "operating_system_name")]
    [True, True, True, True]
    >>> [tells(name) for name in ("author", "Published", "franking", "brand")]
    [False, False, False, False]
    """
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", " ", name)
    words = re.findall(r"[^\W_]+", spaced.casefold())
    if not words:
        return True
    if set(words) - {"id", "name"} <= _ALONE and set(words) & _ALONE:
        return True
    return any(
        _STEMS.search(word) or word in _WORDS or word.removesuffix("s") in _WORDS for word in words
    )
