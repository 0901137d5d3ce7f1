"""Where the numbers under ``--like TOOL`` are not that tool's, in a sentence for each case."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

import numpy as np

from annotator.domain import Ranking
from annotator.scoring.options import Like, ScoreOptions
from annotator.text.plural import counted
from annotator.text.safe import one_line
from rubric import Measure
from rubric.gains import TABLE

_TREC_EVAL = (
    *("nDCG", "nDCG@k", "P@k", "R", "R@k", "Hit@k", "RR", "AP", "AP@k", "F"),
    *("Rprec", "bpref", "infAP"),
)
_SKLEARN = ("nDCG", "nDCG@k", "DCG", "DCG@k")
_RANX = (
    *(*_SKLEARN, "P@k", "R", "R@k", "F", "F@k", "Hit", "Hit@k", "RR", "RR@k", "AP", "AP@k"),
    *("Rprec", "bpref"),
)
SHARED: dict[Like, tuple[str, ...]] = {
    Like.TREC_EVAL: _TREC_EVAL,
    Like.IR_MEASURES: (*_TREC_EVAL, "RR@k", "RBP", "Judged@k"),
    Like.RANX: _RANX,
    Like.SKLEARN: _SKLEARN,
}
"""The measures that each tool has, with the cases in which its numbers differ from ours."""

STABLE = 15
"""Documents that ranx's sort keeps in order where scores tie (insertion sort; above, quicksort)."""


def notes_on(options: ScoreOptions, runs: Mapping[str, Iterable[Ranking]]) -> list[str]:
    """What a reader of numbers like a tool's should know; nothing where none is followed."""
    if options.like is None:
        return []
    tool = f"--like {options.like}"
    said = [f"{tool}: {one}" for one in _on_measures(options.like, options.measures)]
    if options.like is Like.RANX:
        for name, rankings in runs.items():
            if undefined := sum(_is_undefined(one, options.measures) for one in rankings):
                has = "query has", "queries have"
                said.append(
                    f"{tool}: {one_line(name)}: {counted(undefined, *has)} tied scores in a list "
                    f"of more than {STABLE} documents, which ranx puts into an order of its own: "
                    "there its numbers may differ from these, where ties are as displayed"
                )
    return said


def _on_measures(tool: Like, measures: Iterable[Measure]) -> Iterator[str]:
    other = [str(one) for one in measures if not _is_shared(tool, one)]
    if other:
        yield f"{', '.join(other)}: {tool} has nothing that is equal; by the rules of this program"
    names = {one.form for one in measures}
    if tool is Like.RANX and "bpref" in names:
        yield (
            "bpref: ranx counts negative grades as not relevant, and gives no number where no "
            "judged document is not relevant"
        )
    if tool is Like.IR_MEASURES and "Judged@k" in names:
        yield "Judged: ir_measures counts a document with a negative grade as judged"


def _is_shared(tool: Like, measure: Measure) -> bool:
    """Whether a tool has a measure with these parameters."""
    if measure.beta is not None or (measure.name == "RBP" and measure.gain is not None):
        return False
    if measure.gain is not None and measure.gain.kind == TABLE and tool is not Like.TREC_EVAL:
        return tool is Like.IR_MEASURES
    return measure.form in SHARED[tool]


def _is_undefined(ranking: Ranking, measures: Iterable[Measure]) -> bool:
    """Whether ranx's order of tied scores may change a top k."""
    if len(ranking.scores) <= STABLE:
        return False
    deepest = max((one.k or len(ranking.scores) for one in measures), default=0)
    scores = -np.sort(-ranking.scores)
    return bool((scores[1:] == scores[:-1])[:deepest].any())
