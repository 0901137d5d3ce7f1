"""The rows of some queries in the order they are scored in, each document of a query once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from annotator.formats.blocks.words import Text, WordArray, descending, equal
from annotator.judged.pairs import GradeArray
from annotator.ordering import CUTOFF, Counts, OrderRule
from annotator.records import BoolArray, FloatArray, IntArray

Order: TypeAlias = Literal["displayed", "score", "trec"]

_ODD = 0xD6E8FEB86659FD93


@dataclass(frozen=True, eq=False)
class Rows:
    """Rows of a run; ``query`` numbers the queries of these rows by first appearance."""

    query: IntArray
    key: WordArray
    rank: IntArray
    score: FloatArray
    grade: GradeArray
    text: Text
    docid_at: IntArray
    docid_length: IntArray

    def __len__(self) -> int:
        return len(self.query)

    def take(self, which: IntArray | BoolArray) -> Rows:
        """Some of the rows, or all in another order."""
        return Rows(
            self.query[which], self.key[which], self.rank[which], self.score[which],
            self.grade[which], self.text, self.docid_at[which], self.docid_length[which],
        )  # fmt: skip

    def together(self) -> BoolArray:
        """Whether a row's query is that of the next row."""
        return np.equal(self.query[1:], self.query[:-1])


def rule_of(rows: Rows) -> OrderRule | None:
    """What these rows say the displayed order is taken from; None if no query has two rows."""
    if np.any(rows.query[1:] < rows.query[:-1]):
        rows = rows.take(np.argsort(rows.query, kind="stable"))
    together = rows.together()
    if not together.any():
        return None
    told_apart = np.any(together & (rows.rank[1:] != rows.rank[:-1]))
    return OrderRule.RANK if told_apart else OrderRule.SCORE


def displayed(rows: Rows, rule: OrderRule) -> tuple[Rows, Counts]:
    """Put rows into displayed order, and of a document that a query has twice keep the first."""
    count = len(rows)
    rows = _sorted(rows, rows.rank if rule is OrderRule.RANK else -rows.score)
    again = _repeats(rows)
    if again.size:
        rows = rows.take(np.delete(np.arange(count), again))
    together = rows.together()
    equal_scores = together & (rows.score[1:] == rows.score[:-1])
    rises = int(np.count_nonzero(together & (rows.score[1:] > rows.score[:-1])))
    return rows, Counts(
        rows=count,
        queries=int(rows.query[-1]) + 1,
        duplicates=len(again),
        ties=_ties(rows if rises else None, equal_scores),
        tied_at_cutoff=_tied_at_cutoff(rows, equal_scores),
        contradictions=rises,
    )


def in_order(order: Order, rows: Rows, *, graded_alike: bool) -> IntArray | slice:
    """Where rows in displayed order stand in another order of the rows of each query.

    With ``graded_alike`` also tied documents of one grade are told apart; their scores need it not.
    """
    if order == "displayed":
        return slice(None)
    if order == "score":
        sequence = _sequence(rows, -rows.score)
        return slice(None) if sequence is None else sequence
    with np.errstate(over="ignore"):  # beyond single precision they are infinite, and tied
        score = -rows.score.astype(np.float32).astype(np.float64)
    sequence = _sequence(rows, score)
    sequence, score = (
        (np.arange(len(rows)), score) if sequence is None else (sequence, score[sequence])
    )
    return _with_ties_by_id(rows, sequence, score, graded_alike=graded_alike)


def _sorted(rows: Rows, key: IntArray | FloatArray) -> Rows:
    order = _sequence(rows, key)
    return rows if order is None else rows.take(order)


def _sequence(rows: Rows, key: IntArray | FloatArray) -> IntArray | None:
    """A stable order by query, then key; None where the rows are in it already."""
    ahead = key[1:] >= key[:-1]
    ahead &= rows.together()
    ahead |= rows.query[1:] > rows.query[:-1]
    return None if ahead.all() else np.lexsort((key, rows.query))


