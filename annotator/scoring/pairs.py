"""The pairs that are pooled or judged, as sorted integers with a grade each."""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from annotator.domain import BoolArray, Int32Array, IntArray
from rubric import EMPTY, UNJUDGED, UNPOOLED

Scalar = TypeVar("Scalar", bound=np.generic)


class ModelGrades(NamedTuple):
    """The grades that a model gave: ``query``, ``document`` and ``grade`` have one element each."""

    name: str
    query: Int32Array
    document: Int32Array
    grade: Int32Array | IntArray


@dataclass(frozen=True, eq=False)
class BoardData:
    """What a scoreboard is made of; documents and queries by their numbers.

    Parameters
    ----------
    queries, qids
        The number of each query, rising, and its id: Q of each.
    systems
        S names.
    documents
        int32, shape (S, Q, depth): each system's document at each rank, 0 where there is none.
    tied
        int64, the same shape, or None: where the tie of each rank begins, if ties are averaged.
    pooled_query, pooled_document
        The pooled pairs.
    label_query, label_document, label_grade
        The label of each judged pair.
    top
        The highest grade of the rubric.
    label_by_eye
        Whether each label's document was picked for what it is, or None: none was.
    label_foreign
        Whether it is not known of each label how its document was chosen, or None: of none it is.
    pool_depth
        How deep the pool goes, None where that is not known.
    models
        What models said of pairs, by their names, where that is asked for.
    label_given
        A number that rises with the time at which each label was given, or None.
    """

    queries: IntArray
    qids: list[str]
    systems: list[str]
    documents: Int32Array
    pooled_query: Int32Array
    pooled_document: Int32Array
    label_query: Int32Array
    label_document: Int32Array
    label_grade: Int32Array
    top: int
    tied: IntArray | None = None
    label_by_eye: BoolArray | None = None
    label_foreign: BoolArray | None = None
    pool_depth: int | None = None
    models: Sequence[ModelGrades] = ()
    label_given: IntArray | None = None


FEW = 32
_SPAN = 2**31  # above every document number, also of documents that come later


def places_of(keys: IntArray, ranked: Int32Array) -> tuple[IntArray, IntArray, IntArray]:
    """Where the rankings of one system, (Q, depth), hold pairs that are among the rising ``keys``.

    The row and rank (from 0) of each such place, and where its pair stands in ``keys``. Most places
    of a deep ranking hold documents that are in no pair at all: these are left out first.
    """
    row, place = np.nonzero(np.isin(ranked, keys % _SPAN))
    wanted = row * _SPAN + ranked[row, place]
    at = np.searchsorted(keys, wanted)
    found = keys[np.minimum(at, len(keys) - 1)] == wanted
    return row[found], place[found], at[found]


def ranks_of(keys: IntArray, documents: Int32Array) -> IntArray:
    """The rank from 1 at which each of S systems holds each of n pairs, else 0: shape (S, n)."""
    ranks = np.zeros((len(documents), len(keys)), dtype=np.int64)
    for of_system, ranked in zip(ranks, documents, strict=True):
        _, place, at = places_of(keys, ranked)
        of_system[at] = place + 1
    return ranks


def distinct(keys: IntArray) -> IntArray:
    """Each key once, rising; for millions of them several times as fast as ``np.unique``."""
    ordered = np.sort(keys)
    first = np.ones(len(ordered), dtype=np.bool_)
    first[1:] = ordered[1:] != ordered[:-1]
    return ordered[first]


