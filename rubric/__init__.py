"""Score ranked retrieval results, with exact bounds over the documents that nobody has judged."""

from __future__ import annotations

from rubric.errors import RubricError
from rubric.evaluate import Rules, Scores, evaluate
from rubric.gains import Gain
from rubric.measures import KINDS, Measure
from rubric.rankings import EMPTY, UNJUDGED, JudgedRankings
from rubric.scale import Level, Rubric
from rubric.summary import Summary, bootstrap_interval, mean_bounds, summarise, worst

__all__ = [
    "EMPTY",
    "KINDS",
    "UNJUDGED",
    "Gain",
    "JudgedRankings",
    "Level",
    "Measure",
    "Rubric",
    "RubricError",
    "Rules",
    "Scores",
    "Summary",
    "bootstrap_interval",
    "evaluate",
    "mean_bounds",
    "summarise",
    "worst",
]
