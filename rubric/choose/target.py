"""The measure that an order of judging decides on: what a unit of gain adds at each rank."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rubric.arrays import FloatArray, IntArray
from rubric.bounds.weighted_sum import ideal_of
from rubric.errors import RubricError
from rubric.evaluation.measure import Measure
from rubric.evaluation.scores import Rules, setting
from rubric.kind import FORESEEN_TO, Cutoff
from rubric.measures.ndcg import discount_sums, discounts
from rubric.measures.registry import KINDS
from rubric.model.expectation import is_foreseen
from rubric.model.pooled_ranks import DEEPEST, Ranks

_ROUNDING = 1e-9


@dataclass(frozen=True, eq=False)
class Target:
    """A measure from 0 to 1 that the grade model foresees.

    Parameters
    ----------
    gains
        float64, shape (G + 1,): the gain of each grade.
    at_ranks
        float64, shape (k,): what a unit of gain adds at each rank, never rising.
    ideal_sums
        float64, shape (K + 1,): what the best n places of the ideal weigh together; ones where the
        sum is not divided.
    first_only
        Whether only the first relevant document counts: the score is the largest weight of any.
        Which label is worth most is found as if all of them added up.
    """

    gains: FloatArray
    at_ranks: FloatArray
    ideal_sums: FloatArray
    first_only: bool = False

    @classmethod
    def ndcg(cls, gains: FloatArray, k: int = FORESEEN_TO) -> Target:
        """NDCG at k."""
        return cls(gains, discounts(k), discount_sums(k))

    @classmethod
    def of(cls, measure: Measure, rules: Rules, top: int) -> Target:
        """The target that a measure is for grades 0..``top``.

        Raises
        ------
        RubricError
            If the model does not foresee it, it is not from 0 to 1, or no sum over ranks.
        """
        found = cls._find(measure, rules, top)
        if found is None:
            cut = [kind.name for kind in KINDS.values() if kind.cutoff is not Cutoff.NONE]
            named = [f"{name}@{FORESEEN_TO}" for name in cut]
            possible = [one for one in named if cls._find(Measure.parse(one), rules, top)]
            fault = f"no order decides on {measure}: take {', '.join(possible)} or a smaller cutoff"
            raise RubricError("measure", [fault])
        return found

    @classmethod
    def _find(cls, measure: Measure, rules: Rules, top: int) -> Target | None:
        kind, weighted, how = measure.kind, measure.kind.weighted, setting(measure, rules, top)
        depth = DEEPEST if measure.k is None else measure.k
        if not is_foreseen(measure):
            return None
        if kind.first is not None:
            return cls(how.gains, kind.first(depth), np.ones(2), first_only=True)
        if weighted is None:
            return None
        at_ranks = weighted.rank_weights(how, depth)
        if weighted.ideal is not None:
            return cls(how.gains, at_ranks, weighted.ideal(how, depth))
        most = how.gains.max() * at_ranks.sum()
        if most > 1 + _ROUNDING:
            return None
        return cls(how.gains, how.gains.max() * at_ranks, np.ones(2))

    def weights(self, ranks: Ranks) -> FloatArray:
        """What a unit of gain adds at ranks from 1, and 0 at rank 0, not returned: any shape."""
        by_rank = np.concatenate([[0.0], self.at_ranks, [0.0]])
        found: FloatArray = by_rank[np.minimum(ranks, len(by_rank) - 1)]
        return found

    def ideal(self, counts: IntArray) -> FloatArray:
        """The ideal's sum, where ``counts`` (..., G) documents reach each grade: shape (...)."""
        return ideal_of(counts, self.gains, self.ideal_sums)
