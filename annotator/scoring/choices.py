"""Bounds of scores and differences over all choices among the grades that assessors gave."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import product
from typing import NamedTuple

import numpy as np

from annotator.domain import BoolArray, FloatArray, IntArray
from annotator.scoring.board import Board
from rubric import UNJUDGED, JudgedRankings, Measure, Pair, evaluate, same_places
from rubric.evaluation.differences import difference_bounds
from rubric.results.summary import mean_bounds

MOST = 1_024
"""Choices of one query that are tried. Pairs beyond these count as not judged: sound, but loose."""

Given = Mapping[int, Sequence[int]]
"""The grades that were given to each disputed document of a query, by the document's number."""


class ChoiceBounds(NamedTuple):
    """The least and greatest mean, and whether some choice reaches them."""

    lower: float | None
    upper: float | None
    exact: bool


class _Query(NamedTuple):
    """The choices of one query: the disputed documents and a row of grades for each choice."""

    row: int
    documents: IntArray
    grades: IntArray
    left_open: IntArray


def choices(board: Board, given: Mapping[int, Given]) -> Choices:
    """The choices there are; ``given`` has the disputed documents of queries by their rows."""
    return Choices(board, [_choices_of(row, given.get(row, {})) for row in range(len(board.qids))])


class Choices:
    """Every query of a board under every choice among the grades that were given in it."""

    def __init__(self, board: Board, queries: Sequence[_Query]) -> None:
        self._board, self._queries = board, queries
        self._begin = np.cumsum([0, *(len(one.grades) for one in queries)])
        self._loose = any(len(one.left_open) for one in queries)

    def difference(self, first: int, second: int, measure: Measure) -> ChoiceBounds:
        """The least and greatest mean difference of two systems over queries that count for both.

        Documents that nobody judged may have any grade.
        """
        board = self._board
        one, two = (self._rankings(system, measure) for system in (first, second))
        scores = evaluate(measure, one, board.rules), evaluate(measure, two, board.rules)
        places = same_places(*(self._documents(system, measure) for system in (first, second)))
        found = difference_bounds(measure, Pair(one, two, places), board.rules, *scores)
        counted = board.counted(first) & board.counted(second)
        doubtful = scores[0].doubtful | scores[1].doubtful
        exact = bool(found.exact.all()) and not self._loose
        return self._mean(found.lower, found.upper, doubtful, counted, exact)

    def _mean(
        self, lower: FloatArray, upper: FloatArray, doubtful: BoolArray, counted: BoolArray,
        exact: bool,
    ) -> ChoiceBounds:  # fmt: skip
        """The bounds of a mean from those of every choice of every query."""
        starts, rows = self._begin[:-1], np.flatnonzero(counted)
        undefined = np.isnan(lower)
        least = np.fmin.reduceat(lower, starts)
        most = np.fmax.reduceat(upper, starts)
        unsure = np.logical_or.reduceat(doubtful | undefined, starts) & ~np.isnan(least)
        ends = mean_bounds(least[rows], most[rows], unsure[rows], self._board.weights(rows))
        return ChoiceBounds(*ends, exact)

    def _documents(self, system: int, measure: Measure) -> IntArray:
        """What a system returned, a row for each choice of each query."""
        each = [self._board.ranked(self._board.qids[one.row])[1][system] for one in self._queries]
        return np.repeat(np.stack(each)[:, : self._depth(measure)], np.diff(self._begin), axis=0)

    def _depth(self, measure: Measure) -> int | None:
        """Beyond how many ranks no document counts; None: all do."""
        return None if self._board.averages_ties or self._board.rules.own_ideal else measure.k

    def _rankings(self, system: int, measure: Measure) -> JudgedRankings:
        parts = [self._of_query(one, system, measure) for one in self._queries]
        tied = [one.tied for one in parts if one.tied is not None]
        return JudgedRankings(
            grades=np.concatenate([one.grades for one in parts]),
            judged=np.concatenate([one.judged for one in parts]),
            unjudged=np.concatenate([one.unjudged for one in parts]),
            tied=np.concatenate(tied) if tied else None,
        )

    def _of_query(self, query: _Query, system: int, measure: Measure) -> JudgedRankings:
        """One system's ranking under each choice."""
        board, count, depth = self._board, len(query.grades), self._depth(measure)
        one = board.ranking(system, measure, query.row).only(np.zeros(count, dtype=np.int64))
        one = replace(one, grades=one.grades[:, :depth])
        ranked = board.ranked(board.qids[query.row])[1][system, :depth]
        grades, judged, unjudged = one.grades.copy(), one.judged.copy(), one.unjudged.copy()
        known, held = board.judged_of(query.row)
        now = dict(zip(known.tolist(), held.tolist(), strict=True))
        rows = np.arange(count)
        for document, chosen in zip(query.documents.tolist(), query.grades.T, strict=True):
            judged[:, now[document]] -= 1
            judged[rows, chosen] += 1
            grades[:, ranked == document] = chosen[:, None]
        for document in query.left_open.tolist():
            judged[:, now[document]] -= 1
            unjudged += 1
            grades[:, ranked == document] = UNJUDGED
        return replace(one, grades=grades, judged=judged, unjudged=unjudged)


def _choices_of(row: int, given: Given) -> _Query:
    tried: list[int] = []
    count = 1
    for document, grades in sorted(given.items()):
        if count * len(grades) > MOST:
            break
        count *= len(grades)
        tried.append(document)
    every = [given[document] for document in tried]
    return _Query(
        row=row,
        documents=np.array(tried, dtype=np.int64),
        grades=np.array(list(product(*every)), dtype=np.int64).reshape(count, len(tried)),
        left_open=np.array(sorted(given.keys() - set(tried)), dtype=np.int64),
    )
