"""A live scoreboard: loaded once as integers, then a grade recomputes only what it touches."""

from __future__ import annotations

import copy
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from annotator.domain import BoolArray, FloatArray, Int32Array, IntArray
from annotator.results.method import Basis
from annotator.results.scores import MeasureScore, SystemScore
from annotator.scoring.estimates import DEPTH, Estimates, ModelledPool
from annotator.scoring.measured import measured
from annotator.scoring.pairs import BoardData, ModelGrades, PairGrades, distinct
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
from rubric.model.drawn_scores import is_weighted
from rubric.model.expectation import SHOWN_DRAWS, expected, is_foreseen
from rubric.model.pooled_ranks import DEEPEST
from rubric.model.residuals import Residuals
from rubric.weights import unequal


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
    weights
        How much each query counts, as :mod:`rubric.weights` takes it; those of weight 0 do not.
    pause
        Called between pieces of work.
    """

    def __init__(
        self,
        data: BoardData,
        measures: Sequence[Measure],
        rules: Rules,
        *,
        count_missing: bool = True,
        weights: FloatArray | None = None,
        pause: Callable[[], object] = int,
    ) -> None:
        self.qids, self.systems = data.qids, data.systems
        self.measures = tuple(measures)
        self._queries, self.rules = data.queries, rules
        self._count_missing, self._pause = count_missing, pause
        self._weights = unequal(weights)
        self._documents, self._tied, self._top = data.documents, data.tied, data.top
        self._alone_in = min(data.pool_depth or DEPTH, DEEPEST)
        self._pairs = PairGrades(data)
        self._grades = self._pairs.grades_of(data.documents, pause)
        self._judged = self._pairs.judged_counts(len(self.qids), data.top)
        every = np.arange(len(self.qids))
        self._open: dict[int | None, IntArray] = {}
        self._open_to([one.k for one in measures])
        self._cells = {one: self._evaluate(one, every) for one in self.measures}
        self.estimates: Estimates | None = None
        self._models = data.models
        self._without: Estimates | None = None
        self._residuals: Residuals | None = None
        self._given = ModelGrades(
            "", data.label_query, data.label_document,
            np.arange(len(data.label_grade)) if data.label_given is None else data.label_given,
        )  # fmt: skip

    def frozen(self) -> Board:
        """The scoreboard as it is now, which later labels leave alone: for work elsewhere."""
        same = copy.copy(self)
        same._pairs = self._pairs.copy()
        same._grades, same._judged = self._grades.copy(), self._judged.copy()
        same._open = {k: counts.copy() for k, counts in self._open.items()}
        same._cells = {measure: cells.copy() for measure, cells in self._cells.items()}
        return same

    def estimate(self, draws: int = SHOWN_DRAWS, *, seed: int = 0) -> None:
        """Fit the grade model and draw; scores and comparisons have expected values from then on.

        A later label makes them void. Where nothing is open nothing is drawn.
        """
        if not self.unjudged:
            return
        cutoffs = [one.k for one in self._cells if is_foreseen(one)]
        depth = max([DEPTH, *(DEEPEST if k is None else min(k, DEEPEST) for k in cutoffs)])
        names = (self.systems, self.qids)
        documents = self._documents[:, :, : self._reach]
        pool = ModelledPool.of(self._pairs, documents, names, depth, self._alone_in, self._tied)
        filled = not all(is_weighted(one, self.rules) for one in self._cells if is_foreseen(one))
        places = documents.size if filled else 0
        how = self._pairs, self._top, draws, seed, places
        self._without = self._residuals = None
        if self._models:
            self._without = Estimates(pool, *how)
            said = [self._pairs.given_by(one, pool.keys) for one in self._models]
            pool = pool.with_models(said, self._top)
        self.estimates = Estimates(pool, *how)
        if self._models and not self.estimates.withheld:
            learned = self.estimates.learned
            self._residuals = pool.residuals(self._pairs, self._given, learned, self._top)
            self._discounts = pool.ranks.discounts

    @property
    def _reach(self) -> int | None:
        """Beyond how many places no document counts for what is expected; None: all do."""
        cutoffs = {one.k for one in self._cells}
        if self._tied is not None or None in cutoffs:
            return None
        return max(DEEPEST, *(k for k in cutoffs if k is not None))

    @property
    def averages_ties(self) -> bool:
        """Whether tied documents share their places."""
        return self._tied is not None

    @property
    def unjudged(self) -> int:
        """How many unjudged documents could still change a score."""
        return max((int(counts.sum()) for counts in self._open.values()), default=0)

    @property
    def basis(self) -> Basis | None:
        """What expected values rest on, None where nothing is open or nothing was drawn."""
        if self.estimates is None or self.estimates.basis is None:
            return None
        without = tuple(str(one) for one in self.measures if not is_foreseen(one))
        models = tuple(one.name for one in self._models)
        return replace(self.estimates.basis, without=without, models=models)

    def relabel(self, query: int, document: int, grade: int | None) -> None:
        """Take in a new label of one pair, or its withdrawal: only this query is scored again."""
        self.relabel_all([(query, document, grade, False)])

    def relabel_all(self, labels: Iterable[tuple[int, int, int | None, bool]]) -> None:
        """Take in labels: query, document, grade, and whether it was picked by eye.

        Each of these queries is scored once more.
        """
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

    def _set_grade(self, query: int, document: int, grade: int | None, by_eye: bool) -> int | None:
        """Change one pair's grade; the row of its query, None if it is not on the board."""
        row = int(np.searchsorted(self._queries, query))
        if row == len(self._queries) or self._queries[row] != query:
            return None
        self.estimates = None
        before, now = self._pairs.set_grade(row, document, grade, by_eye=by_eye)
        if before >= 0:
            self._judged[row, before] -= 1
        if now >= 0:
            self._judged[row, now] += 1
        self._grades[:, row][self._documents[:, row] == document] = now
        return row

    def measure_by(self, measures: Sequence[Measure]) -> None:
        """Score by other measures from now on; what is computed already is kept and kept true."""
        every = np.arange(len(self.qids))
        self._open_to([one.k for one in measures])
        for measure in measures:
            if measure not in self._cells:
                self._cells[measure] = self._evaluate(measure, every)
                self.estimates = None
        self.measures = tuple(measures)

    def ranked(self, qid: str) -> tuple[int, Int32Array, npt.NDArray[np.int8]]:
        """A query's number, and what each system returned for it: documents and grades, (S, N)."""
        row = self.qids.index(qid)
        return int(self._queries[row]), self._documents[:, row], self._grades[:, row]

    def judged_of(self, row: int) -> tuple[IntArray, IntArray]:
        """The judged documents of a query, whoever found them, and their grades."""
        return self._pairs.judged_of(row)

    def ranking(self, system: int, measure: Measure, row: int) -> JudgedRankings:
        """What one system returned for one query, as the measure scores it."""
        return self._rankings(system, measure.k, np.array([row]))

    def coverage(self, k: int) -> tuple[IntArray, IntArray]:
        """How many documents of each top k are judged, and how many there are: (S, Q) each."""
        held = self._in_top(k, slice(None))
        judged = held & (self._grades[:, :, : held.shape[2]] >= 0)
        return judged.sum(axis=2), held.sum(axis=2)

    def scores(self, system: int, measure: Measure) -> Scores:
        """One system's scores, an element a query."""
        first = system * len(self.qids)
        scores = self._cells[measure].only(slice(first, first + len(self.qids)))
        drawn = self.drawn(measure)
        if drawn is None:
            return scores
        likely = expected(drawn[:, system], scores.lower, scores.upper)
        return replace(scores, expected=likely)

    def drawn(self, measure: Measure) -> FloatArray | None:
        """The scores under each draw, (D, S, Q); None where there are no estimates."""
        if self.estimates is None or self.estimates.withheld or not is_foreseen(measure):
            return None
        every = self._rankings(None, measure.k, slice(None))
        return self.estimates.scores(measure, every, self.rules)

    def compare(
        self, first: int, second: int, measure: Measure, *, seed: int = 0, tests: bool = True
    ) -> Comparison:
        """Compare two systems; queries that do not count for one count for neither."""
        rows = np.flatnonzero(self.counted(first) & self.counted(second))
        one, two = (self._rankings(system, measure.k, rows) for system in (first, second))
        k = measure.k if self._tied is None and not self.rules.own_ideal else None
        documents = self._documents
        places = same_places(documents[first, rows, :k], documents[second, rows, :k])
        belief = None
        if self.estimates is not None and self.drawn(measure) is not None:
            every = self._rankings(None, measure.k, slice(None))
            both = first, second
            how = (*both, measure, every, self.rules, rows, self._weights)
            belief = self.estimates.belief(*how)
            if self._without is not None:
                other = self._without.belief(*how)
                z = self._residual_z(first, second)
                belief = replace(belief, without=other.differences, residual_z=z)
        return compare(
            measure,
            Pair(one, two, places),
            self.rules,
            scores=self._known_scores(first, second, measure, rows),
            belief=belief,
            weights=self.weights(rows),
            seed=seed,
            tests=tests,
        )

    def _residual_z(self, first: int, second: int) -> tuple[float, float] | None:
        """How people's grades came out beside what was expected, and for which of the two."""
        if (found := self._residuals) is None:
            return None
        places = np.argsort(np.argsort(self.systems))
        one, two = (self._discounts[places[at], found.row, found.column] for at in (first, second))
        return found.z(), found.z(one - two)

    def _known_scores(
        self, first: int, second: int, measure: Measure, rows: IntArray
    ) -> tuple[Scores, Scores] | None:
        """The two systems' scores for these queries, None if that measure is not on the board."""
        if measure not in self._cells:
            return None
        cells, begin = self._cells[measure], len(self.qids)
        return cells.only(first * begin + rows), cells.only(second * begin + rows)

    def ceiling(self, system: int, measure: Measure, n: int) -> Ceiling:
        """How good a system's first n candidates could be ranked, for each query that counts."""
        rankings = self._rankings(system, measure.k, np.flatnonzero(self.counted(system)))
        return candidate_ceiling(measure, rankings, n, self.rules)

    def counted(self, system: int) -> BoolArray:
        """Which queries count in a system's mean."""
        counted = self._count_missing | ~self.missing(system)
        return np.asarray(counted if self._weights is None else counted & (self._weights > 0))

    def weights(self, rows: IntArray) -> FloatArray | None:
        """How much each of these queries counts; None where all count alike."""
        return None if self._weights is None else self._weights[rows]

    def missing(self, system: int) -> BoolArray:
        """For which queries a system returned nothing."""
        return np.asarray(self._documents[system, :, 0] == 0)

    def table(
        self, systems: Collection[str] | None = None, *, seed: int = 0
    ) -> tuple[SystemScore, ...]:
        """The numbers of every system, or of those named, frozen."""
        return tuple(
            SystemScore(name, tuple(self._measure_score(at, one, seed) for one in self.measures))
            for name in (self.systems if systems is None else systems)
            for at in [self.systems.index(name)]
        )

    def _measure_score(self, system: int, measure: Measure, seed: int) -> MeasureScore:
        rows = np.flatnonzero(self.counted(system))
        qids = [self.qids[row] for row in rows]
        missing = int(np.sum(self.missing(system)))
        scores, drawn = self.scores(system, measure).only(rows), self.drawn(measure)
        draws = None if drawn is None else drawn[:, system, rows]
        weights = self.weights(rows)
        return measured(measure, qids, scores, missing, draws=draws, weights=weights, seed=seed)

    def _evaluate(self, measure: Measure, rows: IntArray) -> Scores:
        """Score these queries of every system; results run over systems, then queries."""
        return evaluate(measure, self._rankings(None, measure.k, rows), self.rules)

    def _rankings(
        self, system: int | None, k: int | None, rows: IntArray | slice
    ) -> JudgedRankings:
        """Rankings, system by system; a slice is not copied. What takes long begins with it."""
        self._pause()
        systems = slice(None) if system is None else slice(system, system + 1)
        grades = self._grades[systems, rows]
        tied = None if self._tied is None else self._tied[systems, rows]
        return JudgedRankings(
            grades=grades.reshape(-1, grades.shape[2]),
            judged=np.tile(self._judged[rows], (len(grades), 1)),
            unjudged=np.tile(self._open[k][rows], len(grades)),
            tied=None if tied is None else tied.reshape(-1, tied.shape[2]),
        )

    def _open_to(self, cutoffs: Sequence[int | None]) -> None:
        """Count what is open down to some cutoffs; once for all those that take in everything."""
        every, depth = np.arange(len(self.qids)), self._documents.shape[2]
        for k in cutoffs:
            if k not in self._open:
                whole = None if k is None or (k >= depth and self._tied is None) else k
                same = [one for one in self._open if one is None or one >= depth]
                known = self._open[same[0]] if whole is None and same else None
                self._open[k] = self._open_documents(k, every) if known is None else known.copy()

    def _open_documents(self, k: int | None, rows: IntArray) -> IntArray:
        """How many unjudged documents of these queries count: pooled, or in any system's top k."""
        counts, held = self._pairs.pooled_unjudged(rows), self._in_top(k, rows)
        width = held.shape[2]
        holes = held & (self._grades[:, rows, :width] == UNPOOLED)
        if len(holes) == 1:  # no system returns a document twice
            return np.asarray(counts + holes[0].sum(axis=1))
        at = np.flatnonzero(holes)
        documents = self._documents[:, rows, :width].reshape(-1)[at]
        keys = distinct(self._pairs.keys(rows[at // width % len(rows)], documents))
        beside = np.searchsorted(rows, self._pairs.rows_of(keys))
        return counts + np.bincount(beside, minlength=len(rows))

    def _in_top(self, k: int | None, rows: IntArray | slice) -> BoolArray:
        """Where each top k holds a document, in some order of the ties if these are averaged."""
        if self._tied is None or k is None:
            return np.asarray(self._grades[:, rows, :k] != EMPTY)
        return np.asarray((self._grades[:, rows] != EMPTY) & (self._tied[:, rows] < k))
