"""From the rows of a run file to rankings in displayed order, and what was odd about them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from annotator.records import BoolArray, FloatArray, Int32Array, IntArray, RunTable

CUTOFF = 10
"""Where a tie is looked for: the cutoff of the default measure and depth of the default pool."""


class OrderRule(StrEnum):
    """What the displayed order of a run was taken from."""

    RANK = "rank column"
    SCORE = "score, since the rank column is no ranking"


@dataclass(frozen=True)
class RunFindings:
    """What importing a run found; each is a count.

    ``ties`` are rows whose score another row of the query has, ``tied_at_cutoff`` queries whose
    ranks 10 and 11 have one score, ``contradictions`` rows shown above a row with a higher score.
    """

    rows: int
    queries: int
    documents: int
    duplicates: int
    ties: int
    tied_at_cutoff: int
    contradictions: int
    order_rule: OrderRule


@dataclass(frozen=True, eq=False)
class OrderedRun:
    """A run in displayed order: rows of a query together, each document of a query once."""

    query: Int32Array
    document: Int32Array
    score: FloatArray
    findings: RunFindings

    def rankings(self) -> Iterator[tuple[int, Int32Array, FloatArray]]:
        """Each query's index with its document indices and scores."""
        starts = np.flatnonzero(np.diff(self.query, prepend=-1))
        for start, end in zip(starts, np.append(starts, len(self.query))[1:], strict=True):
            yield int(self.query[start]), self.document[start:end], self.score[start:end]


def displayed(run: RunTable) -> OrderedRun:
    """Put a run into the order its users saw.

    That is the rank column, file order where ranks repeat; or, where every query's ranks are all
    the same, descending score, file order where scores repeat. Of a document that a query holds
    twice the first stays.
    """
    rule = OrderRule.RANK if _is_ranking(run) else OrderRule.SCORE
    key = run.rank if rule is OrderRule.RANK else -run.score
    order = _sorted_order(run.query, key)
    query, document, score = run.query[order], run.document[order], run.score[order]
    first = _first_of_each(query, document, len(run.docids))
    query, document, score = query[first], document[first], score[first]
    same_query = query[1:] == query[:-1]
    findings = RunFindings(
        rows=len(run.query),
        queries=len(run.qids),
        documents=len(run.docids),
        duplicates=len(run.query) - len(query),
        ties=_ties(query, score),
        tied_at_cutoff=_tied_at_cutoff(query, score),
        contradictions=int(np.sum(same_query & (score[1:] > score[:-1]))),
        order_rule=rule,
    )
    return OrderedRun(query, document, score, findings)


def score_order(scores: FloatArray) -> IntArray:
    """The order of descending score, the order given where scores are equal."""
    return np.argsort(-scores, kind="stable")


def trec_order(scores: FloatArray, id_places: IntArray) -> IntArray:
    """The order trec_eval gives one ranking: score descending, then document id descending.

    Scores are compared in single precision, as trec_eval 9 and pytrec_eval hold them.
    ``id_places`` is each document's place in the order of ids by their bytes.
    """
    return np.lexsort((-id_places, -scores.astype(np.float32)))


def _is_ranking(run: RunTable) -> bool:
    """Whether the rank column tells any two rows of a query apart."""
    order = _sorted_order(run.query, run.rank)
    query, rank = run.query[order], run.rank[order]
    together = query[1:] == query[:-1]
    return not together.any() or bool(np.any(together & (rank[1:] != rank[:-1])))


def _sorted_order(query: Int32Array, key: IntArray | FloatArray) -> IntArray:
    """A stable order by query, then key; free where the rows are in it already."""
    ahead = (query[1:] > query[:-1]) | ((query[1:] == query[:-1]) & (key[1:] >= key[:-1]))
    return np.arange(len(query)) if ahead.all() else np.lexsort((key, query))


def _first_of_each(query: Int32Array, document: Int32Array, documents: int) -> IntArray:
    keys = query.astype(np.int64) * documents + document
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
