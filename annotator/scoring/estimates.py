"""Drawn grades of the unjudged documents of a scoreboard, and what they say of its systems."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from annotator.domain import BoolArray, FloatArray, Int32Array, IntArray
from annotator.results.method import Basis
from annotator.scoring.pairs import ModelGrades, PairGrades, distinct, ranks_of
from rubric import JudgedRankings, Measure, Rules
from rubric.arrays import GradeArray
from rubric.bounds.weighted_sum import ideal_of
from rubric.evaluation.scores import setting
from rubric.model.drawn_scores import DrawnGrades, drawn_scores
from rubric.model.evidence import evidence
from rubric.model.expectation import SPREAD
from rubric.model.grade_model import GradeModel
from rubric.model.model_labels import ModelLabels
from rubric.model.pooled_ranks import DEEPEST, PooledRanks, discount_at
from rubric.model.residuals import Residuals, residuals
from rubric.model.stopping import Support
from rubric.rankings import place_in_row
from rubric.results.comparison import Belief
from rubric.setting import Setting

DEPTH = 10
"""Down to which rank documents are modelled, pooled or not, whatever the cutoffs."""

_SCORES, _GRADES, _PLACES = 16_000_000, 15_000_000, 60_000_000
"""What is kept or looked at at most, where it is many get fewer draws: scores of one measure, drawn
grades, and places of rankings, which all but sums of gains have to fill with each draw."""
_FEWEST_DRAWS = 40
"""Still tell a standard deviation to a ninth; and it is small where there is so much to draw."""


@dataclass(frozen=True, eq=False)
class ModelledPool:
    """The documents whose grades are modelled, n in all, and where every system ranks them.

    They are those in the top ``depth`` of any system, and those pooled or judged, but for judged
    ones that no system returned in its first 100: the model learns from ranks, and worse if
    documents without any are among its labels. ``keys`` and ``query`` are their pairs and the rows
    of their queries, ``at`` (S, n) where each system ranks them, from 1, and ``reach`` the least
    cutoff that counts them: less than the rank where they are tied with documents above. The model
    has systems by name, queries by id and documents by their ranks, at ``row`` and ``column``: what
    is drawn does not hang on the order in which things were imported.
    """

    keys: IntArray
    query: IntArray
    at: IntArray
    reach: IntArray
    row: IntArray
    column: IntArray
    ranks: PooledRanks

    @classmethod
    def of(
        cls,
        pairs: PairGrades,
        documents: Int32Array,
        names: tuple[Sequence[str], Sequence[str]],
        depth: int,
        k: int,
        tied: IntArray | None = None,
    ) -> ModelledPool:
        """Find them in rankings of shape (S, Q, ranks).

        ``names`` are the systems' and the queries'; ``k`` is as in :class:`PooledRanks`, ``tied``
        as in :class:`BoardData`.
        """
        queries = documents.shape[1]
        ranked = documents[:, :, : DEEPEST if tied is None else None]
        every, held = pairs.keys(np.arange(queries)[:, None], ranked), ranked > 0
        begin = np.broadcast_to(np.arange(ranked.shape[2]), held.shape) if tied is None else tied
        top = distinct(every[held & (begin < depth)])
        near = distinct(every[:, :, :DEEPEST][held[:, :, :DEEPEST]])
        pooled = near[pairs.known(near)], pairs.pooled_unjudged_keys()
        keys = distinct(np.concatenate([top, *pooled]))
        at, query = ranks_of(keys, documents), pairs.rows_of(keys)
        systems, row = np.argsort(names[0]), np.argsort(np.argsort(names[1]))[query]
        order = np.lexsort([*_packed(at[systems])[::-1], row])
        keys, query, at, row = keys[order], query[order], at[:, order], row[order]
        column = place_in_row(row, queries)
        system = np.arange(len(documents))[:, None]
        reach = at if tied is None else np.where(at > 0, tied[system, query, at - 1] + 1, 0)
        shape = queries, int(column.max(initial=-1)) + 1
        ranks = np.zeros((len(documents), *shape), dtype=np.int32)
        ranks[:, row, column] = at[systems]
        known = np.zeros(shape, dtype=np.bool_)
        known[row, column] = True
        return cls(keys, query, at, reach, row, column, PooledRanks(ranks, known, k))

    def with_models(self, labels: Sequence[IntArray], top: int) -> ModelledPool:
        """The same, grades being predicted from models' labels too: of each an array (n,)."""
        tables = np.stack([self.table(one) for one in labels])
        models = ModelLabels.of(tables, self.ranks.known, top)
        return replace(self, ranks=self.ranks.with_models(models))

    def residuals(
        self, pairs: PairGrades, given: ModelGrades, learned: BoolArray, top: int
    ) -> Residuals:
        """How the labels that are learned from came out; ``given`` has when each was given."""
        grades, _, _ = pairs.labels_of(self.keys)
        when = np.zeros(self.ranks.known.shape, dtype=np.int64)
        when[self.row, self.column] = pairs.given_by(given, self.keys)
        known = self.table(np.where(learned, grades, -1))
        return residuals(GradeModel(self.ranks, top), known, when)

    def table(self, values: npt.NDArray[np.generic]) -> GradeArray:
        """Numbers of the n documents, shape (n,), as the model holds them; -1 elsewhere."""
        table = np.full(self.ranks.known.shape, -1, dtype=np.int8)
        table[self.row, self.column] = values
        return table