def _with_ties_by_id(
    rows: Rows, sequence: IntArray, score: FloatArray, *, graded_alike: bool
) -> IntArray:
    """Put rows of one score, which stand together in the sequence, in descending order of ids."""
    tied = rows.together() & (score[1:] == score[:-1])
    places = np.flatnonzero(_touched(tied))
    if not places.size:
        return sequence
    group = np.concatenate([[0], np.cumsum(~tied[places[1:] - 1])])
    first = np.flatnonzero(np.concatenate([[True], group[1:] != group[:-1]]))
    if not graded_alike:
        grade = rows.grade[sequence[places]]
        mixed = (np.minimum.reduceat(grade, first) < np.maximum.reduceat(grade, first))[group]
        places, group = places[mixed], group[mixed]
    tied_rows = sequence[places]
    at, length = rows.docid_at[tied_rows], rows.docid_length[tied_rows]
    sequence[places] = tied_rows[descending(rows.text, at, length, group)]
    return sequence


def _touched(pairs: BoolArray) -> BoolArray:
    """The rows that are in a pair, of pairs of a row and the next."""
    edges = np.concatenate([[False], pairs, [False]])
    touched: BoolArray = edges[1:] | edges[:-1]
    return touched


def _ties(unsorted: Rows | None, equal_scores: BoolArray) -> int:
    """How many rows have the score of another row of the query."""
    if unsorted is not None:
        score = -unsorted.score
        order = np.lexsort((score, unsorted.query))
        query, score = unsorted.query[order], score[order]
        equal_scores = (query[1:] == query[:-1]) & (score[1:] == score[:-1])
    return int(np.count_nonzero(_touched(equal_scores)))


def starts_of(rows: Rows) -> IntArray:
    """Where each query begins among rows in displayed order."""
    return np.searchsorted(rows.query, np.arange(rows.query[-1] + 1))


def _tied_at_cutoff(rows: Rows, equal_scores: BoolArray) -> int:
    starts = starts_of(rows)
    ends = np.append(starts[1:], len(rows))
    cut = starts[ends - starts > CUTOFF] + CUTOFF - 1
    return int(np.count_nonzero(equal_scores[cut]))


def _repeats(rows: Rows) -> IntArray:
    """The rows whose document an earlier row of the query has."""
    suspects = _with_shared_keys(rows.key)
    if not suspects.size:
        return suspects
    suspects = suspects[np.lexsort((rows.key[suspects], rows.query[suspects]))]
    above, here = suspects[:-1], suspects[1:]
    same_key = (rows.query[above] == rows.query[here]) & (rows.key[above] == rows.key[here])
    same = same_key & (rows.docid_length[above] == rows.docid_length[here])
    at, lengths = rows.docid_at, np.where(same, rows.docid_length[here], 0)
    same &= equal(rows.text, at[here], rows.text, at[above], lengths)
    return np.sort(here[same]) if np.array_equal(same, same_key) else _repeats_by_id(rows, suspects)


def _repeats_by_id(rows: Rows, suspects: IntArray) -> IntArray:
    """The same one by one, for different ids that have one key."""
    seen = set[tuple[int, bytes]]()
    repeats = []
    for row in np.sort(suspects).tolist():
        docid = rows.text.field(rows.docid_at[row], rows.docid_length[row])
        pair = (int(rows.query[row]), docid)
        if pair in seen:
            repeats.append(row)
        seen.add(pair)
    return np.array(repeats, dtype=np.int64)


def _with_shared_keys(keys: WordArray) -> IntArray:
    """All rows whose key another row has as well.

    Each row puts its number into a table at its key's slot. One that then finds another row there
    either has that row's key or tries again, with those that fared alike, at other slots.
    """
    bits = max(10, (len(keys) * 4).bit_length())
    table = np.zeros(2**bits, dtype=np.int32)
    left, factor = np.arange(len(keys), dtype=np.int32), _ODD
    shared = []
    while left.size:
        slots = ((keys[left] * np.uint64(factor)) >> np.uint64(64 - bits)).view(np.int64)
        table[slots] = left
        holder = table[slots]
        lost = holder != left
        left, holder = left[lost], holder[lost]
        same = keys[left] == keys[holder]
        shared.append(keys[left[same]])
        left, factor = left[~same], factor * _ODD % 2**64
    found = np.concatenate(shared) if shared else keys[:0]
    return np.flatnonzero(np.isin(keys, found)) if found.size else np.zeros(0, dtype=np.int64)