class PairGrades:
    """Every pooled or judged pair as one sorted key, with its grade and whether it is pooled."""

    def __init__(self, data: BoardData) -> None:
        self._queries = data.queries
        pooled, _ = self._known_keys(data.pooled_query, data.pooled_document)
        labels, known = self._known_keys(data.label_query, data.label_document)
        self._key = distinct(np.concatenate([pooled, labels]))
        at = np.searchsorted(self._key, labels)
        self._grade = np.full(len(self._key), UNJUDGED, dtype=np.int8)
        self._grade[at] = data.label_grade[known]
        self._by_eye, self._foreign, self._pooled = np.zeros((3, len(self._key)), dtype=np.bool_)
        self._pooled[np.searchsorted(self._key, pooled)] = True
        self._by_eye[at] = False if data.label_by_eye is None else data.label_by_eye[known]
        self._foreign[at] = True if data.label_foreign is None else data.label_foreign[known]

    def given_by(self, model: ModelGrades, wanted: IntArray) -> IntArray:
        """What a model said of each of these pairs, -1 where nothing."""
        keys, known = self._known_keys(model.query, model.document)
        order = np.argsort(keys)
        keys, grades = keys[order], model.grade[known][order].astype(np.int64)
        if not len(keys):
            return np.full(len(wanted), -1, dtype=np.int64)
        at = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
        return np.where(keys[at] == wanted, grades[at], -1)

    def copy(self) -> PairGrades:
        """The same labels, which later ones leave as they are."""
        same = copy.copy(self)
        same._grade, same._by_eye = self._grade.copy(), self._by_eye.copy()
        same._foreign = self._foreign.copy()
        return same

    def _known_keys(self, queries: Int32Array, documents: Int32Array) -> tuple[IntArray, BoolArray]:
        rows = np.searchsorted(self._queries, queries)
        inside = np.append(self._queries, -1)[rows] == queries
        return self.keys(rows[inside], documents[inside]), inside

    def keys(self, rows: IntArray, documents: Int32Array) -> IntArray:
        """One number for each (row of a query, document)."""
        return rows.astype(np.int64) * _SPAN + documents

    def rows_of(self, keys: IntArray) -> IntArray:
        """The rows of the queries that keys belong to."""
        return keys // np.int64(_SPAN)

    def grades_of(
        self, documents: Int32Array, pause: Callable[[], object] = int
    ) -> npt.NDArray[np.int8]:
        """The grades of rankings, both (S, Q, depth), as JudgedRankings holds them.

        ``pause`` is called between systems.
        """
        grades = np.where(documents != 0, np.int8(UNPOOLED), np.int8(EMPTY))
        for of_system, ranked in zip(grades, documents, strict=True):
            pause()
            row, place, at = places_of(self._key, ranked)
            of_system[row, place] = self._grade[at]
        return grades

    def pooled_unjudged(self, rows: IntArray) -> IntArray:
        """How many pooled pairs of each query have no grade."""
        starts = np.searchsorted(self._key, rows * _SPAN)
        ends = np.searchsorted(self._key, (rows + 1) * _SPAN)
        if len(rows) <= FEW:
            spans = [slice(*span) for span in zip(starts.tolist(), ends.tolist(), strict=True)]
            counts = [np.sum(self._pooled[one] & (self._grade[one] < 0)) for one in spans]
            return np.array(counts, dtype=np.int64)
        before = np.zeros(len(self._key) + 1, dtype=np.int64)
        np.cumsum(self._pooled & (self._grade < 0), out=before[1:])
        return before[ends] - before[starts]

    def pooled_unjudged_keys(self) -> IntArray:
        """The pooled pairs that have no grade, rising."""
        return self._key[self._pooled & (self._grade < 0)]

    def judged_counts(self, queries: int, top: int) -> IntArray:
        """How many documents of each query have each grade: shape (Q, top + 1)."""
        judged = self._grade >= 0
        counts = np.zeros((queries, top + 1), dtype=np.int64)
        np.add.at(counts, (self.rows_of(self._key[judged]), self._grade[judged]), 1)
        return counts

    def judged_of(self, row: int) -> tuple[IntArray, IntArray]:
        """The judged documents of a query and their grades."""
        span = slice(*np.searchsorted(self._key, [row * _SPAN, (row + 1) * _SPAN]).tolist())
        judged = self._grade[span] >= 0
        return self._key[span][judged] % _SPAN, self._grade[span][judged].astype(np.int64)

    def pooled_of(self, keys: IntArray) -> BoolArray:
        """Which pairs are pooled."""
        return self._look_up(keys, self._pooled, np.False_)

    def known(self, keys: IntArray) -> BoolArray:
        """Which pairs are pooled or judged."""
        return self._look_up(keys, np.ones(len(self._key), dtype=np.bool_), np.False_)

    def labels_of(self, keys: IntArray) -> tuple[npt.NDArray[np.int8], BoolArray, BoolArray]:
        """The grade of each pair, below 0 for none; which were picked by eye, which are foreign."""
        grades = self._look_up(keys, self._grade, np.int8(UNPOOLED))
        by_eye = self._look_up(keys, self._by_eye, np.False_)
        return grades, by_eye & (grades >= 0), self._look_up(keys, self._foreign, np.False_)

    def set_grade(
        self, row: int, document: int, grade: int | None, *, by_eye: bool = False
    ) -> tuple[int, int]:
        """Change one pair's grade, None for none: what stood for it before, and what does now.

        ``by_eye`` says whether the pair was picked, if this is its first label.
        """
        key = row * _SPAN + document
        at = int(np.searchsorted(self._key, key))
        if at == len(self._key) or self._key[at] != key:
            self._key = np.insert(self._key, at, key)
            self._grade = np.insert(self._grade, at, UNPOOLED)
            self._pooled = np.insert(self._pooled, at, False)
            self._by_eye = np.insert(self._by_eye, at, False)
            self._foreign = np.insert(self._foreign, at, False)
        before = int(self._grade[at])
        unjudged = UNJUDGED if self._pooled[at] else UNPOOLED
        self._grade[at] = unjudged if grade is None else grade
        self._by_eye[at] = by_eye if before < 0 else self._by_eye[at]
        self._foreign[at] &= before >= 0
        return before, int(self._grade[at])

    def _look_up(
        self, keys: IntArray, values: npt.NDArray[Scalar], absent: Scalar
    ) -> npt.NDArray[Scalar]:
        if not len(self._key):
            return np.full(keys.shape, absent)
        at = np.minimum(np.searchsorted(self._key, keys), len(self._key) - 1)
        return np.where(self._key[at] == keys, values[at], absent)
