"""Bounds of a measure that rises with each grade: nothing gains, or everything the most."""

from __future__ import annotations

from rubric.rankings import JudgedRankings, hopeful
from rubric.setting import Bounds, Score, ScoreBounds, Setting


def monotone(score: Score) -> ScoreBounds:
    """The bounds of such a score. Exact."""

    def bounds(rankings: JudgedRankings, how: Setting) -> Bounds:
        best = JudgedRankings(
            hopeful(rankings.grades, rankings.top), rankings.judged, rankings.unjudged
        )
        return score(rankings, how), score(best, how)

    return bounds