def _packed(at: IntArray) -> npt.NDArray[np.uint64]:
    """Ranks of S systems, to be sorted by in turn, eight in a number: shape (S / 8, n).

    All from 255 on count as one: of two documents so far down everywhere either may come first.
    """
    systems, documents = at.shape
    each = np.zeros((documents, -(-systems // 8) * 8), dtype=np.uint8)
    each[:, :systems] = np.minimum(at, 255).T
    return each.view(">u8").T.astype(np.uint64)


class Estimates:
    """Grades drawn once for all measures, and the scores that they give.

    Parameters
    ----------
    pool
        The documents whose grades are modelled.
    pairs
        The labels.
    top
        The highest grade.
    draws, seed
        How many draws there are at most, and what they come from.
    places
        How many places of rankings a draw fills for a measure that needs it, 0 if none does.

    Attributes
    ----------
    learned
        Of which of these documents the grade model learns: shape (n,).
    withheld
        Why nothing is expected or claimed; None where that may be.
    basis
        What the draws rest on; None where every one of these documents is judged.
    """

    def __init__(
        self,
        pool: ModelledPool,
        pairs: PairGrades,
        top: int,
        draws: int,
        seed: int,
        places: int = 0,
    ) -> None:
        self._pool, self._scores = pool, dict[Measure, FloatArray]()
        self._drawn, self._variances = dict[int, DrawnGrades](), dict[Measure, FloatArray]()
        grades, by_eye, foreign = pairs.labels_of(pool.keys)
        judged = grades >= 0
        found = evidence(
            pool.ranks, pool.table(grades), pool.table(by_eye) > 0, pool.table(foreign) > 0
        )
        self.learned = found.learned[pool.row, pool.column]
        self.withheld = found.withheld
        systems, queries, _ = pool.ranks.ranks.shape
        open_ = np.flatnonzero(~judged)
        sizes = (_SCORES, systems * queries), (_GRADES, len(open_)), (_PLACES, places)
        enough = min(limit // max(1, size) for limit, size in sizes)
        draws = min(draws, max(enough, _FEWEST_DRAWS))
        open_ = open_[np.argsort(pool.query[open_], kind="stable")]
        self._query, self._at = pool.query[open_], pool.at[:, open_]
        reach = pool.reach[:, open_]
        best = np.where(reach > 0, reach, np.iinfo(np.int64).max).min(axis=0)
        self._best = np.where(pairs.pooled_of(pool.keys[open_]), 0, best)
        self._grades = np.zeros((draws, len(open_)), dtype=np.int8)
        if self.withheld is None and len(open_):
            model = GradeModel(pool.ranks, top)
            model.fit(pool.table(np.where(self.learned, grades, -1)))
            rng = np.random.default_rng(seed)
            self._grades = model.draw(draws, rng, pool.row[open_], pool.column[open_])
        basis = Basis(
            draws=0 if self.withheld else draws,
            spread=SPREAD,
            seed=seed,
            systems=systems,
            labels=int(self.learned.sum()),
            by_eye=int(by_eye.sum()),
            foreign=found.foreign,
            foreign_zeros=found.zeros,
            withheld=self.withheld,
            missing=Support.of(self.learned, pool.query, (pool.reach == 1).any(axis=0)).missing,
        )
        self.basis = basis if len(open_) else None

    def scores(self, measure: Measure, rankings: JudgedRankings, rules: Rules) -> FloatArray:
        """What every system scores for every query under each draw: shape (D, S, Q)."""
        if measure not in self._scores:
            self._scores[measure] = drawn_scores(measure, rankings, self._counting(measure), rules)
        return self._scores[measure]

    def belief(
        self, first: int, second: int, measure: Measure, rankings: JudgedRankings, rules: Rules,
        rows: IntArray, weights: FloatArray | None = None,
    ) -> Belief:  # fmt: skip
        """What the draws say of two systems on some of the queries.

        ``rankings`` are those of all systems and queries, as :meth:`scores` takes them, and
        ``weights`` those of all queries.
        """
        scores = self.scores(measure, rankings, rules)
        ranks = self._pool.reach[[first, second]]
        compared = ((ranks > 0) & (ranks <= (measure.k or DEEPEST))).any(axis=0)
        compared &= np.isin(np.arange(scores.shape[2]), rows)[self._pool.query]
        how = setting(measure, rules, rankings.top)
        judged = rankings.judged[: scores.shape[2]]
        return Belief(
            differences=scores[:, first, rows] - scores[:, second, rows],
            shares=self._shares(first, second, measure, how, judged, weights),
            support=Support.of(
                self.learned[compared],
                self._pool.query[compared],
                (ranks == 1).any(axis=0)[compared],
            ),
        )

    def _counting(self, measure: Measure) -> DrawnGrades:
        """The grades of what counts for a measure: the pool, and every system's top k."""
        use = self._counts_at(measure.k)
        if len(use) not in self._drawn:  # what counts at one cutoff counts at every deeper one
            every = len(use) == self._grades.shape[1]
            grades = self._grades if every else self._grades[:, use]
            self._drawn[len(use)] = DrawnGrades(self._query[use], self._at[:, use] - 1, grades)
        return self._drawn[len(use)]

    def _counts_at(self, k: int | None) -> IntArray:
        return np.flatnonzero(self._best <= (DEEPEST if k is None else k))

    def _shares(
        self, first: int, second: int, measure: Measure, how: Setting, judged: IntArray,
        weights: FloatArray | None,
    ) -> FloatArray:  # fmt: skip
        """About what each unjudged document adds to the variance of a difference."""
        use, k = self._counts_at(measure.k), measure.k or DEEPEST
        one, two = (discount_at(self._at[system, use], k) for system in (first, second))
        if measure not in self._variances:
            self._variances[measure] = self._variance(measure, how, judged)
        shares = (one - two) ** 2 * self._variances[measure]
        if weights is not None:
            shares = shares * weights[self._query[use]] ** 2
        return shares[shares > 0]

    def _variance(self, measure: Measure, how: Setting, judged: IntArray) -> FloatArray:
        """The variance of what each unjudged document gains, beside about the ideal squared."""
        drawn, top = self._counting(measure), len(how.gains) - 1
        reached = [(drawn.grades >= grade).mean(axis=0) for grade in range(1, top + 1)]
        mean = how.gains[0] + np.diff(how.gains) @ reached
        square = how.gains[0] ** 2 + np.diff(how.gains**2) @ reached
        variance: FloatArray = square - mean**2
        weighted = measure.kind.weighted
        if weighted and weighted.ideal and len(variance):
            above = np.cumsum(judged[drawn.rows, :0:-1], axis=1)[:, ::-1]
            above = above + np.rint(drawn.at_least(top).mean(axis=0)).astype(np.int64)
            ideal = ideal_of(above, how.gains, weighted.ideal(how, DEEPEST))
            ideal = np.maximum(ideal, how.gains.max())
            variance /= ideal[np.searchsorted(drawn.rows, drawn.query)] ** 2
        return np.maximum(variance, 0.0)
