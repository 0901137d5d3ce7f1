"""A live scoreboard: loaded once as integers, then a grade recomputes only what it touches."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from annotator.records import BoolArray, Int32Array, IntArray
from annotator.scoring.measured import measured
from annotator.scoring.pairs import BoardData, PairGrades
from annotator.scoring.table import MeasureScore, SystemScore
from rubric import (
    EMPTY,
    UNPOOLED,
    Ceiling,
    Comparison,
    JudgedRankings,
    Measure,
    Pair,
    Rules,
    Scores,
    candidate_ceiling,
    compare,
    evaluate,
    same_places,
)


class Board:
    """The scores of every system, measure and query; :meth:`relabel` keeps them true.

    Parameters
    ----------
    data
        Rankings, pool and labels.
    measures, rules
        What to compute and how.
    count_missing
        Whether a query that a system returned nothing for counts (as 0) in its mean.
    """

    def __init__(
        self,
        data: BoardData,
        measures: Sequence[Measure],
        rules: Rules,
        *,
        count_missing: bool = True,
    ) -> None:
        self.qids, self.systems = data.qids, data.systems
        self.measures = tuple(measures)
        self._queries = data.queries
        self._rules = rules
        self._count_missing = count_missing
        self._documents, self._tied = data.documents, data.tied
        self._pairs = PairGrades(data)
        self._grades = np.stack(
            [self._pairs.grades_of(ranked) for ranked in data.documents]
            or [np.empty((0, 1), np.int8)]
        )
        self._judged = self._pairs.judged_counts(len(self.qids), data.top)
        self._open = {
            k: self._open_documents(k, np.arange(len(self.qids)))
            for k in {measure.k for measure in measures}
        }
        every = np.arange(len(self.qids))
        self._cells = {measure: self._evaluate(measure, every) for measure in self.measures}

    def relabel(self, query: int, document: int, grade: int | None) -> None:
        """Take in a new label of one pair, or its withdrawal: only this query is scored again."""
        self.relabel_all([(query, document, grade)])

    def relabel_all(self, labels: Iterable[tuple[int, int, int | None]]) -> None:
        """Take in labels of (query, document) pairs; each of these queries is scored once more."""
        changed = {self._set_grade(*label) for label in labels}
        rows = np.array(sorted(row for row in changed if row is not None), dtype=np.int64)
        if not len(rows):
            return
        for k, counts in self._open.items():
            counts[rows] = self._open_documents(k, rows)
        for measure, cells in self._cells.items():
            fresh = self._evaluate(measure, rows).arrays()
            for name, cell in cells.arrays().items():
                by_system = cell.reshape(len(self.systems), -1)
                by_system[:, rows] = fresh[name].reshape(len(self.systems), -1)

    def _set_grade(self, query: int, document: int, grade: int | None) -> int | None:
        """Change one pair's grade; the row of its query, None if it is not on the board."""
        row = int(np.searchsorted(self._queries, query))
        if row == len(self._queries) or self._queries[row] != query:
            return None
        before, now = self._pairs.set_grade(row, document, grade)
        if before >= 0:
            self._judged[row, before] -= 1
        if now >= 0:
            self._judged[row, now] += 1
        self._grades[:, row][self._documents[:, row] == document] = now
        return row

    def measure_by(self, measures: Sequence[Measure]) -> None:
        """Score by other measures from now on; what is computed already is kept and kept true."""
        every = np.arange(len(self.qids))
        for measure in measures:
            if measure.k not in self._open:
                self._open[measure.k] = self._open_documents(measure.k, every)
            if measure not in self._cells:
                self._cells[measure] = self._evaluate(measure, every)
        self.measures = tuple(measures)

    def ranked(self, qid: str) -> tuple[int, Int32Array, npt.NDArray[np.int8]]:
        """A query's number, and what each system returned for it: documents and grades, (S, N)."""
        row = self.qids.index(qid)
        return int(self._queries[row]), self._documents[:, row], self._grades[:, row]

    def coverage(self, k: int) -> tuple[IntArray, IntArray]:
        """How many documents of each top k are judged, and how many there are: (S, Q) each."""
        cut = self._grades[:, :, :k]
        return np.sum(cut >= 0, axis=2), np.sum(cut != EMPTY, axis=2)

    def scores(self, system: int, measure: Measure) -> Scores:
        """One system's scores, an element a query."""
        size = len(self.qids)
        return self._cells[measure].only(slice(system * size, (system + 1) * size))

    def compare(self, first: int, second: int, measure: Measure, *, seed: int = 0) -> Comparison:
        """Compare two systems; queries that do not count for one count for neither."""
        rows = np.flatnonzero(self.counted(first) & self.counted(second))
        one, two = (self._rankings(system, measure.k, rows) for system in (first, second))
        places = same_places(self._documents[first, rows], self._documents[second, rows])
        return compare(measure, Pair(one, two, places), self._rules, seed=seed)

    def ceiling(self, system: int, measure: Measure, n: int) -> Ceiling:
        """How good a system's first n candidates could be ranked, for each query that counts."""
        rankings = self._rankings(system, measure.k, np.flatnonzero(self.counted(system)))
        return candidate_ceiling(measure, rankings, n, self._rules)

    def counted(self, system: int) -> BoolArray:
        """Which queries count in a system's mean."""
        return np.asarray(self._count_missing | ~self.missing(system))

    def missing(self, system: int) -> BoolArray:
        """For which queries a system returned nothing."""
        return np.asarray(self._documents[system, :, 0] == 0)

    def table(self, *, seed: int = 0) -> tuple[SystemScore, ...]:
        """Every system's numbers, frozen."""
        return tuple(
            SystemScore(
                name, tuple(self._measure_score(at, measure, seed) for measure in self.measures)
            )
            for at, name in enumerate(self.systems)
        )

    def _measure_score(self, system: int, measure: Measure, seed: int) -> MeasureScore:
        rows = np.flatnonzero(self.counted(system))
        qids = [self.qids[row] for row in rows]
        missing = int(np.sum(self.missing(system)))
        return measured(measure, qids, self.scores(system, measure).only(rows), missing, seed=seed)

    def _evaluate(self, measure: Measure, rows: IntArray) -> Scores:
        """Score these queries of every system; results run over systems, then queries."""
        every = np.arange(len(self.systems))
        return evaluate(measure, self._rankings(every, measure.k, rows), self._rules)

    def _rankings(self, systems: int | IntArray, k: int | None, rows: IntArray) -> JudgedRankings:
        """The rankings of these queries, system by system."""
        chosen = np.atleast_1d(systems)
        grades = self._grades[np.ix_(chosen, rows)]
        tied = None if self._tied is None else self._tied[np.ix_(chosen, rows)]
        return JudgedRankings(
            grades=grades.reshape(-1, grades.shape[2]),
            judged=np.tile(self._judged[rows], (len(chosen), 1)),
            unjudged=np.tile(self._open[k][rows], len(chosen)),
            tied=None if tied is None else tied.reshape(-1, tied.shape[2]),
        )

    def _open_documents(self, k: int | None, rows: IntArray) -> IntArray:
        """How many unjudged documents of these queries count: pooled, or in any system's top k."""
        counts = self._pairs.pooled_unjudged(rows)
        holes = self._grades[:, rows, :k] == UNPOOLED
        _, places, _ = np.nonzero(holes)
        keys = np.unique(self._pairs.keys(rows[places], self._documents[:, rows, :k][holes]))
        beside = np.searchsorted(rows, self._pairs.rows_of(keys))
        return counts + np.bincount(beside, minlength=len(rows))
