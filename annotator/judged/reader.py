"""Reads a run as the grades of its documents, without ever holding the run."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from annotator.formats.blocks.lines import Lines
from annotator.formats.blocks.words import WordArray, keys_of, salts_of
from annotator.formats.problems import Problems
from annotator.formats.run_trec import Whole, batches
from annotator.formats.source import Source
from annotator.judged.pairs import GradeArray, JudgedPairs, told_apart
from annotator.judged.ranking import Order, Rows, displayed, in_order, rule_of, starts_of
from annotator.ordering import Counts, OrderRule
from annotator.records import IntArray
from rubric import EMPTY, UNPOOLED, JudgedRankings


@dataclass(frozen=True, eq=False)
class JudgedRun:
    """A run as far as its documents are judged.

    Parameters
    ----------
    grades
        int8, shape (Q, depth): for each query of the qrels, in their order, the grade at each
        rank; UNPOOLED for a document that the qrels do not have, EMPTY behind the last one. Of a
        query that the run lacks all is EMPTY.
    retrieved
        int64, shape (Q,): how many documents the run has for the query, each once.
    counts
        Rows, queries, duplicates, ties and contradictions of all queries, those below among them.
    unknown
        The run's queries that are not in the qrels, in order of appearance.
    order_rule
        What the displayed order was taken from.
    keys
        uint64, shape (Q, depth), if asked for: one number for each document of a query, the same
        in every run: the place of its pair in the qrels, from 2^63 where it is not in these.
    """

    grades: GradeArray
    retrieved: IntArray
    counts: Counts
    unknown: tuple[str, ...]
    order_rule: OrderRule
    keys: WordArray | None = None

    def rankings(self, pairs: JudgedPairs, top: int) -> JudgedRankings:
        """What `rubric.evaluate` takes; the pool is what is in the qrels.

        Raises
        ------
        ValueError
            If a grade is above ``top``.
        """
        unjudged = pairs.unjudged() + np.count_nonzero(self.grades == UNPOOLED, axis=1)
        return JudgedRankings(self.grades, pairs.counts(top), unjudged)


class _WholeNeededError(Exception):
    """The run is one that can only be understood as a whole."""


def read_judged_run(
    source: Source,
    pairs: JudgedPairs,
    problems: Problems,
    *,
    order: Order = "displayed",
    depth: int | None = None,
    keyed: bool = False,
) -> JudgedRun:
    """Read a TREC run, noting its bad lines; if there are any, what is returned is of no use.

    A run is held as a whole only if a query comes back after others have come between, or if the
    rank column says nothing at first and something later.

    Parameters
    ----------
    source
        The run file.
    pairs
        What is judged.
    problems
        Where the bad lines are noted.
    order
        ``displayed``: as `annotator.ordering.displayed` says. ``score``: by descending score, as
        displayed where scores repeat. ``trec``: by descending score in single precision, then by
        descending document id, as trec_eval 9 does.
    depth
        How many ranks to give; None for all.
    keyed
        Whether to tell which document stands at each rank.
    """
    before = problems.count
    ways: tuple[Whole, Whole] = ("query", "file")
    for whole in ways:
        run = _Collector(pairs, order, depth, keyed)
        try:
            for lines in batches(source, problems, whole):
                if problems.count == before:  # else only the other bad lines are wanted
                    run.add(lines)
        except _WholeNeededError:
            continue
        break
    return run.finished()


class _Collector:
    """Takes the batches of a run and keeps grades."""

    def __init__(self, pairs: JudgedPairs, order: Order, depth: int | None, keyed: bool) -> None:
        self._pairs = pairs
        self._order = order
        self._depth = depth
        self._rule: OrderRule | None = None
        self._grades = np.full((len(pairs.qids), depth or 0), EMPTY, dtype=np.int8)
        self._keys = np.zeros(self._grades.shape, dtype=np.uint64) if keyed else None
        self._retrieved = np.zeros(len(pairs.qids), dtype=np.int64)
        self._seen: dict[bytes, int] = {}
        self._unknown: list[str] = []
        self.counts = Counts()

    def add(self, lines: Lines) -> None:
        """Take whole queries.

        Raises
        ------
        _WholeNeededError
            If they cannot be told apart from what was taken before.
        """
        if not len(lines):
            return
        rows, numbers = self._rows(lines)
        rule = rule_of(rows)
        if rule is OrderRule.RANK and self._rule is OrderRule.SCORE:
            raise _WholeNeededError
        self._rule = self._rule or rule
        rows, counts = displayed(rows, self._rule or OrderRule.RANK)
        self.counts += counts
        places = in_order(self._order, rows, graded_alike=self._keys is not None)
        self._keep(rows.grade[places], rows.key[places], starts_of(rows), numbers)

    def finished(self) -> JudgedRun:
        """What the batches came to."""
        return JudgedRun(
            grades=self._grades,
            retrieved=self._retrieved,
            counts=self.counts,
            unknown=tuple(self._unknown),
            order_rule=self._rule or OrderRule.RANK,
            keys=self._keys,
        )

    def _rows(self, lines: Lines) -> tuple[Rows, IntArray]:
        """The rows with their grades, and the number among all queries of each query of theirs."""
        local: dict[bytes, int] = {}
        of_segment = [local.setdefault(qid, len(local)) for qid in lines.qids()]
        numbers = np.array([self._number(qid) for qid in local], dtype=np.int64)
        query = np.repeat(of_segment, np.diff(lines.begins, append=len(lines)))
        salts = salts_of(numbers)[query]
        keys = keys_of(lines.text, lines.docid_at, lines.docid_length, salts)
        ids = lines.text, lines.docid_at, lines.docid_length
        places = self._pairs.places_of(numbers, query, keys, *ids)
        if self._keys is not None:
            keys = told_apart(places, keys)
        grades = self._pairs.grades_at(places)
        return Rows(query, keys, lines.rank, lines.score, grades, *ids), numbers

    def _number(self, qid: bytes) -> int:
        """A query's place in the qrels; the next number beyond them where it has none."""
        if qid in self._seen:
            raise _WholeNeededError
        number = self._pairs.numbers.get(qid)
        if number is None:
            number = len(self._pairs.qids) + len(self._unknown)
            self._unknown.append(qid.decode())
        self._seen[qid] = number
        return number

    def _keep(
        self, grades: GradeArray, keys: WordArray, starts: IntArray, numbers: IntArray
    ) -> None:
        lengths = np.diff(starts, append=len(grades))
        known = np.flatnonzero(numbers < len(self._pairs.qids))
        self._make_room(int(lengths[known].max(initial=0)))
        width = self._grades.shape[1]
        there = np.arange(width) < lengths[known, None]
        self._grades[numbers[known]] = np.where(there, np.int8(UNPOOLED), np.int8(EMPTY))
        self._retrieved[numbers[known]] = lengths[known]
        pooled = np.flatnonzero(grades != UNPOOLED)
        query = np.searchsorted(starts, pooled, side="right") - 1
        place = pooled - starts[query]
        inside = place < width
        self._grades[numbers[query[inside]], place[inside]] = grades[pooled[inside]]
        if self._keys is not None:
            query = np.repeat(np.arange(len(starts)), lengths)
            place = np.arange(len(keys)) - starts[query]
            kept = np.isin(query, known) & (place < width)
            self._keys[numbers[query[kept]], place[kept]] = keys[kept]

    def _make_room(self, depth: int) -> None:
        if self._depth is None and depth > self._grades.shape[1]:
            more = depth - self._grades.shape[1]
            self._grades = np.pad(self._grades, ((0, 0), (0, more)), constant_values=EMPTY)
            if self._keys is not None:
                self._keys = np.pad(self._keys, ((0, 0), (0, more)))
