"""How likely each grade of an unjudged document is, learned from the grades given so far.

A continuation-ratio logit (Tutz 1991): a document that has reached grade t - 1 reaches t with

    P(g >= t | g >= t - 1) = logistic(level_t + features . weights + query effect)

Gaussian priors hold it where labels are few; the posterior is the normal one around the mode
(Laplace). It assumes that grades of a query's documents depend on nothing but their ranks and how
rich the query is, and that documents were chosen for judging by ranks, query and labels alone: a
label of a document that somebody picked for what it looked like teaches it nothing.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass, replace

import numpy as np

from rubric.arrays import BoolArray, FloatArray, GradeArray, IntArray, inner_product, product
from rubric.model.logit import LARGEST_LOGIT, logistic
from rubric.model.pooled_ranks import PooledRanks

STEPS = 100
"""Newton steps at most; a dozen is common from the prior, three after one more label."""
_LONGEST_STEP = 2.0
_BLOCK = 4_000_000
"""Documents times draws made at a time."""
_CACHED = 64_000
"""Documents times draws of which all that is reckoned with stays in the processor's cache."""
_SETTLED, _VARIANCE_SETTLED = 1e-3, 1e-2
_MANY = 100
"""Features from which on a fit looks for the few directions that the labels tell of."""
_PSEUDO_QUERIES = 10
"""Queries of effect variance 1 that stand behind the estimate of the variance."""

_FIRST_LEVEL, _LATER_LEVEL = (-4.0, 1.5), (-1.5, 1.0)
_SHARED = ((4.0, 2.5), (0.0, 1.5), (0.0, 1.5), (0.0, 1.0), (5.0, 2.0))
_SLOPE, _ALONE = (0.0, 1.0), (0.0, 1.0)


@dataclass(frozen=True, eq=False)
class _Labels:
    """n labels, queries rising: row of the query, features, and which levels were tried and held.

    Shapes (n,), (n, F), (n, G), (n, G); ``queries`` (u,) are the rows that have any, ``starts``
    where each begins.
    """

    row: IntArray
    features: FloatArray
    tried: BoolArray
    held: BoolArray
    queries: IntArray
    starts: IntArray

    def by_query(self, values: FloatArray) -> FloatArray:
        """Sums over the labels of each query that has any."""
        sums: FloatArray = np.add.reduceat(values, self.starts, axis=0)
        return sums


