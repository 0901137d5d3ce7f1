"""The greatest difference of two systems on AP and infAP, by branch and bound.

Both are a sum over relevant documents of what each is worth by itself and with each other one that
is relevant, over the number of relevant documents: a quadratic form of zeros and ones.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from rubric.arrays import BoolArray, FloatArray, IntArray
from rubric.differences.tops import Tops
from rubric.measures.average_precision import RankWorth

NODES = 4096
"""Partial gradings of one query looked at side by side; what needs more is bounded, not solved."""
WIDEST = 600
"""Unjudged documents of one query, in either top k, up to which it is looked at at all."""
_SHORT = 40
"""Such documents up to which all nodes are used."""
_EQUAL = 1e-13


@dataclass(frozen=True, eq=False)
class Form:
    """One query: (base + sum of own + sum of pairs) / relevant over gradings of u documents.

    ``pairs`` has shape (u, u), is symmetric and has zeros on its diagonal. ``known`` documents are
    relevant already, up to ``beside`` more can be that add nothing.
    """

    base: float
    own: FloatArray
    pairs: FloatArray
    known: int
    beside: int

    def of(self, sums: FloatArray, relevant: IntArray) -> FloatArray:
        """The greatest ratio with these sums; -inf where nothing is or can be relevant."""
        count = np.where(sums > 0, relevant, relevant + self.beside)
        return np.where(count > 0, sums / np.maximum(count, 1), -np.inf)

    def without_ballast(self) -> Form:
        """Count the documents that add nothing, and sort the others, the heaviest first."""
        weight = np.abs(self.own) + np.abs(self.pairs).sum(axis=1) / 2
        order = np.argsort(-weight, kind="stable")
        order = order[: np.count_nonzero(weight > _EQUAL)]
        return Form(
            self.base, self.own[order], self.pairs[np.ix_(order, order)],
            self.known, self.beside + len(self.own) - len(order),
        )  # fmt: skip


def forms(tops: Tops, worth: RankWorth) -> Iterator[Form | None]:
    """First minus second, query by query; None where too much is unjudged."""
    (found, other), (open_, theirs) = tops.relevant, tops.open_
    lead = _by_itself(found, worth), _by_itself(other, worth)
    base = _total(found, worth) - _total(other, worth)
    own = worth.pair
    for row in range(len(found)):
        mine = np.flatnonzero(open_[row])
        rest = np.flatnonzero(theirs[row] & (tops.in_first[row] < 0))
        here = np.concatenate([mine, np.full(len(rest), -1)])
        there = np.concatenate([tops.in_second[row, mine], rest])
        if len(here) > WIDEST:
            yield None
            continue
        yield Form(
            base=float(base[row]),
            own=_at(lead[0][row], here) - _at(lead[1][row], there),
            pairs=_pairs(own, here) - _pairs(own, there),
            known=int(tops.known[row]),
            beside=int(tops.beside[row]),
        )


def _at(worth: FloatArray, ranks: IntArray) -> FloatArray:
    """The worth at each rank, 0 at -1."""
    return np.append(worth, 0.0)[ranks]


def _pairs(worth: FloatArray, ranks: IntArray) -> FloatArray:
    lower = np.maximum(ranks[:, None], ranks)
    held = (ranks >= 0)[:, None] & (ranks >= 0)
    np.fill_diagonal(held, val=False)
    return np.where(held, _at(worth, lower), 0.0)


def _by_itself(found: BoolArray, worth: RankWorth) -> FloatArray:
    """What one more relevant document at each rank adds to the known ones: shape (N, w)."""
    size = found.shape[1]
    above: IntArray = np.cumsum(found, axis=1) - found
    weights = np.where(found, worth.pair[:size], 0.0)
    below = weights.sum(axis=1, keepdims=True) - np.cumsum(weights, axis=1)
    return np.asarray(worth.own[:size] + above * worth.pair[:size] + below)


def _total(found: BoolArray, worth: RankWorth) -> FloatArray:
    size = found.shape[1]
    above: IntArray = np.cumsum(found, axis=1) - found
    each = worth.own[:size] + above * worth.pair[:size]
    return np.asarray(np.where(found, each, 0.0).sum(axis=1))


def greatest(form: Form | None, nodes: int = NODES) -> tuple[float, bool]:
    """The greatest ratio, and whether it is exact: else no grading gives more.

    Documents are decided one after the other, the heaviest first. A partial grading is given up
    where the best that it can still become is no better than what was found.
    """
    if form is None:
        return 1.0, False
    form = form.without_ballast()
    size = len(form.own)
    nodes = nodes * _SHORT // max(_SHORT, size)
    best = _by_flipping(form)
    sums, counts = np.array([form.base]), np.array([form.known])
    more = form.own[None, :]
    for depth in range(size + 1):
        hope = np.maximum(form.pairs[depth:, depth:], 0.0).sum(axis=1) / 2
        weights = -np.sort(-(more + hope), axis=1)
        reach = np.hstack([np.zeros((len(sums), 1)), np.cumsum(weights, axis=1)])
        relevant = counts[:, None] + np.arange(size - depth + 1)
        bounds = form.of(sums[:, None] + reach, relevant).max(axis=1)
        best = max(best, float(form.of(sums, counts).max()))
        keep = bounds > best + _EQUAL
        if not keep.any():
            return best, True
        if 2 * np.count_nonzero(keep) > nodes:
            return float(bounds.max()), False
        sums, counts, more = sums[keep], counts[keep], more[keep]
        taken = more[:, 1:] + form.pairs[depth, depth + 1 :]
        sums = np.concatenate([sums, sums + more[:, 0]])
        counts = np.concatenate([counts, counts + 1])
        more = np.vstack([more[:, 1:], taken])
    return best, True


def _by_flipping(form: Form) -> float:
    """A good ratio: single documents change sides while that makes it better."""
    best = -np.inf
    for start in (form.own > 0, np.zeros(len(form.own), dtype=np.bool_)):
        chosen = start.copy()
        gain = form.own + form.pairs @ chosen
        sums = form.base + float((chosen * (form.own + gain)).sum()) / 2
        count = form.known + int(chosen.sum())
        best = max(best, float(form.of(np.array([sums]), np.array([count]))[0]))
        for _ in range(2 * len(chosen)):
            sign = np.where(chosen, -1, 1)
            values = form.of(sums + sign * gain, count + sign)
            at = int(np.argmax(values))
            if values[at] <= best + _EQUAL:
                break
            best, sums, count = float(values[at]), sums + sign[at] * gain[at], count + sign[at]
            chosen[at] = not chosen[at]
            gain = gain + sign[at] * form.pairs[at]
    return best
