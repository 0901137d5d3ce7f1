"""The greatest ratio of a quadratic form of zeros and ones to their number, by branch and bound."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rubric.arrays import FloatArray, IntArray

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


def greatest(form: Form | None, nodes: int) -> tuple[float, bool]:
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
