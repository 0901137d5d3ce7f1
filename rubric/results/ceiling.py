"""How good a ranking could be with its own candidates: lost by retrieval, lost by ranking."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rubric.arrays import BoolArray, FloatArray, IntArray, ratio
from rubric.measures.evaluation import Rules, evaluate
from rubric.measures.measure import Measure
from rubric.measures.ndcg import ideal_dcg
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
    """Split the nDCG of rerankings of ``n`` candidates; the measure must be an nDCG with a cutoff.

    Of the rules only the gain counts: an undefined query stays undefined.

    >>> import numpy as np
    >>> one = JudgedRankings(
    ...     np.array([[0, 1]], dtype=np.int8), np.array([[1, 1, 0, 1]]), np.array([0])
    ... )
    >>> split = candidate_ceiling(Measure("nDCG", 1), one, n=2)
    >>> split.score.round(3), split.ceiling.round(3)
    (array([0.]), array([0.143]))
    """
    if measure.name != "nDCG" or measure.k is None:
        raise ValueError(f"the ceiling is that of nDCG at a cutoff, not of {measure}")
    rules = rules or Rules()
    gains = (measure.gain or rules.gain).values(rankings.top)
    candidates = rankings.grades[:, :n]
    reach = np.stack(
        [(candidates >= grade).sum(axis=1) for grade in range(1, rankings.top + 1)], axis=1
    )
    ideal = ideal_dcg(rankings.judged_at_least(), gains, measure.k)
    unjudged = is_unjudged(candidates).sum(axis=1)
    return Ceiling(
        score=evaluate(measure, rankings, Rules(gain=rules.gain)).zero_filled,
        ceiling=ratio(ideal_dcg(reach, gains, measure.k), ideal),
        unjudged=unjudged,
        open=(unjudged > 0) | (rankings.unjudged > 0),
    )
