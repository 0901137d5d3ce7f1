"""All that is public here, most of which computes, with numpy loaded for it."""

from __future__ import annotations

from rubric.ceiling import Ceiling, candidate_ceiling
from rubric.comparison import Comparison, Verdict, compare
from rubric.dicts import TIES, ScoresByMeasure, compare_runs, score
from rubric.differences import Pair, difference_bounds, same_places
from rubric.errors import RubricError
from rubric.evaluation import Rules, Scores, evaluate, zero_filled
from rubric.explanation import Explanation, best_ranking, explain
from rubric.gains import Gain
from rubric.kinds import KINDS, Cutoff, Kind
from rubric.measures import Measure
from rubric.rankings import EMPTY, UNJUDGED, UNPOOLED, JudgedRankings, first_of_ties
from rubric.scale import Level, Rubric
from rubric.significance import bootstrap_interval, effect_size, holm, randomisation_test
from rubric.summary import Summary, mean_bounds, summarise, worst
from rubric.tools import TOOLS
from rubric.user_models import rbp_residual

__all__ = [
    "EMPTY",
    "KINDS",
    "TIES",
    "TOOLS",
    "UNJUDGED",
    "UNPOOLED",
    "Ceiling",
    "Comparison",
    "Cutoff",
    "Explanation",
    "Gain",
    "JudgedRankings",
    "Kind",
    "Level",
    "Measure",
    "Pair",
    "Rubric",
    "RubricError",
    "Rules",
    "Scores",
    "ScoresByMeasure",
    "Summary",
    "Verdict",
    "best_ranking",
    "bootstrap_interval",
    "candidate_ceiling",
    "compare",
    "compare_runs",
    "difference_bounds",
    "effect_size",
    "evaluate",
    "explain",
    "first_of_ties",
    "holm",
    "mean_bounds",
    "randomisation_test",
    "rbp_residual",
    "same_places",
    "score",
    "summarise",
    "worst",
    "zero_filled",
]