class GradeModel:
    """The posterior of the grades of a pool's documents; :meth:`fit` it before anything else.

    Parameters
    ----------
    pooled
        The documents and where each system ranked them.
    top
        The highest grade, G.

    Attributes
    ----------
    parameters
        The mode of the G levels and the weights of the features: shape (T,), T = G + F.
    query_effects
        The mode of each query's effect: shape (Q,).
    precision
        Inverse covariance of the parameters, query effects integrated out: shape (T, T).
    query_precision, cross
        Inverse variance of each query effect, given the parameters: shape (Q,); and how it moves
        with them: given parameters off by d it moves by -cross . d / query_precision, (Q, T).
    query_variance
        The variance of query effects, estimated as their posterior mean square (EM).
    """

    def __init__(self, pooled: PooledRanks, top: int) -> None:
        self.pooled, self.top = pooled, top
        self._numbers = np.cumsum(pooled.known).reshape(pooled.known.shape) - 1
        levels = [_FIRST_LEVEL, *[_LATER_LEVEL] * (top - 1)]
        own = [*[_SLOPE] * pooled.systems, *[_ALONE] * pooled.systems]
        priors = np.array([*levels, *_SHARED, *own])
        if pooled.models is not None:
            priors = np.concatenate([priors, pooled.models.priors])
        self._prior_mean, self._prior_precision = priors[:, 0], priors[:, 1] ** -2.0
        queries = len(pooled.known)
        self.parameters = self._prior_mean.copy()
        self.query_effects = np.zeros(queries)
        self.query_variance = 1.0
        self.precision = np.diag(self._prior_precision)
        self.query_precision = np.ones(queries)
        self.cross = np.zeros((queries, len(priors)))

    def fit(self, grades: GradeArray) -> None:
        """Take in the labels that it may learn from (:func:`rubric.model.evidence.evidence`).

        The result depends on them alone; that it starts from the fit before only saves time.

        Parameters
        ----------
        grades
            int8, shape (Q, P): 0..G, below 0 where there is no such label.
        """
        labels = self._labels(grades)
        features = labels.features.shape[1]
        if features > _MANY and 2 * len(labels.row) < features:
            self._fit_in_few_directions(labels)
        else:
            self._fit(labels)

    def _fit_in_few_directions(self, labels: _Labels) -> None:
        """Fit where weights are far more than labels, as with hundreds of systems; same result.

        In units of the prior, n labels move the weights only within the n directions of their
        features, and the prior's mean; all others stay as the prior has them.
        """
        top = self.top
        spread = self._prior_precision[top:] ** -0.5
        mean = self._prior_mean[top:] / spread
        along, _ = np.linalg.qr(np.vstack([labels.features * spread, mean]).T)
        few = copy.copy(self)
        few._prior_mean = np.append(self._prior_mean[:top], mean @ along)
        few._prior_precision = np.append(self._prior_precision[:top], np.ones(along.shape[1]))
        few.parameters = np.append(self.parameters[:top], self.parameters[top:] / spread @ along)
        few.query_precision = self.query_precision.copy()
        few.cross = np.zeros((len(self.cross), len(few.parameters)))
        few._fit(replace(labels, features=labels.features * spread @ along))
        back = np.zeros((len(few.parameters), len(self.parameters)))
        back[:top, :top] = np.eye(top)
        back[top:, top:] = along.T / spread
        self.parameters = np.append(few.parameters[:top], spread * (along @ few.parameters[top:]))
        self.query_effects, self.query_variance = few.query_effects, few.query_variance
        self.query_precision, self.cross = few.query_precision, few.cross @ back
        learned = few.precision - np.diag(few._prior_precision)
        self.precision = back.T @ learned @ back + np.diag(self._prior_precision)

    def _fit(self, labels: _Labels) -> None:
        growth = 1.0
        for _ in range(STEPS):
            moved = self._step(labels)
            growth = self._estimate_query_variance(labels, growth)
            if moved < _SETTLED and abs(growth - 1) < _VARIANCE_SETTLED:
                break

    def chances(self, parameters: FloatArray | None = None) -> FloatArray:
        """P(g >= t | g >= t - 1) at the mode, or at other parameters: shape (Q, P, G)."""
        at = self.parameters if parameters is None else parameters
        worth = self.pooled.features @ at[self.top :] + self.query_effects[:, None]
        return logistic(worth[..., None] + at[: self.top])

    def probabilities(self, parameters: FloatArray | None = None) -> FloatArray:
        """P(g) of each grade at the mode, or at other parameters: shape (Q, P, G + 1)."""
        reached = np.cumprod(self.chances(parameters), axis=-1)
        ends = (*reached.shape[:-1], 1)
        padded = np.concatenate([np.ones(ends), reached, np.zeros(ends)], axis=-1)
        each: FloatArray = padded[..., :-1] - padded[..., 1:]
        return each

    def draw(
        self, count: int, rng: np.random.Generator, rows: IntArray, columns: IntArray
    ) -> GradeArray:
        """Draw grades of documents from the posterior, correlated as it says.

        Each document has random numbers of its own, so that a label more leaves the draws of the
        others as comparable as can be.

        Parameters
        ----------
        rows, columns
            Shape (n,): the query and place of each document.

        Returns
        -------
        int8, shape (count, n).
        """
        documents = int(self.pooled.known.sum())
        block = max(1, _BLOCK // max(documents, 1))
        sizes = [min(block, count - start) for start in range(0, count, block)]
        parts = [self._draw_block(size, rng, rows, columns, documents) for size in sizes]
        return np.concatenate(parts) if parts else np.zeros((0, len(rows)), dtype=np.int8)

    def _draw_block(
        self,
        count: int,
        rng: np.random.Generator,
        rows: IntArray,
        columns: IntArray,
        documents: int,
    ) -> GradeArray:
        parameters, effects = self._draw_parameters(count, rng)
        weights, of_query = np.ascontiguousarray(parameters[:, self.top :].T), effects.T
        levels = np.exp(-parameters[:, : self.top].T).astype(np.float32)
        uniform = rng.random((documents, count), dtype=np.float32)
        grades = np.empty((count, len(rows)), dtype=np.int8)
        size = max(1, _CACHED // count)
        for start in range(0, len(rows), size):
            part = slice(start, start + size)
            row, column = rows[part], columns[part]
            worth = product(self.pooled.features_of(row, column), weights)
            worth += of_query[row]
            against = np.clip(worth.astype(np.float32), -LARGEST_LOGIT, LARGEST_LOGIT)
            np.exp(np.negative(against, out=against), out=against)
            # One uniform u a document: it reaches t where u < product of 1 / (1 + odds against it).
            left = uniform[self._numbers[row, column]]
            drawn = np.zeros(left.shape, dtype=np.int8)
            with np.errstate(over="ignore"):
                for odds in levels:
                    left *= 1 + against * odds
                    drawn += (left < 1).view(np.int8)
            grades[:, part] = drawn.T
        return grades

    def _draw_parameters(
        self, count: int, rng: np.random.Generator
    ) -> tuple[FloatArray, FloatArray]:
        root = np.linalg.inv(np.linalg.cholesky(self.precision))
        off = rng.standard_normal((count, len(self.parameters))) @ root
        mean = self.query_effects - off @ (self.cross / self.query_precision[:, None]).T
        noise = rng.standard_normal((count, len(self.query_effects)))
        return self.parameters + off, mean + noise / np.sqrt(self.query_precision)

    def _labels(self, grades: GradeArray) -> _Labels:
        row, column = np.nonzero((grades >= 0) & self.pooled.known)
        got, levels = grades[row, column][:, None], np.arange(self.top)
        queries, starts = np.unique(row, return_index=True)
        features = self.pooled.features_of(row, column)
        return _Labels(row, features, got >= levels, got > levels, queries, starts)

    def _step(self, labels: _Labels) -> float:
        """One damped Newton step on parameters and query effects: how far it went."""
        top, seen = self.top, labels.queries
        at = self.parameters
        worth = labels.features @ at[top:] + self.query_effects[labels.row]
        chance = logistic(worth[:, None] + at[:top])
        weight = np.where(labels.tried, chance * (1 - chance), 0.0)
        off = np.where(labels.tried, labels.held - chance, 0.0)
        weights, offs = weight.sum(axis=1), off.sum(axis=1)
        weighted = labels.features * weights[:, None]

        self.cross[:] = 0.0
        self.cross[seen, :top] = labels.by_query(weight)
        self.cross[seen, top:] = labels.by_query(weighted)
        self.query_precision[:] = 1 / self.query_variance
        self.query_precision[seen] += labels.by_query(weights)
        information = np.diag(self._prior_precision)
        information[:top, :top] += np.diag(weight.sum(axis=0))
        information[:top, top:] += inner_product(weight, labels.features)
        information[top:, :top] = information[:top, top:].T
        information[top:, top:] += inner_product(weighted, labels.features)
        part = self.cross / self.query_precision[:, None]
        self.precision = information - inner_product(part, self.cross)

        slope = -self._prior_precision * (at - self._prior_mean)
        slope += np.concatenate([off.sum(axis=0), offs @ labels.features])
        query_slope = -self.query_effects / self.query_variance
        query_slope[seen] += labels.by_query(offs)
        step = np.linalg.solve(self.precision, slope - part.T @ query_slope)
        length = float(np.abs(step).max())
        size = 1 / max(1.0, length / _LONGEST_STEP)
        query_step = (query_slope - self.cross @ step) / self.query_precision
        self.parameters = at + size * step
        self.query_effects = self.query_effects + size * query_step
        return length

    def _estimate_query_variance(self, labels: _Labels, before: float) -> float:
        """One step of EM: by what the variance grew, as ``before`` in the step before.

        EM creeps, so a step goes twice as far where it goes on in the direction of the last. Where
        it does not creep it would leap to and fro for ever.
        """
        seen = labels.queries
        square = self.query_effects[seen] ** 2 + 1 / self.query_precision[seen]
        estimate = (_PSEUDO_QUERIES + float(square.sum())) / (_PSEUDO_QUERIES + len(seen))
        growth = estimate / self.query_variance
        if (growth > 1) == (before > 1) and before != 1:
            growth **= 2
        self.query_variance *= growth
        return growth
