"""From the rows of a run to rankings in displayed order, and what was odd about them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import astuple, dataclass
from enum import StrEnum

import numpy as np

from annotator.domain import BoolArray, FloatArray, Int32Array, IntArray, Ranking

CUTOFF = 10
"""Where a tie is looked for: the cutoff of the default measure and depth of the default pool."""


_PIECE = 2**15
"""Rows looked at at a time, at least."""


class OrderRule(StrEnum):
    """What the displayed order of a run was taken from."""

    RANK = "rank column"
    SCORE = "score, since the rank column is no ranking"


@dataclass(frozen=True)
class Counts:
    """What was odd about the rankings of some queries; those of all are the sum.

    ``ties`` are rows whose score another row of the query has, ``tied_at_cutoff`` queries whose
    ranks 10 and 11 have one score, ``contradictions`` rows shown above a row with a higher score.
    """

    rows: int = 0
    queries: int = 0
    duplicates: int = 0
    ties: int = 0
    tied_at_cutoff: int = 0
    contradictions: int = 0

    def __add__(self, other: Counts) -> Counts:
        both = zip(astuple(self), astuple(other), strict=True)
        return Counts(*(one + two for one, two in both))


@dataclass(frozen=True, eq=False)
class OrderedRun:
    """Rankings in displayed order: rows of a query together, each document of a query once."""

    query: Int32Array
    document: Int32Array
    score: FloatArray
    counts: Counts

    def rankings(self) -> Iterator[Ranking]:
        """The ranking of each query, queries and documents by their indices."""
        starts = np.flatnonzero(np.diff(self.query, prepend=-1)).tolist()
        for start, end in zip(starts, [*starts[1:], len(self.query)], strict=True):
            rows = slice(start, end)
            yield Ranking(int(self.query[start]), self.document[rows], self.score[rows])


def rule_of(query: Int32Array, rank: IntArray | Int32Array) -> OrderRule:
    """What the displayed order of a run is to be taken from: the rank, if that tells rows apart."""
    several = False
    for piece in _pieces(query):
        order = _sorted_order(query[piece], rank[piece])
        of, place = query[piece][order], rank[piece][order]
        together = of[1:] == of[:-1]
        if np.any(together & (place[1:] != place[:-1])):
            return OrderRule.RANK
        several = several or bool(together.any())
    return OrderRule.SCORE if several else OrderRule.RANK


def displayed(
    query: Int32Array,
    document: Int32Array,
    rank: IntArray | Int32Array,
    score: FloatArray,
    rule: OrderRule,
) -> OrderedRun:
    """Put all rows of some queries into the order their users saw.

    That is the rank column, file order where ranks repeat; or, where every query's ranks are all
    the same, descending score, file order where scores repeat. Of a document that a query holds
    twice the first stays.
    """
    parts, counts, as_they_were = [], Counts(), True
    for piece in _pieces(query):
        key = rank[piece] if rule is OrderRule.RANK else -score[piece]
        rows = _rows_displayed(query[piece], document[piece], key)
        of, shown = query[piece][rows], score[piece][rows]
        counts += _counts(len(key), of, shown)
        parts.append((of, document[piece][rows], shown))
        as_they_were = as_they_were and isinstance(rows, slice)
    if as_they_were:
        return OrderedRun(query, document, score, counts)
    query, document, score = map(np.concatenate, zip(*parts, strict=True))
    return OrderedRun(query, document, score, counts)


def _pieces(query: Int32Array) -> Iterator[slice]:
    """Rows of whole queries, some tens of thousands at a time: they stay in the processor's cache.

    All at once where the rows of a query are not together.
    """
    if np.any(query[1:] < query[:-1]):
        yield slice(0, len(query))
        return
    start = 0
    while start < len(query) or not start:
        end = start + _PIECE
        end = int(np.searchsorted(query, query[end], side="right")) if end < len(query) else end
        yield slice(start, end)
        start = end


def _rows_displayed(
    query: Int32Array, document: Int32Array, key: IntArray | Int32Array | FloatArray
) -> IntArray | slice:
    """The rows that stay, in the order of query and key; a slice if they stay as they are."""
    order = _sorted_order(query, key)
    first = _first_of_each(query[order], document[order])
    if isinstance(order, slice):
        return first
    return order[first]


def _counts(rows: int, query: Int32Array, score: FloatArray) -> Counts:
    """What is odd about rankings in displayed order, which were so many rows."""
    same_query = query[1:] == query[:-1]
    return Counts(
        rows=rows,
        queries=len(query) and 1 + int(np.count_nonzero(~same_query)),
        duplicates=rows - len(query),
        ties=_ties(query, score),
        tied_at_cutoff=_tied_at_cutoff(query, score),
        contradictions=int(np.sum(same_query & (score[1:] > score[:-1]))),
    )


def score_order(ranking: Ranking) -> IntArray:
    """The order of descending score, the order given where scores are equal."""
    return np.argsort(-ranking.scores, kind="stable")


def trec_order(ranking: Ranking, id_places: Callable[[], IntArray]) -> IntArray | slice:
    """The order trec_eval gives one ranking: score descending, then document id descending.

    Scores are compared in single precision, as trec_eval 9 and pytrec_eval hold them; beyond it
    they are infinite, and tied. ``id_places`` gives the place of each document, by its number, in
    the order of ids by their bytes; it is not called unless scores are equal. A document without a
    place there is tied with no other.
    """
    with np.errstate(over="ignore"):
        score = -ranking.scores.astype(np.float32)
    if (score[1:] > score[:-1]).all():
        return slice(None)
    order = np.argsort(score, kind="stable")
    if not (score[order[1:]] == score[order[:-1]]).any():
        return order
    return np.lexsort((-id_places().take(ranking.documents, mode="clip"), score))


def id_order(ranking: Ranking, id_places: Callable[[], IntArray]) -> IntArray:
    """The order of descending score, then ascending document id; ``id_places`` as above."""
    return np.lexsort((id_places().take(ranking.documents, mode="clip"), -ranking.scores))


def _sorted_order(query: Int32Array, key: IntArray | Int32Array | FloatArray) -> IntArray | slice:
    """A stable order by query, then key; free where the rows are in it already."""
    ahead = (query[1:] > query[:-1]) | ((query[1:] == query[:-1]) & (key[1:] >= key[:-1]))
    return slice(None) if ahead.all() else np.lexsort((key, query))


def _first_of_each(query: Int32Array, document: Int32Array) -> IntArray | slice:
    """The rows whose document no earlier row of the query has."""
    keys = query.astype(np.int64) * (int(document.max(initial=0)) + 1) + document
    ordered = np.sort(keys)
    if (ordered[1:] != ordered[:-1]).all():
        return slice(None)
    _, first = np.unique(keys, return_index=True)
    return np.sort(first)


def _ties(query: Int32Array, score: FloatArray) -> int:
    order = _sorted_order(query, -score)
    equal = _equal_to_next(query[order], score[order])
    padded = np.concatenate([[False], equal, [False]])
    return int(np.sum(padded[1:] | padded[:-1]))


def _tied_at_cutoff(query: Int32Array, score: FloatArray) -> int:
    starts = np.flatnonzero(np.diff(query, prepend=-1))
    place = np.arange(len(query)) - np.repeat(starts, np.diff([*starts, len(query)]))
    return int(np.sum(_equal_to_next(query, score) & (place[:-1] == CUTOFF - 1)))


def _equal_to_next(query: Int32Array, score: FloatArray) -> BoolArray:
    return np.asarray((query[1:] == query[:-1]) & (score[1:] == score[:-1]))
