"""How good a ranking could be with its own candidates: lost by retrieval, lost by ranking."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from rubric.arrays import BoolArray, FloatArray, IntArray
from rubric.evaluation.measure import Measure
from rubric.evaluation.scores import Rules, zero_filled
from rubric.rankings import JudgedRankings, is_unjudged


@dataclass(frozen=True, eq=False)
class Ceiling:
    """nDCG at k of N rankings, split; each of shape (N,), NaN where nDCG is undefined.

    All count unjudged documents as 0, so they are settled only where ``open`` is false.

    Parameters
    ----------
    score
        nDCG as ranked.
    ceiling
        The best nDCG that reordering the first n candidates could reach.
    unjudged
        How many of the first n candidates are unjudged.
    open
        Whether an unjudged document, a candidate or another of the query, could change them.
    """

    score: FloatArray
    ceiling: FloatArray
    unjudged: IntArray
    open: BoolArray

    @property
    def never_found(self) -> FloatArray:
        """What was lost since retrieval did not bring it: 1 - ceiling."""
        return 1.0 - self.ceiling

    @property
    def ranked_low(self) -> FloatArray:
        """What was lost since the ranking put it low: ceiling - score."""
        return self.ceiling - self.score


def candidate_ceiling(
    measure: Measure, rankings: JudgedRankings, n: int, rules: Rules | None = None
) -> Ceiling:
    """Split the score of rerankings of ``n`` candidates.

    The measure must have a cutoff, and an ideal ranking that scores 1 at any (nDCG).

    Of the rules only the gain counts: an undefined query stays undefined.

    >>> import numpy as np
    >>> one = JudgedRankings(
    ...     np.array([[0, 1]], dtype=np.int8), np.array([[1, 1, 0, 1]]), np.array([0])
    ... )
    >>> split = candidate_ceiling(Measure("nDCG", 1), one, n=2)
    >>> split.score.round(3), split.ceiling.round(3)
    (array([0.]), array([0.143]))
    """
    if not measure.kind.full_ideal or measure.k is None:
        raise ValueError(f"no ceiling of {measure}: its ideal ranking need not score 1")
    rules, candidates = Rules(gain=(rules or Rules()).gain), rankings.grades[:, :n]
    by_grade = -np.sort(-np.where(is_unjudged(candidates), np.int8(0), candidates), axis=1)
    unjudged = is_unjudged(candidates).sum(axis=1)
    return Ceiling(
        score=zero_filled(measure, rankings, rules),
        ceiling=zero_filled(measure, replace(rankings, grades=by_grade, tied=None), rules),
        unjudged=unjudged,
        open=(unjudged > 0) | (rankings.unjudged > 0),
    )
