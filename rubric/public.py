"""All that is public here, most of which computes, with numpy loaded for it."""

from __future__ import annotations

from rubric.bounds.pair import Pair, same_places
from rubric.dicts import TIES, ScoresByMeasure, compare_runs, score
from rubric.errors import RubricError
from rubric.evaluation.differences import difference_bounds
from rubric.evaluation.measure import Measure
from rubric.evaluation.scores import Rules, Scores, evaluate, zero_filled
from rubric.gains import Gain
from rubric.kind import Cutoff, Kind
from rubric.measures.rbp import rbp_residual
from rubric.measures.registry import KINDS
from rubric.model.stopping import Verdict
from rubric.rankings import EMPTY, UNJUDGED, UNPOOLED, JudgedRankings, first_of_ties
from rubric.results.ceiling import Ceiling, candidate_ceiling
from rubric.results.comparison import Comparison, compare
from rubric.results.explanation import Explanation, best_ranking, explain
from rubric.results.significance import bootstrap_interval, effect_size, holm, randomisation_test
from rubric.results.summary import Summary, mean_bounds, summarise, worst
from rubric.scale import Level, Rubric
from rubric.tools import TOOLS

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
